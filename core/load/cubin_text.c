/* Text cubins, as the first CUDA compilers wrote them for sm_10 to sm_13:
 *
 *   architecture {sm_10}  abiversion {0}  modname {cubin}
 *   consts { name segname segnum offset bytes [mem { words }] }   initial data of c[segnum]; no mem: zero
 *   reloc { name segname segnum offset bytes }   bytes of global memory; their address goes to c[segnum]
 *   sampler { … }
 *   code { name lmem smem reg bar bincode { words } [const { as consts }] }
 *
 * A block holds `key = value` lines and inner blocks; those that are not known are skipped, their braces checked.
 * Words are 32-bit numbers, 0x hex or decimal (a zero is written 0000000000). */
#include <string.h>

#include "core/base/text.h"
#include "core/load/loader.h"
#include "core/load/scan.h"

struct cubin {
	struct load *l;
	struct image *im;
	struct scan s;
	bool part;               /* something else may follow */
};

struct segment {
	const char *name;
	uint32_t bank, offset, bytes, words;
	const uint8_t *mem;      /* NULL: none given */
};

/* A `key = value` of a block. */
struct field {
	const char *key;
	size_t offset;           /* in the block's struct: */
	uint32_t max;            /* 0: a const char *; else the most of a uint32_t */
	bool needed;
};

struct block_kind {
	const char *what;
	const struct field *fields;
	unsigned nfields;
	/* Reads an inner block after the brace; the current token of *key is the block's name. */
	bool (*inner)(struct cubin *c, const struct scan *key, void *self);
};

static bool at_token(struct cubin *c, const char *what, const char *expected)
{
	return diag_text(c->l->diag, c->s.token_line, c->s.token_column, "%s: found `%.*s`; expected %s", what,
			 SCAN_TEXT(&c->s), expected);
}

static bool next(struct cubin *c, const char *what)
{
	if (scan_next(&c->s))
		return true;
	return diag_text(c->l->diag, c->s.token_line, c->s.token_column,
			 "the text ends inside `%s`; expected its closing }", what);
}

static bool expect(struct cubin *c, const char *what, const char *word)
{
	return next(c, what) && (scan_is(&c->s, word) || at_token(c, what, word));
}

static bool skip_block(struct cubin *c, const char *what)
{
	for (unsigned depth = 1; depth; ) {
		if (!next(c, what))
			return false;
		if (scan_is(&c->s, "{"))
			depth++;
		else if (scan_is(&c->s, "}"))
			depth--;
	}
	return true;
}

static bool words(struct cubin *c, const char *what, const uint8_t **bytes, uint32_t *count)
{
	struct { uint8_t byte[4]; } *array = NULL, *w;
	size_t n = 0;
	uint32_t word;
	while (next(c, what)) {
		if (scan_is(&c->s, "}")) {
			*bytes = n ? array[0].byte : (const uint8_t *)"";
			*count = (uint32_t)n;
			return true;
		}
		if (!scan_number(&c->s, &word))
			return at_token(c, what, "a 32-bit word or }");
		w = image_push(&c->im->arena, &array, &n);
		if (!w)
			return load_no_memory(c->l);
		for (int i = 0; i < 4; i++)
			w->byte[i] = (uint8_t)(word >> 8 * i);
	}
	return false;
}

static bool set_text(struct cubin *c, const struct field *f, char *self)
{
	if (c->s.length > LIMIT_NAME)
		return at_token(c, f->key, "a shorter name");
	char *text = arena_text(&c->im->arena, c->s.token, c->s.length);
	if (!text)
		return load_no_memory(c->l);
	*(const char **)(self + f->offset) = text;
	return true;
}

static bool set_number(struct cubin *c, const struct field *f, char *self)
{
	uint32_t *value = (uint32_t *)(self + f->offset);
	if (scan_number(&c->s, value) && *value <= f->max)
		return true;
	return diag_text(c->l->diag, c->s.token_line, c->s.token_column, "%s = %.*s; expected a number from 0 to %u",
			 f->key, SCAN_TEXT(&c->s), f->max);
}

static bool set_field(struct cubin *c, const struct block_kind *k, const struct scan *key, void *self, unsigned *seen)
{
	if (!next(c, k->what))
		return false;
	if (scan_is(&c->s, "{") || scan_is(&c->s, "}") || scan_is(&c->s, "="))
		return at_token(c, k->what, "a value after =");
	for (unsigned i = 0; i < k->nfields; i++) {
		const struct field *f = &k->fields[i];
		if (!scan_is(key, f->key))
			continue;
		if (*seen >> i & 1)
			return diag_text(c->l->diag, key->token_line, key->token_column, "%s: `%s` is given twice",
					 k->what, f->key);
		*seen |= 1u << i;
		return f->max ? set_number(c, f, self) : set_text(c, f, self);
	}
	return true;
}

