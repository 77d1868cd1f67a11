/* ipdom, for machines without a stack of masks: lanes that part at a branch meet at the branch's immediate
 * post-dominator. A side that begins there has arrived. */
#include "core/diverge/groups.h"

const struct group_policy group_ipdom = { .meets = true, .choose = groups_latest };
