/* The known name that an unknown word probably meant: "did you mean". */
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

/* Letters to change, add, leave out or swap with the next letter to turn one word into the other. */
unsigned near_distance(const char *a, size_t na, const char *b, size_t nb);
/* Keep the name if nearer than the names before, and near at all: one letter in three, at most two. */
void near_try(struct near *n, const char *name, size_t len);

#endif