static bool all_there(struct cubin *c, const struct block_kind *k, unsigned seen)
{
	for (unsigned i = 0; i < k->nfields; i++) {
		if (k->fields[i].needed && !(seen >> i & 1))
			return diag_text(c->l->diag, c->s.token_line, c->s.token_column, "%s ends without `%s`",
					 k->what, k->fields[i].key);
	}
	return true;
}

/* The rest of a block whose opening brace has been read. */
static bool parse_block(struct cubin *c, const struct block_kind *k, void *self)
{
	unsigned seen = 0;
	while (next(c, k->what)) {
		if (scan_is(&c->s, "}"))
			return all_there(c, k, seen);
		if (scan_is(&c->s, "{") || scan_is(&c->s, "="))
			return at_token(c, k->what, "a key or }");
		struct scan key = c->s;
		if (!next(c, k->what))
			return false;
		if (scan_is(&c->s, "{")) {
			if (!k->inner(c, &key, self))
				return false;
		} else if (!scan_is(&c->s, "=")) {
			return at_token(c, k->what, "= or {");
		} else if (!set_field(c, k, &key, self, &seen)) {
			return false;
		}
	}
	return false;
}

static bool segment_inner(struct cubin *c, const struct scan *key, void *self)
{
	struct segment *g = self;
	if (!scan_is(key, "mem"))
		return skip_block(c, "segment");
	return words(c, "mem", &g->mem, &g->words);
}

static const struct field segment_fields[] = {
	{ "name", offsetof(struct segment, name), 0, false },
	{ "segnum", offsetof(struct segment, bank), LIMIT_BANKS - 1, true },
	{ "offset", offsetof(struct segment, offset), LIMIT_BANK_BYTES, true },
	{ "bytes", offsetof(struct segment, bytes), LIMIT_GLOBAL_BYTES, true },
};
static const struct block_kind consts_kind = { "consts", segment_fields, 4, segment_inner };
static const struct block_kind const_kind = { "const", segment_fields, 4, segment_inner };
static const struct block_kind reloc_kind = { "reloc", segment_fields, 4, segment_inner };

/* Add a consts or const block to an array. */
static bool parse_consts(struct cubin *c, const struct block_kind *k, struct image_const **array, size_t *count)
{
	struct segment g = { .name = "" };
	if (!parse_block(c, k, &g))
		return false;
	if (g.bytes > LIMIT_BANK_BYTES - g.offset)
		return diag_text(c->l->diag, c->s.token_line, c->s.token_column,
				 "%s: %u bytes at offset %u; a bank has %d", k->what, g.bytes, g.offset,
				 LIMIT_BANK_BYTES);
	if (g.mem && g.words != (g.bytes + 3) / 4)
		return diag_text(c->l->diag, c->s.token_line, c->s.token_column,
				 "%s: %u words in mem; bytes = %u needs %u", k->what, g.words, g.bytes,
				 (g.bytes + 3) / 4);
	struct image_const *to = image_push(&c->im->arena, array, count);
	if (!to)
		return load_no_memory(c->l);
	*to = (struct image_const){
		.name = g.name, .bank = (uint8_t)g.bank, .offset = g.offset, .size = g.bytes, .bytes = g.mem
	};
	return true;
}

static bool parse_reloc(struct cubin *c)
{
	struct segment g = { .name = "" };
	struct image *im = c->im;
	if (!parse_block(c, &reloc_kind, &g))
		return false;
	if (g.offset > LIMIT_BANK_BYTES - 4)
		return diag_text(c->l->diag, c->s.token_line, c->s.token_column,
				 "reloc: an address at offset %u; a bank has %d bytes", g.offset, LIMIT_BANK_BYTES);
	struct image_global *to = image_push(&im->arena, &im->globals, &im->nglobals);
	struct image_reloc *r = image_push(&im->arena, &im->relocs, &im->nrelocs);
	if (!to || !r)
		return load_no_memory(c->l);
	*to = (struct image_global){ .name = g.name, .size = g.bytes };
	*r = (struct image_reloc){ .bank = (uint8_t)g.bank, .offset = g.offset, .global = (uint32_t)im->nglobals - 1 };
	return true;
}

