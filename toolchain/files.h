/* Files for the loaders of core/load, and assembly text, under the options of a build. */
#ifndef WB_TOOLCHAIN_FILES_H
#define WB_TOOLCHAIN_FILES_H

#include "toolchain/build.h"

/* Load n bytes of a format for a machine, NULL: the build's own, as b->image. */
bool file_load(struct build *b, const void *bytes, size_t n, const char *format, const char *machine);
/* The byte address of a text; false: the text is none, *out stays. */
bool entry_address(const char *text, uint32_t *out);

#endif
