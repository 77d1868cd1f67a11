/* The tally of vectors: a pass, or a mismatch, counts for its gate; entries without a gate count apart. */
#include "bench/laboratory/vectors.h"

void tally_pass(struct tally *t, enum gate gate)
{
	t->passed += gate == GATED;
	t->doubtful += gate == DOUBTFUL;
}

void tally_mismatch(struct tally *t, enum gate gate, unsigned long line, const char *fmt, ...)
{
	va_list ap;

	t->failed += gate == GATED;
	t->doubtful += gate == DOUBTFUL;
	t->differ += gate == DOUBTFUL;
	va_start(ap, fmt);
	tally_show(t, gate, line, fmt, ap);
	va_end(ap);
}
