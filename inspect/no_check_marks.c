/* In a build without compilers and hosts (the module of a page) no code has marks, and no buffer a host's uses. */
#include "inspect/check.h"

void check_mark(struct wb_launch *l, struct exec *x, unsigned event)
{
	(void)l, (void)x, (void)event;
}

void check_meetings_end(struct wb_launch *l, const struct block *b)
{
	(void)l, (void)b;
}

void check_copies_end(struct wb_launch *l, const struct block *b, const struct warp *w)
{
	(void)l, (void)b, (void)w;
}

void check_compiled(struct wb_launch *l, struct exec *x, const struct piece *p)
{
	(void)l, (void)x, (void)p;
}
