/* The nearest known name by edit distance, in which two letters changed round are one edit. */
#include "core/base/near.h"

#include <string.h>

enum { LONGEST = 63 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Three rows of the table at a time: the present row and the two before. */
unsigned near_distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned rows[3][LONGEST + 1];

	if (na > LONGEST || nb > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			row[j] = least(least(row[j - 1], above[j]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = least(row[j], before[j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

void near_try(struct near *n, const char *name, size_t len)
{
	unsigned most = least((unsigned)(n->n + 1) / 3, 2), d = near_distance(n->word, n->n, name, len);

	if (d > most || !len || (n->best && d >= n->distance))
		return;
	n->best = name;
	n->nbest = len;
	n->distance = d;
}
