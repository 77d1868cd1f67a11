/* The compilation as a column of passes, and the surroundings of a kernel's code: places of parameters and variables,
 * sizes, constants. */
#include "core/compile/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/base/symbol.h"
#include "core/base/text.h"
#include "core/compile/emit.h"
#include "core/compile/lex.h"
#include "core/compile/lower.h"

enum {
	VERSION_KNOWN = 90,              /* of PTX, 9.0: every word is compiled or refused by name (grammar.def) */
	CONST_BYTES_MAX = 65536,
	LOCAL_BYTES_MAX = 65536,
	STACK_BYTES = 4096,              /* of functions that call themselves, and of alloca */
	REGS_DEFAULT = 124,
	REGS_LEAST = 8,
	BLOCKS_MAX = 1 << 17,
	THINGS_MAX = 1 << 24,
	CODE_LINES_MAX = 1 << 21         /* instructions of 8 bytes in the 16 MB of a kernel */
};

/* The first row with a capability is its chip. Limits as in sched/chip.def (chips_have_their_limits). */
#define TESLA_LIMITS 256, 16384, 512
static const struct compile_chip compile_chips[] = {
	{ "g80", TESLA_LIMITS }, { "g84", TESLA_LIMITS }, { "mcp77", TESLA_LIMITS }, { "gt215", TESLA_LIMITS },
	{ "g200", TESLA_LIMITS }, { "v100", 4096, 49152, 1024 },
};

bool compile_is_ptx(const void *bytes, size_t size)
{
	const char *p = bytes, *end = p + size;

	while (p < end) { /* blanks and comments, then .version */
		if (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
			p++;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
			p = memchr(p, '\n', (size_t)(end - p));
			if (!p)
				return false;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			p = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
			if (!p)
				return false;
			p += 2;
		} else {
			break;
		}
	}
	return end - p > 9 && !memcmp(p, ".version", 8) && (p[8] == ' ' || p[8] == '\t');
}

/* ---- variables ---- */

/* What is too large for a kernel of the chip, as "parameters take", and the way out. */
static _Noreturn void does_not_fit(struct ptx_module *m, int line, const char *what, uint64_t bytes, uint32_t fit,
				   const char *way_out)
{
	ptx_fail(m, line, 1, "%s %llu bytes; %u fit: %s", what, (unsigned long long)bytes, fit, way_out);
}

/* Parameters or variables in s[]: a chip may take as many bytes as the kernel wants. */
static _Noreturn void chip_too_small(struct ir *f, int line, const char *what, uint32_t params, uint32_t shared,
				     const char *way_out)
{
	const struct compile_chip *own = f->target.chip;
	uint32_t bytes = params ? params : shared, fit = params ? own->param_bytes : own->shared_bytes;
	char text[32];

	for (size_t i = 0; i < sizeof compile_chips / sizeof *compile_chips; i++) {
		const struct compile_chip *c = &compile_chips[i];
		if (params > c->param_bytes || shared > c->shared_bytes)
			continue;
		snprintf(text, sizeof text, "--chip %s takes %u", c->name, params ? c->param_bytes : c->shared_bytes);
		way_out = text;
		break;
	}
	does_not_fit(f->m, line, what, bytes, fit, way_out);
}

static uint32_t aligned(uint32_t n, uint32_t to) { return (n + to - 1) & -to; }

static void mark_operand(struct ptx_operand *o, struct ptx_func **work, size_t *n, unsigned depth, bool *reserves)
{
	if (o->kind == OPERAND_VAR)
		o->var->used = true;
	*reserves |= o->kind == OPERAND_SPECIAL && o->special == SPECIAL_RESERVED;
	if (o->kind == OPERAND_FUNC && o->func->has_body && !o->func->marked) {
		o->func->marked = true;
		work[(*n)++] = o->func;
	}
	for (unsigned i = 0; depth && i < o->nitems; i++)
		mark_operand(&o->item[i], work, n, depth - 1, reserves);
}

