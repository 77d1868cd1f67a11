/* Reading registers by name. A name is that of one word a lane, or of two of them, which are parts of one value of 64
 * bits; the machine says by its scope whether a warp has the word once (struct isa_registers). */
#include "inspect/registers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/launch.h"

enum { PARTS = 2, PART_BITS = 32 };

/* ---- names ---- */

/* The letters and the number of "r3". */
static bool split_name(const char *name, char *file, size_t size, unsigned *reg)
{
	char *end;
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");
	unsigned long v = strtoul(name + n, &end, 10);

	if (!n || n >= size || !isdigit((unsigned char)name[n]) || *end || v > 0xffff)
		return false;
	snprintf(file, size, "%.*s", (int)n, name);
	*reg = (unsigned)v;
	return true;
}

/* A word in one lane; without a warp, only whether there is one of that name. */
static bool word_of(const struct isa_ops *isa, struct warp *w, const char *name, unsigned lane, uint32_t *value)
{
	char file[8] = "";
	unsigned reg = 0;
	const uint32_t *at = NULL;

	if (isa->reg.peek)
		return isa->reg.peek(w, name, lane, value);
	if (!split_name(name, file, sizeof file, &reg))
		return false;
	if (w)
		at = isa->reg.word(w, file, reg, lane);
	if (at)
		*value = *at;
	return !w || at;
}

/* The characters of a range at the start of a text, "s[4:5]"; 0: none is there. */
static size_t range_of(const char *text, unsigned *first, unsigned *last)
{
	size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	int n = 0;

	if (!letters || !isdigit((unsigned char)text[letters + (text[letters] == '[')]) ||
	    sscanf(text + letters, "[%5u:%5u]%n", first, last, &n) != 2 || n <= 0)
		return 0;
	return letters + (size_t)n;
}

size_t register_range(const struct isa_ops *isa, const char *text)
{
	unsigned first, last;
	size_t dollar = *text == '$', n = isa->reg.peek ? range_of(text + dollar, &first, &last) : 0;

	return n ? dollar + n : 0;
}

/* How many words a name has, and the i-th of "v0.xy", "v0.y", and of "s[4:5]", "s5"; a name that is no such pair is its
 * own only word. 0: there is no i-th. */
static unsigned part_of(const char *name, unsigned i, char one[REGISTER_NAME])
{
	const char *dot = strchr(name, '.');
	unsigned first = 0, last = 0, n = 1;
	bool range = strchr(name, '[') && range_of(name, &first, &last) == strlen(name);

	if (range)
		n = last >= first && last - first < PARTS ? last - first + 1 : 0;
	else if (dot && dot[1 + strspn(dot + 1, "xyzw")] == '\0')
		n = (unsigned)strlen(dot + 1);
	if (i >= n || n > PARTS || strlen(name) >= REGISTER_NAME)
		return 0;
	if (range)
		snprintf(one, REGISTER_NAME, "%.*s%u", (int)strcspn(name, "["), name, first + i);
	else if (n > 1)
		snprintf(one, REGISTER_NAME, "%.*s%c", (int)(dot - name) + 1, name, dot[1 + i]);
	else
		memcpy(one, name, strlen(name) + 1);
	return n;
}

static unsigned parts_of(const char *name)
{
	char one[REGISTER_NAME];

	return part_of(name, 0, one);
}

bool register_exists(const struct isa_ops *isa, const char *name)
{
	char one[REGISTER_NAME];
	unsigned i = 0;

	name += *name == '$';
	if (strchr(name, '[') && !register_range(isa, name))
		return false;
	while (part_of(name, i, one) && word_of(isa, NULL, one, 0, NULL))
		i++;
	return i && i == parts_of(name);
}

/* ---- values ---- */

