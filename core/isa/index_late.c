/* The index of a table (core/isa/index.h) in a build that is sent over networks (the module of a page): made when the
 * module starts, in some milliseconds, instead of stored, as 100 KB. The table is TABLE, which takes the index as
 * INDEX; other files declare both const, and nothing reads INDEX before constructors have run. */
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/isa/index.h"

extern const struct isa_table TABLE;
struct isa_index INDEX;

static struct arena arena;

__attribute__((constructor)) static void make_index(void)
{
	struct diag d = { 0 };
	struct isa_index made = { .ntoken = 0 };

	if (!isa_index_make(&TABLE, &arena, &made, &d))
		abort();
	INDEX = made;
}
