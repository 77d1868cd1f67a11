/* Vectors of one instruction each, `test op1 op2 inputs -> outputs flag`. Lines with the same words run together as
 * lanes of one block: the program is the words and an exit, the inputs are registers, flags or memory set before the
 * launch. */
#include "bench/laboratory/vectors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/session.h"

enum { MAX_IN = 4, MAX_OUT = 4, QUAD = 4, BLOCK = 512, SLOT = 8, BUFFER = 0x00100000 };

/* Where an input goes and an output comes from: register n (a pair holds 64 bits), a flag register, memory. */
enum place { AT_NOTHING, AT_REG, AT_PAIR, AT_FLAGS, AT_MEMORY, AT_MASK };
struct spot {
	enum place kind;
	unsigned reg;
};

/* A shape is known by the test's name, how many columns stand before and after the arrow, and the digits of the first
 * input. The result register differs for short and immediate words; a negative number of lanes does not exist. */
struct shape {
	const char *prefix; /* of the test's name; "" for any */
	unsigned in, out;   /* columns; the closing flag is not counted */
	unsigned digits;    /* of the first input; 0 for any */
	unsigned lanes;     /* of one vector */
	const char *chip;
	struct spot input[MAX_IN], output[MAX_OUT];
	unsigned narrow_result; /* register of the result of a short or immediate word */
};

static const struct shape shapes[] = {
	{"atom32_g84", 3, 2, 0, 1, "g84", {{AT_MEMORY, 4}, {AT_REG, 5}, {AT_REG, 6}}, {{AT_MEMORY, 4}, {AT_REG, 7}}, 7},
	{"atom32", 3, 2, 0, 1, "g200", {{AT_MEMORY, 4}, {AT_REG, 5}, {AT_REG, 6}}, {{AT_MEMORY, 4}, {AT_REG, 7}}, 7},
	{"atom64", 3, 2, 0, 1, "g200", {{AT_MEMORY, 8}, {AT_PAIR, 4}, {AT_PAIR, 6}}, {{AT_MEMORY, 8}, {AT_PAIR, 8}}, 8},
	{"fswz", 2, 2, 0, QUAD, "g200", {{AT_REG, 4}, {AT_REG, 6}}, {{AT_REG, 7}, {AT_FLAGS, 0}}, 7},
	{"",
	 3,
	 3,
	 16,
	 1,
	 "g200",
	 {{AT_PAIR, 4}, {AT_PAIR, 6}, {AT_PAIR, 8}},
	 {{AT_PAIR, 10}, {AT_MASK, 0}, {AT_FLAGS, 0}},
	 10},
	{"",
	 4,
	 3,
	 8,
	 1,
	 "g200",
	 {{AT_REG, 4}, {AT_REG, 5}, {AT_REG, 6}, {AT_FLAGS, 0}},
	 {{AT_REG, 7}, {AT_MASK, 0}, {AT_FLAGS, 0}},
	 6},
	{"", 1, 3, 8, 1, "g200", {{AT_REG, 4}}, {{AT_REG, 7}, {AT_MASK, 0}, {AT_FLAGS, 0}}, 6},
	{"", 1, 1, 8, 1, "g200", {{AT_REG, 1}}, {{AT_REG, 2}}, 2},
};

struct vector {
	const struct shape *shape;
	const char *test;
	uint32_t word[2];
	uint64_t in[MAX_IN][QUAD], out[MAX_OUT][QUAD];
	bool absent[MAX_OUT]; /* "-": nothing to compare */
	enum gate gate;
	unsigned long line;
};

/* ---- Reading ---- */

static const struct shape *shape_of(const char *test, unsigned in, unsigned out, size_t digits)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		const struct shape *s = &shapes[i];
		if (!strncmp(test, s->prefix, strlen(s->prefix)) && s->in == in && s->out == out &&
		    (!s->digits || s->digits == digits))
			return s;
	}
	return NULL;
}

/* "a" or "a,b,c,d" */
static bool read_lanes(const char *column, uint64_t *value, unsigned lanes)
{
	char *end;
	for (unsigned i = 0; i < lanes; i++, column = end + 1) {
		value[i] = strtoull(column, &end, 16);
		if (end == column || *end != (i + 1 < lanes ? ',' : '\0'))
			return false;
	}
	return true;
}

static bool read_columns(char **column, unsigned n, uint64_t (*value)[QUAD], bool *absent, unsigned lanes)
{
	for (unsigned i = 0; i < n; i++) {
		bool nothing = !strcmp(column[i], "-");
		if (absent)
			absent[i] = nothing;
		if (!nothing && !read_lanes(column[i], value[i], lanes))
			return false;
	}
	return true;
}

