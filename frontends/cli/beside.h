/* Files beside the program: the laboratory, and modules, shared objects loaded by one verb. The window (SDL) and the
 * ranks of a sweep (MPI) have fifty libraries behind them; other verbs, which load none of the fifty, start in a third
 * of the time. */
#ifndef WB_FRONTENDS_CLI_BESIDE_H
#define WB_FRONTENDS_CLI_BESIDE_H

#include "frontends/cli/cli.h"

/* The folder of the running program. False: not known. */
bool beside_self(char *folder, size_t size);
/* Whether the program's folder is a folder of a build: only the build's own program searches the build's folders. */
bool beside_build(const char *self);
/* Path of the file `name`: for a build's own program in `folder` of the build, else in libexec of an installation. Both
 * are relative to the running program, so that an installation can be moved. False: no such file. */
bool beside_find(char *path, size_t size, const char *folder, const char *name);
/* The object `symbol` of a module; the module stays loaded. NULL: d says why (WB_ENV). */
const void *module_load(const char *folder, const char *name, const char *symbol, struct wb_diag *d);

#endif
