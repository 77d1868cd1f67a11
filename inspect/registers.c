/* Reading registers by name. A name stands for one word a lane, or for two words, the halves of a 64-bit value; the
 * scope of a register says whether a warp has the word once (struct isa_registers). */
#include "inspect/registers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/launch.h"

enum { PARTS = 2, PART_BITS = 32 };

/* ---- names ---- */

/* A register of 32 bits, and its file and number where texts use letters and a number. */
struct word_name {
	char text[REGISTER_NAME], file[8];
	unsigned reg;
};

/* The words of a name, lowest first; none: not a register. */
struct register_words {
	struct word_name part[PARTS];
	unsigned n;
};

/* The letters and the number of "r3". */
static bool split_name(struct word_name *w)
{
	char *end;
	size_t n = strspn(w->text, "abcdefghijklmnopqrstuvwxyz");
	unsigned long v = strtoul(w->text + n, &end, 10);

	if (!n || n >= sizeof w->file || !isdigit((unsigned char)w->text[n]) || *end || v > 0xffff)
		return false;
	memcpy(w->file, w->text, n);
	w->file[n] = '\0';
	w->reg = (unsigned)v;
	return true;
}

static bool word_exists(const struct isa_ops *isa, struct word_name *w)
{
	return isa->reg.peek ? isa->reg.peek(NULL, w->text, 0, NULL) : split_name(w);
}

static bool word_in_lane(const struct isa_ops *isa, struct warp *w, const struct word_name *name, unsigned lane,
			 uint32_t *value)
{
	const uint32_t *at;

	if (isa->reg.peek)
		return isa->reg.peek(w, name->text, lane, value);
	at = isa->reg.word(w, name->file, name->reg, lane);
	if (at)
		*value = *at;
	return at;
}

/* The length of a range at the start of a text, "s[4:5]"; 0: no range. */
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

/* "v0.xy" is v0.x and v0.y, "s[4:5]" is s4 and s5; any other name is a single word. */
static bool words_of(const struct isa_ops *isa, const char *name, struct register_words *to)
{
	const char *dot = strchr(name, '.');
	unsigned first = 0, last = 0;
	bool range = strchr(name, '[') && register_range(isa, name) == strlen(name);

	to->n = 1;
	if (range && range_of(name, &first, &last))
		to->n = last >= first && last - first < PARTS ? last - first + 1 : 0;
	else if (dot && dot[1 + strspn(dot + 1, "xyzw")] == '\0')
		to->n = (unsigned)strlen(dot + 1);
	if (to->n > PARTS || strlen(name) >= REGISTER_NAME || (!range && strchr(name, '[')))
		to->n = 0;
	for (unsigned i = 0; i < to->n; i++) {
		char *text = to->part[i].text;
		if (range)
			snprintf(text, REGISTER_NAME, "%.*s%u", (int)strcspn(name, "["), name, first + i);
		else if (to->n > 1)
			snprintf(text, REGISTER_NAME, "%.*s%c", (int)(dot - name) + 1, name, dot[1 + i]);
		else
			memcpy(text, name, strlen(name) + 1);
		if (!word_exists(isa, &to->part[i]))
			to->n = 0;
	}
	return to->n;
}

bool register_exists(const struct isa_ops *isa, const char *name)
{
	struct register_words words;

	return words_of(isa, name + (*name == '$'), &words);
}

/* ---- values ---- */

struct warp *launch_warp(const struct wb_launch *l, uint32_t block, uint32_t warp)
{
	for (unsigned i = 0; l->machine.mp && i < l->plan.nmps; i++)
		for (unsigned k = 0; k < l->machine.mp[i].nresident; k++) {
			struct resident *r = &l->machine.mp[i].resident[k];
			if (r->block.nwarps && r->block.index == block && warp < r->block.nwarps && !r->moved_out)
				return &r->block.warp[warp];
		}
	return NULL;
}

static enum isa_scope scope_of(const struct isa_ops *isa, const struct warp *w, const struct register_words *words)
{
	return isa->reg.scope ? isa->reg.scope(w, words->part[0].text) : SCOPE_LANES;
}

static bool in_lane(const struct isa_ops *isa, struct warp *w, const struct register_words *words, unsigned lane,
		    uint64_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < words->n; i++) {
		uint32_t word;
		if (!word_in_lane(isa, w, &words->part[i], lane, &word))
			return false;
		*value |= (uint64_t)word << PART_BITS * i;
	}
	return words->n;
}

/* The value of a register that a warp has once. */
static bool of_warp(const struct isa_ops *isa, struct warp *w, const struct register_words *words, uint64_t *value)
{
	enum isa_scope scope = scope_of(isa, w, words);
	uint64_t bit;

	if (scope == SCOPE_LANES || !in_lane(isa, w, words, 0, value))
		return false;
	for (unsigned lane = 1; scope == SCOPE_MASK && lane < isa->lanes; lane++) {
		in_lane(isa, w, words, lane, &bit);
		*value |= bit << lane;
	}
	return true;
}

bool register_in_lane(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, unsigned lane,
		      uint64_t *value)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct warp *w = launch_warp(l, block, warp);
	struct register_words words;

	return w && lane < isa->lanes && words_of(isa, name + (*name == '$'), &words) &&
	       in_lane(isa, w, &words, lane, value);
}

bool register_of_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, uint64_t *value)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct warp *w = launch_warp(l, block, warp);
	struct register_words words;

	return w && words_of(isa, name + (*name == '$'), &words) && of_warp(isa, w, &words, value);
}

static bool read_register(const struct isa_ops *isa, struct warp *w, const struct register_words *words,
			  struct wb_register *out)
{
	*out = (struct wb_register){ .scope = (enum wb_scope)scope_of(isa, w, words) };
	for (unsigned lane = 0; lane < isa->lanes; lane++)
		if (!in_lane(isa, w, words, lane, &out->value[lane]))
			return false;
	out->bits = out->scope == WB_SCOPE_MASK ? isa->lanes : PART_BITS * words->n;
	of_warp(isa, w, words, &out->one);
	return true;
}

/* Read a register of at most `parts` words. */
static enum wb_status read_parts(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name,
				 unsigned parts, struct wb_register *out, struct wb_diag *wd)
{
	const struct isa_ops *isa = l->plan.code.target.isa;
	struct warp *w = launch_warp(l, block, warp);
	struct register_words words;
	struct diag d = { 0 };

	if (w && words_of(isa, name + (*name == '$'), &words) && words.n <= parts && read_register(isa, w, &words, out))
		return WB_OK;
	if (w)
		diag_set(&d, DIAG_USAGE, "found \"%s\", expected a register of machine %s that the warp has", name,
			 isa->name);
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