/* A parameter of a function, whose address is taken, is in l[]; others are registers. */
static void place_in_memory(struct ptx_module *m, struct ptx_func *p, uint32_t *at)
{
	for (size_t i = 0; i < p->ninsns; i++) {
		const struct ptx_insn *n = &p->insns[i];
		for (unsigned k = 1; !strcmp(n->word[0], "mov") && k < n->noperands; k++)
			if (n->operand[k].kind == OPERAND_VAR && n->operand[k].var->space == SPACE_PARAM)
				n->operand[k].var->space = SPACE_LOCAL;
	}
	for (size_t i = 0; p->params && i < p->nparams; i++) {
		struct ptx_var *v = p->params[i];
		if (v->space != SPACE_LOCAL)
			continue;
		v->offset = aligned(*at, v->align > 4 ? v->align : 4);
		*at = v->offset + aligned(v->size, 4);
		if (v->size > 1u << 16 || *at > 1u << 16)
			does_not_fit(m, v->line, "parameters in local memory take", *at, 1u << 16,
				     "pass the address of a large one");
	}
}

/* What a launch sizes is bytes in C++, whatever the kernel has there: thrust keeps pairs of words behind one flag. An
 * array in .shared may be read in wider pieces than its elements, since a chip's first array begins at address 0. */
static uint32_t alignment(const struct ptx_var *v, uint32_t widest)
{
	enum { WIDEST = 16 };          /* bytes of an access */
	bool pieces = v->space == SPACE_SHARED && widest > 1 && v->size >= widest;
	uint32_t least = v->unsized ? WIDEST : pieces ? widest : 1;

	return v->align > least ? v->align : least;
}

/* widest: bytes of an access to any of the variables. */
static void place_variables(struct ptx_var *list, enum ptx_space space, uint32_t *at, bool external, uint32_t widest)
{
	for (struct ptx_var *v = list; v; v = v->next) {
		if (v->space != space || !v->used || v->unsized != external)
			continue;
		v->offset = aligned(*at, alignment(v, widest));
		if (v->size < (1u << 28) && v->offset < (1u << 28))
			*at = v->offset + v->size;
		else
			*at = 1u << 28;
	}
}

static void mark_taken(struct ptx_module *m, struct ptx_func **work, size_t *n)
{
	for (struct ptx_func *p = m->funcs; p; p = p->next)
		if (p->taken && p->has_body && !p->marked) {
			p->marked = true;
			work[(*n)++] = p;
		}
}

/* A barrier with a result (lower_memory.c: reduce_bar). */
static bool reduces(const struct ptx_insn *n)
{
	bool red = false;

	for (unsigned i = 1; i < n->nwords && !strncmp(n->word[0], "bar", 3); i++)
		red |= !strcmp(n->word[i], "red");
	return red;
}

/* No function is reached and no variable used yet. Returns the number of functions. */
static size_t forget_uses(struct ptx_module *m)
{
	size_t n = 0;

	for (struct ptx_func *p = m->funcs; p; p = p->next, n++) {
		p->marked = false;
		for (struct ptx_var *v = p->vars; v; v = v->next) {
			v->used = false;
			v->slot = 0;
		}
		for (size_t i = 0; !p->entry && i < p->nparams && p->params; i++)
			p->params[i]->slot = 0;
		for (size_t i = 0; !p->entry && i < p->nrets && p->rets; i++)
			p->rets[i]->slot = 0;
	}
	for (struct ptx_var *v = m->vars; v; v = v->next)
		v->used = v->space == SPACE_CONST || v->space == SPACE_GLOBAL;
	return n;
}

/* Bytes of an access to .shared, or by an address without a space; 0: no such access. */
static uint32_t width_of_access(const struct ptx_insn *n)
{
	static const char *const others[] = { "global", "local", "const", "param", "param::entry", "param::func" };
	uint32_t bytes = 0, count = 1;

	if (strcmp(n->word[0], "ld") && strcmp(n->word[0], "ldu") && strcmp(n->word[0], "st"))
		return 0;
	for (unsigned w = 1; w < n->nwords; w++) {
		enum ptx_type t = ptx_type_named(n->word[w], strlen(n->word[w]));
		bytes = t != PTX_NONE ? ptx_bytes(t) : bytes;
		count = !strcmp(n->word[w], "v2") ? 2 : !strcmp(n->word[w], "v4") ? 4 : count;
		for (size_t i = 0; i < sizeof others / sizeof *others; i++)
			if (!strcmp(n->word[w], others[i]))
				return 0;
	}
	return bytes * count;
}

static void note_needs(struct ptx_module *m, struct ir *f, const struct ptx_insn *n)
{
	uint32_t width = width_of_access(n);

	f->layout.widest = width > f->layout.widest ? width : f->layout.widest;
	f->layout.stacks |= !strcmp(n->word[0], "alloca") || !strncmp(n->word[0], "stack", 5);
	f->lowering.asks_spaces |= asks_space(m, n);
	f->layout.reduces |= reduces(n);
	f->layout.exchanges |= exchanges_words(f, n);
}

