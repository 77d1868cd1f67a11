/* The policies of reconvergence, by reconverge.def. A machine obeys a policy by its own means (a stack of masks,
 * an EXEC register, scopes), or by groups of lanes with pcs of their own (groups.h), for which the machine gives
 * no more than its reasons to split and to meet. */
#ifndef WB_CORE_DIVERGE_RECONVERGE_H
#define WB_CORE_DIVERGE_RECONVERGE_H

#include <stddef.h>

#include "core/rules.h"

struct arena;
struct group_policy;
struct program;

enum reconverge_way {
	RECONVERGE_OWN,              /* the machine's own means, with markers of the program */
	RECONVERGE_POSTDOMINATORS,   /* a stack of masks, popped at branches' post-dominators */
	RECONVERGE_GROUPS,           /* groups of lanes, on any machine */
};

struct reconverge {
	const char *word, *help;
	enum reconverge_way way;
	const struct group_policy *policy;      /* NULL: not by groups */
	bool counted;                /* no run of its own: counted in a run by the first row */
};

/* The rows, those to run first; NULL past the last. The order of rows to run is that of the option's words. */
const struct reconverge *reconverge_at(unsigned index);
/* The row of a word, the first row without a word; NULL: no row has the word. */
const struct reconverge *reconverge_named(const char *word);
/* The words of the rows to run, with '|' in front of each; then what each does. */
extern const char reconverge_words[], reconverge_help[];

/* Fill p->reconvergence of a decoded program, in arena a. False: the host has no memory. */
bool reconverge_points(struct program *p, struct arena *a);

/* Does a launch leave reconvergence to the machine's own means? */
static inline bool reconverge_is_own(const struct rules *rules)
{
	return !rules->reconverge || rules->reconverge->way == RECONVERGE_OWN;
}

/* The functions over groups of lanes under the rules of a launch; NULL: none. */
static inline const struct group_policy *reconverge_policy(const struct rules *rules)
{
	return rules->reconverge ? rules->reconverge->policy : NULL;
}

#endif
