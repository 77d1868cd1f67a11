/* From a file or a text to the image of a program. Nothing runs here. */
#ifndef WB_TOOLCHAIN_TOOLCHAIN_H
#define WB_TOOLCHAIN_TOOLCHAIN_H

#include "toolchain/build.h"

/* Make b->image, complete with lines and warnings, from b->bytes. False: b->diag has the place, and b->image is
 * NULL. */
bool image_make(struct build *b);
/* Whether a file that begins with b->bytes, by its name, contents or the word for its format, may become an image;
 * false with a diagnostic. */
bool image_may_begin(struct build *b);

#endif