/* Functions that the entry reaches, and what their instructions need. Returns their number. */
static size_t reach(struct ptx_module *m, struct ir *f, struct ptx_func **work, bool *reserves)
{
	size_t n = 0;

	f->func->marked = true;
	work[n++] = f->func;
	for (size_t done = 0; done < n; done++) {
		struct ptx_func *p = work[done];
		f->layout.stacks |= p->recursive;
		for (size_t i = 0; i < p->ninsns; i++) {
			note_needs(m, f, &p->insns[i]);
			if (ptx_calls_any(&p->insns[i]))
				mark_taken(m, work, &n);
			for (unsigned k = 0; k < p->insns[i].noperands; k++)
				mark_operand(&p->insns[i].operand[k], work, &n, 4, reserves);
		}
	}
	return n;
}

/* Parameters of the kernel, the first in s[]. Returns the address behind. */
static uint32_t place_params(struct ir *f)
{
	enum { MANY = 1 << 28 };
	uint32_t at = PARAM_BASE;

	for (size_t i = 0; i < f->func->nparams; i++) {
		struct ptx_var *v = f->func->params[i];
		v->kernel_param = true;
		v->offset = aligned(at, v->align ? v->align : 1);
		at = v->offset + v->size < MANY ? v->offset + v->size : MANY;
	}
	f->layout.param_bytes = at - PARAM_BASE;
	return at;
}

/* Words of the compiler's own in s[]. Returns the address behind. */
static uint32_t place_own_words(struct ir *f, uint32_t at, bool reserves)
{
	uint32_t threads = f->func->most_threads ? f->func->most_threads : f->target.chip->threads;

	if (f->layout.reduces) {
		f->layout.reduction = aligned(at, 4);
		at = f->layout.reduction + 4;
	}
	if (reserves) {
		f->layout.reserved = aligned(at, 16);
		at = f->layout.reserved + RESERVED_BYTES;
	}
	if (f->layout.exchanges) {
		f->layout.exchange = aligned(at, 4);
		at = f->layout.exchange + 4 * aligned(threads, 32);
	}
	return at;
}

/* Variables in s[] of the module and of n functions; those without a size last, all at one address. */
static void place_shared(struct ptx_module *m, struct ir *f, struct ptx_func **work, size_t n, uint32_t at)
{
	for (unsigned external = 0; external < 2; external++) {
		uint32_t end = at;
		place_variables(m->vars, SPACE_SHARED, external ? &end : &at, external, f->layout.widest);
		for (size_t i = 0; i < n; i++)
			place_variables(work[i]->vars, SPACE_SHARED, external ? &end : &at, external,
					f->layout.widest);
		at = external ? (at < end ? end : at) : at;
	}
	f->layout.shared_bytes = at;
}

static void place_local(struct ptx_module *m, struct ir *f, struct ptx_func **work, size_t n)
{
	uint32_t local = 0;

	place_variables(m->vars, SPACE_LOCAL, &local, false, 1);
	for (size_t i = 0; i < n; i++) {
		if (!work[i]->entry)
			place_in_memory(m, work[i], &local);
		place_variables(work[i]->vars, SPACE_LOCAL, &local, false, 1);
	}
	f->layout.stack = f->local_bytes = aligned(local, 16);
	if (f->layout.stacks)
		f->local_bytes += STACK_BYTES;
}

/* Addresses of all variables of the entry and of the functions below the entry. */
static void layout(struct ptx_module *m, struct ir *f)
{
	size_t all = forget_uses(m);
	struct ptx_func **work = ptx_new(m, (all + 1) * sizeof *work);
	bool reserves = false;
	size_t n = reach(m, f, work, &reserves);
	uint32_t at = place_own_words(f, place_params(f), reserves);

	place_shared(m, f, work, n, at);
	place_local(m, f, work, n);
}

/* Variables of the whole program, declared by the file and by functions. */
static struct ptx_var **static_variables(struct ptx_module *m, enum ptx_space space, size_t *n)
{
	struct ptx_var **list = NULL;