static bool code_inner(struct cubin *c, const struct scan *key, void *self)
{
	struct image_kernel *k = self;
	uint32_t count;
	if (scan_is(key, "const"))
		return parse_consts(c, &const_kind, &k->consts, &k->nconsts);
	if (!scan_is(key, "bincode"))
		return skip_block(c, "code");
	if (k->code)
		return diag_text(c->l->diag, key->token_line, key->token_column, "code: `bincode` is given twice");
	if (!words(c, "bincode", &k->code, &count))
		return false;
	k->code_bytes = 4 * count;
	return true;
}

static const struct field code_fields[] = {
	{ "name", offsetof(struct image_kernel, name), 0, true },
	{ "lmem", offsetof(struct image_kernel, lmem), LIMIT_LMEM, false },
	{ "smem", offsetof(struct image_kernel, smem), LIMIT_SMEM, true },
	{ "reg", offsetof(struct image_kernel, regs), LIMIT_REGS, true },
	{ "bar", offsetof(struct image_kernel, barriers), LIMIT_BARRIERS, false },
};
static const struct block_kind code_kind = { "code", code_fields, 5, code_inner };

static bool parse_code(struct cubin *c)
{
	struct image *im = c->im;
	int line = c->s.token_line, column = c->s.token_column;
	struct image_kernel k = { 0 };
	if (!parse_block(c, &code_kind, &k))
		return false;
	if (!k.code_bytes)
		return diag_text(c->l->diag, line, column, "kernel `%.60s` has no bincode", k.name);
	for (size_t i = 0; i < im->nkernels; i++) {
		if (!strcmp(im->kernels[i].name, k.name))
			return diag_text(c->l->diag, line, column, "a second kernel `%.60s`", k.name);
	}
	if (im->nkernels == LIMIT_KERNELS)
		return diag_text(c->l->diag, line, column, "more than %d kernels", LIMIT_KERNELS);
	struct image_kernel *to = image_push(&im->arena, &im->kernels, &im->nkernels);
	if (!to)
		return load_no_memory(c->l);
	*to = k;
	return true;
}

static bool parse_architecture(struct cubin *c)
{
	if (!next(c, "architecture"))
		return false;
	for (unsigned sm = 10; load_target(sm) && !c->im->chip; sm++) {
		if (scan_is(&c->s, load_target(sm)))
			c->im->chip = load_target(sm);
	}
	if (!c->im->chip)
		return at_token(c, "architecture", "sm_10, sm_11, sm_12 or sm_13");
	return expect(c, "architecture", "}");
}

static bool top_block(struct cubin *c, const struct scan *key)
{
	if (scan_is(key, "architecture"))
		return parse_architecture(c);
	if (scan_is(key, "consts"))
		return parse_consts(c, &consts_kind, &c->im->consts, &c->im->nconsts);
	if (scan_is(key, "reloc"))
		return parse_reloc(c);
	if (scan_is(key, "code"))
		return parse_code(c);
	return skip_block(c, "block");
}

static bool parse(struct cubin *c, const char **stop)
{
	for (*stop = c->s.cursor; scan_next(&c->s); *stop = c->s.cursor) {
		struct scan key = c->s;
		bool again = c->im->chip && scan_is(&key, "architecture");
		if (c->part && again)
			break;
		if (again)
			return at_token(c, "cubin", "one architecture only");
		if (!scan_next(&c->s) || !scan_is(&c->s, "{")) {
			if (c->part && c->im->nkernels)
				break;
			return at_token(c, "cubin", "a block in { }");
		}
		if (!top_block(c, &key))
			return false;
	}
	if (!c->im->chip)
		return diag_text(c->l->diag, c->s.token_line, 0,
				 "no architecture block; expected architecture {sm_10} or later");
	if (!c->im->nkernels)
		return diag_text(c->l->diag, c->s.token_line, 0,
				 "the text ends without a kernel; expected a code block");
	return true;
}

bool cubin_text_part(struct load *l, size_t *used)
{
	struct cubin c = { .l = l, .im = l->image, .part = true };
	const char *stop;
	scan_start(&c.s, l->bytes, l->size);
	bool ok = parse(&c, &stop);
	*used = (size_t)((ok ? stop : c.s.cursor) - (const char *)l->bytes);
	return ok;
}

bool cubin_text_load(struct load *l)
{
	struct cubin c = { .l = l, .im = l->image };
	const char *stop;
	scan_start(&c.s, l->bytes, l->size);
	return parse(&c, &stop);
}

bool cubin_text_matches(const uint8_t *bytes, size_t size)
{
	struct scan s;
	scan_start(&s, bytes, size);
	return scan_next(&s) && scan_is(&s, "architecture") && scan_next(&s) && scan_is(&s, "{");
}
