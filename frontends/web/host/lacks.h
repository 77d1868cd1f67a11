/* Functions of POSIX that wasi-libc lacks and that the library names: included in front of every file of the module of
 * a page. They fail, as on a host without files: a program's files come with it (wb_config_files). */
#ifndef WB_WEB_LACKS_H
#define WB_WEB_LACKS_H

#include <fcntl.h>

#ifndef O_TMPFILE
#define O_TMPFILE 0
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#ifndef O_NOCTTY
#define O_NOCTTY 0
#endif

int dup(int fd);
int fchmod(int fd, unsigned mode);
int getpid(void);
char *realpath(const char *path, char *resolved);

#endif