	*n = 0;
	for (struct ptx_var *v = m->vars; v; v = v->next)
		if (v->space == space)
			*(struct ptx_var **)ptx_push(m, &list, n, sizeof v) = v;
	for (struct ptx_func *p = m->funcs; p; p = p->next)
		for (struct ptx_var *v = p->vars; v; v = v->next)
			if (v->space == space)
				*(struct ptx_var **)ptx_push(m, &list, n, sizeof v) = v;
	return list;
}

static void place_globals(struct ptx_module *m, struct compile_result *out)
{
	size_t n, ntextures;
	struct ptx_var **textures = static_variables(m, SPACE_TEX, &ntextures);
	struct ptx_var **list = static_variables(m, SPACE_GLOBAL, &n);
	struct compile_global *globals = ptx_new(m, (n + ntextures + HANDLE_VARIABLES + 1) * sizeof *globals);
	uint64_t all = 0;

	for (size_t i = 0; i < n; i++) {
		all += list[i]->size;
		if (all > GLOBAL_BYTES_MAX)
			does_not_fit(m, list[i]->line, "variables in .global take", all, GLOBAL_BYTES_MAX,
				     "a buffer, whose address is a parameter, has any size");
		list[i]->offset = (uint32_t)(4 * i);
		globals[i] = (struct compile_global){ list[i]->name, list[i]->size, list[i]->bytes };
	}
	for (size_t i = 0; i < ntextures; i++) { /* a variable is a handle, which the host writes */
		textures[i]->offset = (uint32_t)i;
		textures[i]->handle = (uint32_t)(4 * (n + i));
		globals[n + i] = (struct compile_global){ textures[i]->name, HANDLE_BYTES, NULL };
	}
	m->ntextures = ntextures;
	m->nglobals = (uint32_t)n;
	m->behind_globals = globals + n + ntextures;
	out->globals = globals;
	out->nglobals = n + ntextures;
}

/* The variables of loaded textures stand behind all others (place_globals has left the space). */
static void place_loaded_textures(struct ptx_module *m, struct compile_result *out)
{
	static const char *const names[HANDLE_VARIABLES] = {
#define NAME(n) HANDLE_VARIABLE #n
		NAME(0), NAME(1), NAME(2), NAME(3), NAME(4), NAME(5), NAME(6), NAME(7), NAME(8), NAME(9), NAME(10),
		NAME(11), NAME(12), NAME(13), NAME(14)
#undef NAME
	};

	for (size_t i = 0; m->loads_textures && i < HANDLE_VARIABLES; i++)
		m->behind_globals[i] = (struct compile_global){ names[i], HANDLE_BYTES, NULL };
	out->nglobals += m->loads_textures ? HANDLE_VARIABLES : 0;
}

static uint32_t place_constants(struct ptx_module *m, struct compile_result *out)
{
	uint32_t at = 0;
	size_t n;
	struct ptx_var **list = static_variables(m, SPACE_CONST, &n);
	struct compile_constant *constants = ptx_new(m, (n + 1) * sizeof *constants);

	for (size_t k = 0; k < n; k++) {
		struct ptx_var *v = list[k];
		v->offset = aligned(at, v->align ? v->align : 1);
		at = v->offset + v->size;
		if (v->size > CONST_BYTES_MAX || at > CONST_BYTES_MAX)
			does_not_fit(m, v->line, "constants take", at, CONST_BYTES_MAX,
				     "in .global, instead of .const, a variable has any size");
		constants[k] = (struct compile_constant){ v->name, v->offset, v->size, v->bytes };
	}
	out->constants = constants;
	out->nconstants = n;
	return at;
}

/* The address of a variable as an initial value: known here, or, of a .global variable, to the loader. */
static void initial_address(struct ptx_module *m, struct compile_result *out, struct ptx_var *v,
			    const struct ptx_fixup *x)
{
	struct compile_address *list = (struct compile_address *)(uintptr_t)out->addresses;
	uint32_t bytes = x->bytes;
	uint64_t word = (x->generic ? window_of(x->var->space) : 0) + x->var->offset + x->addend;

	if (x->var->space == SPACE_CONST) {
		memcpy(v->bytes + x->offset, &word, bytes);
	} else if (x->var->space == SPACE_GLOBAL && bytes >= 4) {
		bool global = v->space == SPACE_GLOBAL;
		struct compile_address *a = ptx_push(m, &list, &out->naddresses, sizeof *a);
		*a = (struct compile_address){ global, global ? v->offset / 4 : 0, (global ? 0 : v->offset) + x->offset,
					       x->var->offset / 4, x->addend, bytes };
		out->addresses = list;
	} else {
		ptx_fail(m, v->line, 1, "`%.60s` has the address of `%.60s`; expected a variable in .const, or a word "
			 "for the address of one in .global", v->name, x->var->name);
	}
}