static bool read_vector(char *line, struct vector *v)
{
	enum { COLUMNS = 16 };
	char *column[COLUMNS], *rest = NULL;
	unsigned n = 0, arrow = 0;
	for (char *w = strtok_r(line, " \t\r", &rest); w; w = strtok_r(NULL, " \t\r", &rest)) {
		if (n == COLUMNS)
			return false;
		if (!strcmp(w, "->"))
			arrow = n;
		column[n++] = w;
	}
	if (arrow < 4 || n < arrow + 3)
		return false;
	v->test = column[0];
	v->shape = shape_of(v->test, arrow - 3, n - arrow - 2, strlen(column[3]));
	v->gate = strcmp(column[n - 1], "Q") ? GATED : DOUBTFUL;
	uint64_t words[2][QUAD];
	if (!v->shape || !read_columns(column + 1, 2, words, NULL, 1))
		return false;
	v->word[0] = (uint32_t)words[0][0];
	v->word[1] = (uint32_t)words[1][0];
	return read_columns(column + 3, v->shape->in, v->in, NULL, v->shape->lanes) &&
	       read_columns(column + arrow + 1, v->shape->out, v->out, v->absent, v->shape->lanes);
}

static enum wb_status read_file(struct tally *t, char *text, struct vector **all, size_t *n)
{
	size_t capacity = 0;
	unsigned long number = 0;
	*all = NULL;
	*n = 0;
	for (char *line = text, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		number++;
		line += strspn(line, " \t\r");
		if (!*line || *line == '#')
			continue;
		if (*n == capacity)
			*all = grow(*all, (capacity = 2 * capacity + 1024) * sizeof **all);
		struct vector *v = &(*all)[*n];
		memset(v, 0, sizeof *v);
		v->line = number;
		if (!read_vector(line, v))
			return complain(WB_INPUT,
					"%s:%lu: expected 'test op1 op2 inputs -> outputs flag' of a known shape",
					t->path, number);
		++*n;
	}
	return WB_OK;
}

static int by_words(const void *pa, const void *pb)
{
	const struct vector *a = pa, *b = pb;
	if (a->shape != b->shape)
		return a->shape < b->shape ? -1 : 1;
	for (int i = 0; i < 2; i++)
		if (a->word[i] != b->word[i])
			return a->word[i] < b->word[i] ? -1 : 1;
	return a->line < b->line ? -1 : 1;
}

/* ---- Running ---- */

/* One launch: vectors with the same words, each in its lanes of one block. */
struct batch {
	const struct vector *vector;
	size_t n;
	struct wb_program *program;
	struct wb_launch *launch;
	struct wb_diag diag;
};

static bool is_narrow(const struct vector *v)
{
	return !(v->word[0] & 1) || (v->word[1] & 3) == 3; /* a short or an immediate word (tesla-encoding 1) */
}

/* The flag register that a long word writes: bits 37:36. */
static unsigned flags_written(const struct vector *v)
{
	return v->word[1] >> 4 & 3;
}

static bool set_reg(struct batch *b, const char *file, unsigned reg, unsigned thread, uint32_t value)
{
	return wb_launch_set_reg(b->launch, 0, thread / 32, file, reg, thread % 32, value, &b->diag) == WB_OK;
}

static bool get_reg(struct batch *b, const char *file, unsigned reg, unsigned thread, uint64_t *value)
{
	uint32_t lane[WB_LANES];
	char name[16];
	snprintf(name, sizeof name, "%s%u", file, reg);
	if (wb_launch_read_register(b->launch, 0, thread / 32, name, lane, &b->diag) != WB_OK)
		return false;
	*value = lane[thread % 32];
	return true;
}

static bool put(struct batch *b, struct spot at, unsigned thread, uint64_t value)
{
	switch (at.kind) {
	case AT_REG: return set_reg(b, "r", at.reg, thread, (uint32_t)value);
	case AT_PAIR:
		return set_reg(b, "r", at.reg, thread, (uint32_t)value) &&
		       set_reg(b, "r", at.reg + 1, thread, value >> 32);
	case AT_FLAGS: return set_reg(b, "c", at.reg, thread, (uint32_t)value);
	case AT_MEMORY:
		return set_reg(b, "r", 0, thread, BUFFER + SLOT * thread) &&
		       wb_launch_write_arg(b->launch, 0, SLOT * thread, &value, at.reg, &b->diag) == WB_OK;
	default: return true;
	}
}

static bool get(struct batch *b, struct spot at, unsigned thread, uint64_t *value)
{
	uint64_t high = 0;
	*value = 0;
	switch (at.kind) {
	case AT_REG: return get_reg(b, "r", at.reg, thread, value);
	case AT_PAIR:
		if (!get_reg(b, "r", at.reg, thread, value) || !get_reg(b, "r", at.reg + 1, thread, &high))
			return false;
		*value |= high << 32;
		return true;
	case AT_FLAGS: return get_reg(b, "c", at.reg, thread, value);
	case AT_MEMORY: return wb_launch_read_arg(b->launch, 0, SLOT * thread, value, at.reg, &b->diag) == WB_OK;
	default: return true;
	}
}

