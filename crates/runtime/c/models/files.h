/* The model file system: a few files in memory, descriptors and streams on them. What the parts share:
 * files.c (names and contents), descriptors.c (unistd.h), status.c (stat and its like), streams.c (FILE).
 * Contents of symbolic files are asked for when a file is first used. Their length is decided there by a few
 * branches, so that positions and sizes are plain numbers afterwards.
 * Limits: one directory level; times and owners are not kept; one thread. */
#ifndef CTN_FILES_H
#define CTN_FILES_H

#include "models.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

typedef struct model_file {
    struct model_file *next;
    const char *name;      /* as the program opens it; NULL: nameless */
    byte *bytes;
    size_t length, room;   /* room 0: the bytes are not ours to change */
    const char *slot;      /* contents are an input that nobody asked for yet */
    const char *source;    /* contents are those of this real file, not looked at yet */
    size_t most;           /* longest contents of an input */
    unsigned uses;         /* open descriptions */
    unsigned number;       /* as an inode */
    mode_t mode;           /* S_IFREG, S_IFDIR, S_IFCHR (/dev/null), S_IFIFO (output) or S_IFSOCK, and permissions */
} model_file;

/* An open file description; several descriptors may share one. */
typedef struct {
    model_file *file;
    size_t position;
    int flags;             /* as given to open */
    unsigned uses;
} description;

/* files.c */
extern model_file ctn_standard_input, ctn_standard_output;
extern int ctn_files_are_declared;                   /* the driver says which files there are */
model_file *ctn_find_file(const char *name);         /* NULL and errno when there is none */
model_file *ctn_make_file(const char *name, mode_t mode); /* NULL and errno when there is no room */
model_file *ctn_use_contents(model_file *file);      /* asks for contents that are inputs */
struct ctn_path;
void ctn_fill_file(model_file *file, size_t most, const struct ctn_path *at);
void ctn_forget_name(model_file *file);              /* it goes when nobody uses it any more */
void ctn_drop_file(model_file *file);
int ctn_resize_file(model_file *file, size_t length); /* 0, or -1 and errno */

/* descriptors.c */
enum { DESCRIPTORS_MAX = 128 };
description *ctn_description(int fd);                /* NULL and errno for what is not open */
int ctn_open_file(const char *name, int flags, mode_t mode);
int ctn_open_or_ask(const char *name, int flags, mode_t mode);
int ctn_new_descriptor(model_file *file, int flags);
int ctn_input_descriptor(const char *slot, size_t most); /* a socket that receives an input */
ssize_t ctn_read_at(description *d, void *to, size_t n);
ssize_t ctn_write_at(int fd, description *d, const void *from, size_t n);
off_t ctn_seek(description *d, off_t offset, int whence);

int ctn_model_open(const char *name, int flags, ...);
int ctn_model_close(int fd);
ssize_t ctn_model_read(int fd, void *to, size_t n);
ssize_t ctn_model_write(int fd, const void *from, size_t n);
int ctn_model_unlink(const char *name);
int ctn_model_isatty(int fd);

/* streams.c */
typedef struct model_stream model_stream;
model_stream *ctn_stream(FILE *stream);              /* NULL and errno for what is no open stream */
int ctn_take(model_stream *stream);                  /* the next byte or EOF */
int ctn_give_back(model_stream *stream, int c);
size_t ctn_put(model_stream *stream, const void *from, size_t n);
int ctn_stream_descriptor(const model_stream *stream);
int ctn_is_output(const model_stream *stream);       /* what it is given nobody reads again */

#endif