static void initial_addresses(struct ptx_module *m, struct compile_result *out, enum ptx_space space)
{
	size_t n;
	struct ptx_var **list = static_variables(m, space, &n);

	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < list[k]->nfixups; i++)
			initial_address(m, out, list[k], &list[k]->fixups[i]);
}

/* ---- kernels ---- */

/* Contents of c[], in pieces of 64 bytes, the last up to the next word. */
static void put_words(struct emitter *e, struct asm_kernel *k, unsigned bank, const uint8_t *bytes, uint32_t size)
{
	enum { PIECE = 64 };

	for (uint32_t i = 0; i < size; i += PIECE) {
		uint32_t n = size - i < PIECE ? size - i : PIECE;
		uint8_t *copy = ptx_new(e->m, PIECE);
		struct asm_const *c = ptx_push(e->m, &k->consts, &k->nconsts, sizeof *c);
		memcpy(copy, bytes + i, n);
		*c = (struct asm_const){ bank, i, aligned(n, 4), copy };
	}
}

static void put_constants(struct ptx_module *m, struct emitter *e, struct asm_kernel *k, uint32_t bytes)
{
	uint8_t *image = ptx_new(m, bytes + 4);

	size_t n;
	struct ptx_var **list = static_variables(m, SPACE_CONST, &n);
	for (size_t i = 0; i < n; i++)
		if (list[i]->bytes)
			memcpy(image + list[i]->offset, list[i]->bytes, list[i]->size);
	put_words(e, k, 0, image, bytes);
}

/* A parameter that is no number, or not at the next place for one, has no type. */
static void put_params(struct emitter *e, struct asm_kernel *k, const struct ptx_func *entry)
{
	static const char *const names[PTX_TYPES] = { [PTX_B8] = "b8", "b16", "b32", "b64", "u8",  "u16",
						      "u32",           "u64", "s8",  "s16", "s32", "s64",
						      "b16",           "b16", "f32", "f64", "b32" };
	uint32_t end = PARAM_BASE;

	for (size_t i = 0; i < entry->nparams; i++) {
		const struct ptx_var *v = entry->params[i];
		uint32_t element = ptx_bytes(v->type);
		bool plain = v->size == element && v->offset == aligned(end, element);
		struct asm_param *p = ptx_push(e->m, &k->params, &k->nparams, sizeof *p);
		*p = (struct asm_param){ plain ? names[v->type] : "", v->name, v->offset - PARAM_BASE, v->size };
		end = v->offset + v->size;
		k->param_bytes = end - PARAM_BASE > k->param_bytes ? end - PARAM_BASE : k->param_bytes;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct isa_label *)a)->name, ((const struct isa_label *)b)->name);
}

/* Words, labels and lines of the items. An instruction without a word is a fault of the compiler. */
static void put_code(struct emitter *e, struct asm_kernel *k)
{
	static const char *const faults[] = {
		[ISA_NO_WORD] = "no word of the machine is this instruction",
		[ISA_MISPLACED] = "an instruction has no place",
		[ISA_TOO_LONG] = "the kernel is longer than any address reaches",
	};
	unsigned regs = 0;
	uint32_t end;
	enum isa_placing placing = isa_place(&e->target, e->items, e->nitems, &end);

	if (placing != ISA_PLACED)
		ptx_fault(e->m, (int)e->lines[e->first_line + end].ptx_line, "%s", faults[placing]);
	uint8_t *code = ptx_new(e->m, end + 1);
	isa_put_words(e->items, e->nitems, code);
	k->code = code;
	k->code_bytes = end;
	k->lines = ptx_new(e->m, (e->nitems + 1) * sizeof *k->lines);
	k->nlines = e->nitems;
	for (size_t i = 0; i < e->nitems; i++) {
		k->lines[i] = (struct asm_line){ e->items[i].in.pc, (uint32_t)(e->first_line + i) + 1 };
		regs = e->items[i].code.registers > regs ? e->items[i].code.registers : regs;
	}
	k->regs = k->regs ? k->regs : regs;
	for (size_t i = 0; i < e->nlabels; i++)
		e->labels[i].pc = e->labels[i].pc < e->nitems ? e->items[e->labels[i].pc].in.pc : end;
	if (e->nlabels)
		qsort(e->labels, e->nlabels, sizeof *e->labels, by_name);
	k->labels = e->labels;
	k->nlabels = e->nlabels;
}

