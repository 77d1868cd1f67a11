/* Files for the loaders of core/load, and assembly text, under the options of a build. */
#ifndef WB_TOOLCHAIN_FILES_H
#define WB_TOOLCHAIN_FILES_H

#include "toolchain/build.h"

/* Load b->bytes; the format is the build's, else found by contents. */
bool file_make(struct build *b);
/* Load n bytes of a format for a machine, NULL: the build's own, as b->image. */
bool file_load(struct build *b, const void *bytes, size_t n, const char *format, const char *machine);
/* The byte address of a text; false: the text is none, *out stays. */
bool entry_address(const char *text, uint32_t *out);

bool assembly_make(struct build *b);
bool assembly_sniff(const uint8_t *bytes, size_t size);
bool sniff_none(const uint8_t *bytes, size_t size);
bool cubin_sniff(const uint8_t *bytes, size_t size);

#endif
