/* A program in the making: what every maker of language.def gets. A maker that fails without a diagnostic lacks the
 * host's memory: image_make says so, once for all of them. */
#ifndef WB_TOOLCHAIN_BUILD_H
#define WB_TOOLCHAIN_BUILD_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"
#include "toolchain/build_log.h"
#include "toolchain/build_options.h"

struct build {
	const struct build_options *options;
	const char *name;                /* of the file, for diagnostics */
	const char *bytes;               /* of the file; a zero stands behind them */
	size_t size;
	struct arena *arena;             /* of the program: lives as long as the image */
	struct build_log *log;
	struct image *image;             /* first of the chain made so far; NULL: none */
	struct diag *diag;
};

/* Images of the parts of a file, taken one behind the other. */
struct images {
	struct image *begin, *end;
};

static inline void images_take(struct images *to, struct build *b)
{
	if (to->end)
		to->end->next = b->image;
	else
		to->begin = b->image;
	for (to->end = b->image; to->end->next; to->end = to->end->next)
		;
	b->image = NULL;
}

#endif
