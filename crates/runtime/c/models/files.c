/* Names and contents of the model file system. The driver of `main` declares which files there are: symbolic
 * ones (slots file("A").length and file("A")[]) and real ones, which are read as they are on the disk. Standard
 * input is the slots stdin.length and stdin[]; without a driver that says so, of at most INPUT_MAX bytes. */
#include "../ctn.h"
#include "../host_calls.h"
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { INPUT_MAX = 64, ROOM_FIRST = 256, FOREVER = 1 << 20 };

static model_file null_device = {0, "/dev/null", 0, 0, 0, 0, 0, 0, FOREVER, 1, S_IFCHR | 0666};
static model_file root_directory = {&null_device, "/", 0, 0, 0, 0, 0, 0, FOREVER, 2, S_IFDIR | 0755};
static model_file working_directory = {&root_directory, ".", 0, 0, 0, 0, 0, 0, FOREVER, 3, S_IFDIR | 0755};
static model_file *files = &working_directory;
static unsigned last_number = 5;

int ctn_files_are_declared;

model_file ctn_standard_input = {0, 0, 0, 0, 0, "stdin", 0, INPUT_MAX, FOREVER, 4, S_IFREG | 0600};
model_file ctn_standard_output = {0, 0, 0, 0, 0, 0, 0, 0, FOREVER, 5, S_IFIFO | 0600};

/* "./a" is "a". */
static const char *plain(const char *name)
{
    while (name[0] == '.' && name[1] == '/') {
        name += 2;
        while (*name == '/') name++;
    }
    return name;
}

model_file *ctn_find_file(const char *name)
{
    const char *wanted = plain(name);
    for (model_file *file = files; file != NULL; file = file->next)
        if (ctn_model_strcmp(file->name, wanted) == 0) return file;
    errno = ENOENT;
    return NULL;
}

static void enlist(model_file *file, const char *name, mode_t mode)
{
    file->name = name;
    file->mode = mode;
    file->number = ++last_number;
    file->next = files;
    files = file;
}

model_file *ctn_make_file(const char *name, mode_t mode)
{
    model_file *file = calloc(1, sizeof *file);
    char *copy = file == NULL ? NULL : ctn_model_strdup(plain(name));
    if (copy == NULL) {
        free(file);
        errno = ENOSPC;
        return NULL;
    }
    enlist(file, copy, mode);
    return file;
}

static void release(model_file *file)
{
    if (file->room > 0) free(file->bytes);
    free(file);
}

void ctn_forget_name(model_file *file)
{
    for (model_file **at = &files; *at != NULL; at = &(*at)->next)
        if (*at == file) {
            *at = file->next;
            file->name = NULL;
            if (file->uses == 0) release(file);
            return;
        }
}

/* Whoever used it is gone. Files that were not made by the program are constants and never lose a name. */
void ctn_drop_file(model_file *file)
{
    if (--file->uses == 0 && file->name == NULL) release(file);
}

int ctn_resize_file(model_file *file, size_t length)
{
    if (length > file->room) {
        size_t room = file->room < ROOM_FIRST ? ROOM_FIRST : file->room * 2;
        if (room < length) room = length;
        byte *bytes = realloc(file->room > 0 ? file->bytes : NULL, room);
        if (bytes == NULL) {
            errno = ENOSPC;
            return -1;
        }
        if (file->room == 0) memcpy(bytes, file->bytes, file->length < length ? file->length : length);
        file->bytes = bytes;
        file->room = room;
    }
    if (length > file->length) memset(file->bytes + file->length, 0, length - file->length);
    file->length = length;
    return 0;
}

/* --- contents that are inputs -------------------------------------------------------------------------------- */

/* A plain number that equals the input: each half that it may lie in is a branch. So is what lies above all of
 * them, where no input leads: it shows that there could be more. */
static size_t settle(size_t n, size_t most)
{
    size_t low = 0;
    if (n > most) return most;
    while (low < most) {
        size_t middle = low + (most - low) / 2;
        if (n > middle)
            low = middle + 1;
        else
            most = middle;
    }
    return low;
}

void ctn_fill_file(model_file *file, size_t most, const ctn_path *at)
{
    file->bytes = malloc(most + 1);
    if (file->bytes == NULL) return;
    file->room = most + 1;
    file->length = settle(ctn_count((unsigned)most + 1, CTN_NAME(at, ".length")), most);
    ctn_array(file->bytes, 1, most, CTN_NAME(at, "[]"));
}

model_file *ctn_use_contents(model_file *file)
{
    if (file->slot != NULL && file->most > 0) {
        const char *slot = file->slot;
        file->slot = NULL;
        ctn_fill_file(file, file->most, CTN_ROOT(slot));
    }
    if (file->source != NULL) {
        unsigned long length = 0;
        file->bytes = (byte *)ctn_real_file(file->source, &length);
        file->length = length;
        file->source = NULL;
    }
    return file;
}

/* --- what a driver declares ------------------------------------------------------------------------------------- */

void ctn_symbolic_file(const char *name, unsigned long most)
{
    static const char before[] = "file(\"", after[] = "\")";
    size_t length = ctn_model_strlen(name);
    model_file *file = calloc(1, sizeof *file);
    char *slot = malloc(sizeof before + length + sizeof after);
    if (file == NULL || slot == NULL) return;
    ctn_model_strcpy(slot, before);
    ctn_model_strcat(slot, name);
    ctn_model_strcat(slot, after);
    file->slot = slot;
    file->most = most;
    ctn_files_are_declared = 1;
    enlist(file, name, S_IFREG | 0644);
}

void ctn_readable_file(const char *name, const char *source)
{
    model_file *file = calloc(1, sizeof *file);
    if (file == NULL) return;
    file->source = source;
    enlist(file, name, S_IFREG | 0444);
}

void ctn_standard_input_size(unsigned long most)
{
    ctn_files_are_declared = 1;
    ctn_standard_input.most = most;
}
