/* Lines of a source for every instruction that has one. */
#ifndef WB_TOOLCHAIN_SOURCE_LINES_H
#define WB_TOOLCHAIN_SOURCE_LINES_H

#include "toolchain/build.h"

/* Put the lines of the images' kernels right and complete them; assembly files say lines themselves. */
bool lines_complete(struct build *b);

#endif