/* Parameters that a file declares as pointers to shared memory. */
static void put_shared_pointers(struct ptx_module *m, struct compile_result *out, const struct ptx_func *entry)
{
	struct compile_pointer *list = (struct compile_pointer *)(uintptr_t)out->pointers;

	for (size_t i = 0; i < entry->nparams; i++)
		if (entry->params[i]->to_shared) {
			struct compile_pointer *p = ptx_push(m, &list, &out->npointers, sizeof *p);
			*p = (struct compile_pointer){ entry->name, entry->params[i]->name };
		}
	out->pointers = list;
}

/* The chip has bytes for the parameters and for s[]. Lowering comes before: an instruction that no chip has is told
 * first, as no other chip helps. */
static void check_sizes(struct ir *f)
{
	const struct ptx_func *k = f->func;

	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i]->offset + k->params[i]->size - PARAM_BASE > f->target.chip->param_bytes)
			chip_too_small(f, k->params[i]->line, "parameters take", f->layout.param_bytes, 0,
				       "a buffer, whose address is a parameter, holds the others");
	if (f->layout.shared_bytes > f->target.chip->shared_bytes)
		chip_too_small(f, k->line, "shared memory takes", 0, f->layout.shared_bytes,
			       "smaller variables in .shared, or a buffer in .global, a part for each block");
}

/* The passes, in their order. */
static void passes(struct ir *f)
{
	lower(f);
	check_sizes(f);
	if (f->nblocks > BLOCKS_MAX)
		ptx_fail(f->m, f->func->line, 1, "%.60s has %zu blocks, and %d is the most that this compiler takes: "
			 "fewer unrolled loops or calls", f->func->name, f->nblocks, BLOCKS_MAX);
	simplify(f);
	number_textures(f);
	thread_branches(f);
	size_t effects = graph_effects(f);
	predicate(f);
	structure(f);
	if (graph_effects(f) != effects)
		ptx_fault(f->m, f->func->line, "%.60s: of %zu stores, barriers and the like %zu are left",
			  f->func->name, effects, graph_effects(f));
	legalize(f);
	allocate(f);
}

/* Spaces of addresses, if some statement of the entry asks: a lowering for the purpose finds the spaces. */
static const uint8_t *spaces_of(struct ir *f)
{
	struct ir look = *f;

	look.lowering.marks_spaces = true;
	if (!f->lowering.asks_spaces)
		return NULL;
	lower(&look);
	const uint8_t *spaces = find_spaces(&look);
	layout(f->m, f);
	return spaces;
}

/* Registers that the kernel reads and nothing writes: a mistake, or a statement that is missing. */
static void warn_of_unwritten(struct ptx_module *m)
{
	for (struct ptx_func *p = m->funcs; p; p = p->next)
		for (struct ptx_reg *r = p->marked ? p->regs : NULL; r; r = r->next) {
			if (!r->reader || r->written)
				continue;
			char name[64];
			text_clean(r->name, strlen(r->name), "", name, sizeof name);
			ptx_warn(m, r->reader->line, r->reader->column, "`%s` is read, and no instruction writes it",
				 name);
			r->written = true; /* said once */
		}
}

static void put_textures(const struct ir *f)
{
	struct ptx_module *m = f->m;
	const struct compile_texture *t = f->lowering.textures;

	for (size_t i = 0; i < f->lowering.ntextures; i++)
		*(struct compile_texture *)ptx_push(m, &m->handles, &m->nhandles, sizeof *t) = t[i];
}

/* The kernel's sizes, parameters and constants, and its instructions. */
static void emit_kernel(struct ir *f, struct emitter *e, struct asm_kernel *k, uint32_t const_bytes)
{
	struct ptx_func *entry = f->func;
	uint32_t local = f->local_bytes + f->spills.bytes;

	if (local > LOCAL_BYTES_MAX)
		does_not_fit(f->m, entry->line, "local memory of a thread takes", local, LOCAL_BYTES_MAX,
			     "smaller variables in .local, or a buffer in .global, a part for each thread");
	*k = (struct asm_kernel){ .name = entry->name, .regs = f->regs, .smem = f->layout.shared_bytes, .lmem = local };
	if (entry->block[0])
		memcpy(k->block, entry->block, sizeof k->block);
	put_params(e, k, entry);
	put_constants(f->m, e, k, const_bytes);
	emit(f, e);
	if (e->nitems > CODE_LINES_MAX)
		ptx_fail(f->m, entry->line, 1, "%.60s has %zu lines of native code; %d fit: fewer unrolled loops or "
			 "calls, each of which has a copy of its function", entry->name, e->nitems, CODE_LINES_MAX);
}

