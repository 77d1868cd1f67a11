/* What the rows of language.def name: `sniff` says whether a file is of the kind, `make` makes b->image of b->bytes. */
#ifndef WB_TOOLCHAIN_LANGUAGE_H
#define WB_TOOLCHAIN_LANGUAGE_H

#include "toolchain/build.h"

#define UNNAMED(sniff, make) bool sniff(const uint8_t *bytes, size_t size); bool make(struct build *b);
#define LANGUAGE(word, endings, sniff, make) UNNAMED(sniff, make)
#include "toolchain/language.def"

#endif