static bool set_inputs(struct batch *b)
{
	const struct shape *s = b->vector->shape;
	for (size_t i = 0; i < b->n; i++)
		for (unsigned lane = 0; lane < s->lanes; lane++)
			for (unsigned k = 0; k < s->in; k++)
				if (!put(b, s->input[k], (unsigned)i * s->lanes + lane, b->vector[i].in[k][lane]))
					return false;
	return true;
}

static bool load(struct batch *b, struct wb_config *config)
{
	const struct vector *v = b->vector;
	const uint32_t words[4] = {v->word[0], v->word[1], 0xf0000001, 0xe0000781}; /* the last two: exit nop */
	char block[24];
	snprintf(block, sizeof block, "%zu", b->n * v->shape->lanes);
	return wb_config_set(config, "chip", v->shape->chip, &b->diag) == WB_OK &&
	       wb_config_set(config, "block", block, &b->diag) == WB_OK &&
	       wb_program_load(words, sizeof words, v->test, config, &b->program, &b->diag) == WB_OK &&
	       wb_launch_new(b->program, NULL, config, &b->launch, &b->diag) == WB_OK &&
	       (v->shape->input[0].kind != AT_MEMORY || wb_launch_arg(b->launch, "zero=4096", &b->diag) == WB_OK);
}

/* The output of one lane against what was expected; the mask of the line says which bits are defined. */
static bool same(struct batch *b, const struct vector *v, unsigned thread, unsigned lane, char *why, size_t size)
{
	uint64_t mask = ~0ull;
	for (unsigned k = 0; k < v->shape->out; k++)
		if (v->shape->output[k].kind == AT_MASK)
			mask = v->out[k][lane];
	for (unsigned k = 0; k < v->shape->out; k++) {
		struct spot at = v->shape->output[k];
		uint64_t found, wanted = v->out[k][lane];
		if (at.kind == AT_MASK || v->absent[k])
			continue;
		if (at.kind == AT_FLAGS)
			at.reg = flags_written(v);
		else if (at.kind == AT_REG && is_narrow(v))
			at.reg = v->shape->narrow_result;
		if (!get(b, at, thread, &found)) {
			snprintf(why, size, "%s", b->diag.text);
			return false;
		}
		uint64_t bits = at.kind == AT_FLAGS ? 0xf : mask;
		if ((found ^ wanted) & bits) {
			snprintf(why, size, "expected %s%0*" PRIx64 ", got %0*" PRIx64,
				 at.kind == AT_FLAGS ? "$c " : "", at.kind == AT_FLAGS ? 1 : 8, wanted & bits,
				 at.kind == AT_FLAGS ? 1 : 8, found & bits);
			return false;
		}
	}
	return true;
}

static void judge(struct tally *t, struct batch *b, bool ran)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct vector *v = &b->vector[i];
		char why[400];
		bool good = ran;
		snprintf(why, sizeof why, "%s", b->diag.text);
		for (unsigned lane = 0; lane < v->shape->lanes && good; lane++)
			good = same(b, v, (unsigned)i * v->shape->lanes + lane, lane, why, sizeof why);
		if (good)
			tally_pass(t, v->gate);
		else
			tally_mismatch(t, v->gate, v->line, "%s %08" PRIx32 " %08" PRIx32 ": %s", v->test, v->word[0],
				       v->word[1], why);
	}
}

static void run_batch(struct tally *t, struct batch *b, struct wb_config *config)
{
	bool ran = load(b, config) && set_inputs(b) && wb_launch_run(b->launch, &b->diag) == WB_OK;
	judge(t, b, ran);
	wb_launch_free(b->launch);
	wb_program_free(b->program);
}

static struct wb_config *words_config(const struct tally *t)
{
	static const char *const settings[][2] = {
		{"format", "raw"},
		{"timing", "off"},
		{"stats-level", "none"},
		{"regs", "16"},
	};
	struct wb_config *config = wb_config_copy(t->cli->config);
	struct wb_diag d;
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		wb_config_set(config, settings[i][0], settings[i][1], &d);
	return config;
}

static bool recognise(const char *text, size_t n)
{
	(void)n;
	while (*text == '#' || *text == '\n') {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	const char *arrow = strstr(text, " -> ");
	return arrow && arrow < text + strcspn(text, "\n");
}

static enum wb_status run(struct tally *t, char *text, size_t n)
{
	struct vector *all;
	size_t count;
	(void)n;
	enum wb_status status = read_file(t, text, &all, &count);
	struct wb_config *config = words_config(t);
	if (status == WB_OK && count)
		qsort(all, count, sizeof *all, by_words);
	for (size_t i = 0, end; i < count && status == WB_OK; i = end) {
		const struct vector *v = &all[i];
		for (end = i + 1; end < count && (end - i + 1) * v->shape->lanes <= BLOCK; end++)
			if (all[end].shape != v->shape || memcmp(all[end].word, v->word, sizeof v->word))
				break;
		struct batch b = {.vector = v, .n = end - i};
		run_batch(t, &b, config);
		vectors_progress(t, "lines", end, count);
	}
	wb_config_free(config);
	free(all);
	return status;
}

const struct vectors_format vectors_words = {"words", recognise, run};