/* Forget the instructions of an attempt, but keep their memory. */
static void emit_again(struct emitter *e, const struct emitter *start)
{
	struct isa_item *items = e->items;
	size_t space = e->item_space;

	*e = *start;
	e->items = items;
	e->item_space = space;
	e->nitems = e->nlabels = e->nconstants = 0;
	e->labels = NULL;
	e->too_many = false;
	e->first_line = e->nlines;
}

/* False: the kernel does not fit the number of registers, and nothing of its code is of use. */
static bool kernel_fits(struct ptx_module *m, struct emitter *e, struct ptx_func *entry,
			const struct compile_options *o, uint32_t const_bytes, unsigned regs)
{
	struct emitter start = *e;
	struct asm_kernel k;

	for (unsigned attempt = 0; attempt < 2; attempt++) {
		struct ir f = {
			.m = m, .func = entry, .c1.few = attempt > 0,
			.target = { .chip = e->chip, .sm = e->sm, .lanes = native_lanes(&e->target),
				    .gathers = native_gathers(&e->target), .fma_mad = o->fma_mad, .max_regs = regs },
		};
		layout(m, &f);
		f.lowering.spaces = spaces_of(&f);
		passes(&f);
		if (f.unfit)
			return false;
		emit_again(e, &start);
		emit_kernel(&f, e, &k, const_bytes);
		if (!e->too_many) {
			put_textures(&f);
			break;
		}
	}
	uint8_t words[4 * C1_WORDS];
	memcpy(words, e->constant, sizeof words);
	put_words(e, &k, 1, words, 4 * e->nconstants);
	put_code(e, &k);
	*(struct asm_kernel *)ptx_push(m, &e->kernels, &e->nkernels, sizeof k) = k;
	e->kernel++;
	return true;
}

static void kernel(struct ptx_module *m, struct emitter *e, struct ptx_func *entry, const struct compile_options *o,
		   uint32_t const_bytes)
{
	unsigned asked = o->max_regs ? o->max_regs : entry->max_regs ? entry->max_regs : REGS_DEFAULT;
	unsigned regs = asked < REGS_LEAST ? REGS_LEAST : asked > REGS_DEFAULT ? REGS_DEFAULT : asked, least = regs;

	m->entry = entry;
	while (!kernel_fits(m, e, entry, o, const_bytes, least))
		if (++least > REGS_DEFAULT)
			ptx_fail(m, entry->line, 1, "%.60s does not fit %u registers, nor any number up to %d: a part "
				 "of its work may go to a second kernel", entry->name, regs, REGS_DEFAULT);
	if (least > regs)
		ptx_fail(m, entry->line, 1, "%.60s does not fit %u registers: %u is the least number that fits",
			 entry->name, regs, least);
	warn_of_unwritten(m);
}

/* By name, or by capability as "sm_13". NULL: no such chip. */
static const struct compile_chip *chip_of(const char *name)
{
	for (size_t i = 0; i < sizeof compile_chips / sizeof *compile_chips; i++) {
		char alias[16];
		struct isa_target t = native_target(compile_chips[i].name);
		snprintf(alias, sizeof alias, "sm_%u", native_capability(&t));
		if (!strcmp(name, compile_chips[i].name) || !strcmp(name, alias))
			return &compile_chips[i];
	}
	return NULL;
}

/* Each entry looks at all functions and variables, and has a copy of the constants. */
static void bound_entries(struct ptx_module *m, const struct compile_options *o, uint32_t const_bytes)
{
	uint64_t entries = 0, things = const_bytes / 4;

	for (const struct ptx_func *p = m->funcs; p; p = p->next) {
		entries += p->entry && p->has_body && (!o->kernel || symbol_is(p->name, o->kernel));
		things++;
		for (const struct ptx_var *v = p->vars; v; v = v->next)
			things++;
	}
	for (const struct ptx_var *v = m->vars; v; v = v->next)
		things++;
	if (entries * things > THINGS_MAX)
		ptx_fail(m, 1, 1, "found %llu entries with %llu functions, variables and words of constants, more than "
			 "this compiler takes at once: --kernel NAME chooses one", (unsigned long long)entries,
			 (unsigned long long)things);
}

