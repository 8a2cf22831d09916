struct link;
struct operations {
    int header;
    int (*fill)(struct link *link, char *to);
};
struct link {
    const struct operations *operations;
    struct operations *changing;
    int kind;
};
