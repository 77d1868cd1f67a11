/* PTX inside fat binaries and executables of CUDA. */
#ifndef WB_TOOLCHAIN_FAT_H
#define WB_TOOLCHAIN_FAT_H

#include "toolchain/build.h"

/* Whether a file is, or an executable contains, a fat binary without cubins that are read as such. */
bool fat_sniff(const uint8_t *bytes, size_t size);
/* Compile the PTX of each fat binary: the first PTX of each. */
bool fat_make(struct build *b);

#endif