/* No kernel is compiled: the names that there are. */
static void no_entry(struct ptx_module *m, const struct compile_options *o)
{
	char list[160] = "", name[64];
	size_t used = 0;

	if (!o->kernel)
		ptx_fail(m, 1, 1, "the file has no .entry");
	for (struct ptx_func *p = m->funcs; p && used + sizeof name + 8 < sizeof list; p = p->next) {
		if (!p->entry || !p->has_body)
			continue;
		text_clean(p->name, strlen(p->name), "", name, sizeof name);
		used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
	}
	ptx_fail(m, 1, 1, "the file has no .entry `%.60s`%s%s", o->kernel, *list ? "; it has " : "", list);
}

static void put_result(const struct ptx_module *m, const struct emitter *e, struct compile_result *out)
{
	out->kernels = e->kernels;
	out->nkernels = e->nkernels;
	out->lines = e->lines;
	out->nlines = e->nlines;
	out->files = m->files;
	out->nfiles = m->nfiles;
	out->warnings = m->warnings;
	out->nwarnings = m->nwarnings;
	out->textures = m->handles;
	out->ntextures = m->nhandles;
}

struct compilation {
	struct ptx_module *m;
	const char *text;
	size_t size;
	struct compile_result *out;
};

/* The caller's chip, else the text's, where the text is for one of the first three capabilities, else g200. */
static const struct compile_chip *chosen_chip(struct ptx_module *m)
{
	static const char *const targets[] = { "sm_10", "sm_11", "sm_12" };
	const char *asked = m->options->chip;
	const struct compile_chip *chip =
		chip_of(asked ? asked : m->target >= 10 && m->target <= 12 ? targets[m->target - 10] : "sm_13");

	if (!chip)
		ptx_fail_as(m, DIAG_USAGE, 0, 0, "chip \"%.40s\" does not run PTX; expected g80, g84, mcp77, gt215, "
			    "g200 or v100", asked);
	return chip;
}

static void compile(void *context)
{
	const struct compilation *c = context;
	struct ptx_module *m = c->m;
	const struct compile_options *o = m->options;
	struct compile_result *out = c->out;
	struct emitter e = { .m = m };
	bool any = false;

	ptx_parse(m, c->text, c->size);
	if (m->version > VERSION_KNOWN)
		ptx_warn(m, 1, 1, "PTX %u.%u is newer than %u.%u, the last that this compiler knows", m->version / 10,
			 m->version % 10, VERSION_KNOWN / 10, VERSION_KNOWN % 10);
	e.chip = chosen_chip(m);
	out->chip = e.chip->name;
	out->target = m->target;
	e.target = native_target(out->chip);
	e.sm = native_capability(&e.target);
	find_recursion(m);
	if (e.sm > 10)          /* a record's place is an atomic's result */
		print_functions(m, out);
	place_globals(m, out);
	uint32_t const_bytes = place_constants(m, out);
	initial_addresses(m, out, SPACE_GLOBAL);
	initial_addresses(m, out, SPACE_CONST);
	bound_entries(m, o, const_bytes);
	for (struct ptx_func *p = m->funcs; p; p = p->next) {
		if (!p->entry || !p->has_body || (o->kernel && !symbol_is(p->name, o->kernel)))
			continue;
		kernel(m, &e, p, o, const_bytes);
		put_shared_pointers(m, out, p);
		any = true;
	}
	if (!any)
		no_entry(m, o);
	place_loaded_textures(m, out);
	put_result(m, &e, out);
}

bool compile_ptx(const char *text, size_t size, const struct compile_options *o, struct compile_result *out,
		 struct diag *d)
{
	static const struct compile_options none;
	struct ptx_module *m;
	bool done;

	*out = (struct compile_result){ 0 };
	m = ARENA_NEW(&out->arena, struct ptx_module);
	if (!m)
		return diag_set(d, DIAG_ENV, "no memory to compile the program");
	m->arena = &out->arena;
	m->diag = d;
	m->options = o ? o : &none;
	done = ptx_run(m, compile, &(struct compilation){ m, text, size, out });
	ptx_forget(m);
	if (!done)
		compile_free(out);
	return done;
}

void compile_free(struct compile_result *r)
{
	arena_free(&r->arena);
	*r = (struct compile_result){ 0 };
}
