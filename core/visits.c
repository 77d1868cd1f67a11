/* Visits of lanes to instructions: differences turned into counts, and the warps that packing would need. */
#include "core/visits.h"

#include <stdlib.h>

#include "core/program.h"

void visits_settle(uint32_t *counts, unsigned lanes, const struct program *p)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++, counts += lanes) {
		uint32_t *next = counts + (size_t)lanes * (p->insn[i].length / 4);
		for (unsigned l = 0; l < lanes; l++)
			next[l] += counts[l];
	}
}

static int most_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* The k-th visits, n_k in number, take ceil(n_k / lanes) issues. With the threads in the order of their counts the sum
 * is the count of every lanes-th thread: thread j · lanes is the first that needs issue j + 1 of a visit. */
uint64_t visits_packed(uint32_t *counts, unsigned n, unsigned lanes)
{
	uint64_t issues = 0;

	qsort(counts, n, sizeof *counts, most_first);
	for (unsigned j = 0; j < n; j += lanes)
		issues += counts[j];
	return issues;
}
