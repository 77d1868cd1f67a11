/* Words of the findings of all checkers: the access, its memory, and the source's name of the place. */
#include <stdio.h>

#include "inspect/check.h"
#include "inspect/launch.h"
#include "inspect/variables.h"
#include "mem/mem.h"

const char *const check_kind_names[] = {
	[ACCESS_LOAD] = "load", [ACCESS_STORE] = "store", [ACCESS_ATOMIC] = "atomic",
};
const char check_space_names[] = { [MEM_SHARED] = 's', [MEM_LOCAL] = 'l', [MEM_GLOBAL] = 'g' };

/* " (sum[3])": the variable of the source at a piece's address; "" for none. */
const char *check_place(const struct wb_launch *l, struct exec *x, const struct piece *p, char text[PLACE_NAME])
{
	char name[PLACE_NAME - 4];

	variable_at_address(l, x->warp, p->lane, x->step.pc, p->access->space, p->addr, name, sizeof name);
	snprintf(text, PLACE_NAME, *name ? " (%s)" : "%s", name);
	return text;
}