/* A warp whose registers are still in memory: its block is resident, or was the last one there. */
static struct warp *warp_of(const struct wb_launch *l, uint32_t block, uint32_t warp)
{
	for (unsigned i = 0; l->machine.mp && i < l->plan.nmps; i++)
		for (unsigned k = 0; k < l->machine.mp[i].nresident; k++) {
			struct resident *r = &l->machine.mp[i].resident[k];
			if (r->block.nwarps && r->block.index == block && warp < r->block.nwarps && !r->gone)
				return &r->block.warp[warp];
		}
	return NULL;
}

/* Of one that the warp has. */
static enum isa_scope scope_of(const struct isa_ops *isa, const struct warp *w, const char *name)
{
	char one[REGISTER_NAME];

	return isa->reg.scope && part_of(name, 0, one) ? isa->reg.scope(w, one) : SCOPE_LANES;
}

static bool in_lane(const struct isa_ops *isa, struct warp *w, const char *name, unsigned lane, uint64_t *value)
{
	char one[REGISTER_NAME];
	uint32_t word = 0;
	unsigned i = 0;

	*value = 0;
	for (; part_of(name, i, one) && word_of(isa, w, one, lane, &word); i++)
		*value |= (uint64_t)word << PART_BITS * i;
	return i && i == parts_of(name);
}

/* That the warp has once. */
static bool of_warp(const struct isa_ops *isa, struct warp *w, const char *name, uint64_t *value)
{
	enum isa_scope scope = scope_of(isa, w, name);
	uint64_t bit;

	if (scope == SCOPE_LANES || !in_lane(isa, w, name, 0, value))
		return false;
	for (unsigned lane = 1; scope == SCOPE_MASK && lane < isa->lanes; lane++) {
		in_lane(isa, w, name, lane, &bit);
		*value |= bit << lane;
	}
	return true;
}

bool register_in_lane(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, unsigned lane,
		      uint64_t *value)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct warp *w = warp_of(l, block, warp);

	return w && lane < isa->lanes && in_lane(isa, w, name + (*name == '$'), lane, value);
}

bool register_of_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, uint64_t *value)
{
	struct warp *w = warp_of(l, block, warp);

	return w && of_warp(l->plan.code.target.isa, w, name + (*name == '$'), value);
}

static bool read_register(const struct isa_ops *isa, struct warp *w, const char *name, struct wb_register *out)
{
	*out = (struct wb_register){ 0 };
	if (!register_exists(isa, name))
		return false;
	for (unsigned lane = 0; lane < isa->lanes; lane++)
		if (!in_lane(isa, w, name, lane, &out->value[lane]))
			return false;
	out->scope = (enum wb_scope)scope_of(isa, w, name);
	out->bits = out->scope == WB_SCOPE_MASK ? isa->lanes : PART_BITS * parts_of(name);
	of_warp(isa, w, name, &out->one);
	return true;
}

/* A register of at most so many parts. */
static enum wb_status read_parts(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name,
				 unsigned parts, struct wb_register *out, struct wb_diag *wd)
{
	struct warp *w = warp_of(l, block, warp);
	const char *bare = name + (*name == '$');
	struct diag d = { 0 };

	if (w && parts_of(bare) <= parts && read_register(l->plan.code.target.isa, w, bare, out))
		return WB_OK;
	if (w)
		diag_set(&d, DIAG_USAGE, "found \"%s\", expected a register of machine %s that the warp has", name,
			 l->plan.code.target.isa->name);
	else
		diag_set(&d, DIAG_USAGE, "block %u warp %u is not resident, and not the last that was where it ran",
			 block, warp);
	return public_diag(wd, &d);
}

enum wb_status wb_launch_register(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name,
				  struct wb_register *out, struct wb_diag *d)
{
	return read_parts(l, block, warp, name, PARTS, out, d);
}

enum wb_status wb_launch_read_register(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name,
				       uint32_t value[WB_LANES], struct wb_diag *d)
{
	struct wb_register r;
	enum wb_status status = read_parts(l, block, warp, name, 1, &r, d);

	for (unsigned lane = 0; status == WB_OK && lane < WB_LANES; lane++)
		value[lane] = (uint32_t)r.value[lane];
	return status;
}
