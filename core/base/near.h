/* The name that was probably meant by a word that is none: "did you mean". */
#ifndef WB_CORE_BASE_NEAR_H
#define WB_CORE_BASE_NEAR_H

#include <stddef.h>

struct near {
	const char *word;           /* not terminated, as is `best` */
	size_t n;
	const char *best;           /* NULL: none is near */
	size_t nbest;
	unsigned distance;          /* of best */
};

/* Letters that must be changed, added, left out or swapped with the next one to make one word of the other. */
unsigned near_distance(const char *a, size_t na, const char *b, size_t nb);
/* Keep the name if it is nearer than those before, and near at all: one letter in three, at most two. */
void near_try(struct near *n, const char *name, size_t len);

#endif
