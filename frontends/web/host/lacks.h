/* Functions of POSIX that wasi-libc lacks and that the panes name: included in front of every file of the module of
 * a page. It fails, as on a host without files: a program's files come with it (wb_config_files). */
#ifndef WB_WEB_LACKS_H
#define WB_WEB_LACKS_H

int dup(int fd);

#endif
