/* The source in C of a program that was compiled elsewhere, or in two steps. */
#ifndef WB_TOOLCHAIN_SOURCE_H
#define WB_TOOLCHAIN_SOURCE_H

#include "toolchain/build.h"

/* The text of the file whose lines are beside the PTX becomes the image's source, and the PTX goes beside. False: the
 * host has no memory; `text` may be NULL then. */
bool source_beside(struct image *im, const char *text);
/* Read the file in C that b->image names as the source, if the file exists and --files lets the program name it. */
bool source_find(struct build *b);

#endif
