/* PTX instructions to operations: words understood, the graph of blocks, calls (inlined) and guards. The meanings of
 * instructions are rows of lower_int.c, lower_float.c, lower_memory.c, lower_texture.c, lower_surface.c,
 * lower_warp.c and lower_video.c; operands.c reads and writes registers. */
#include "core/compile/lower.h"

#include <string.h>

#include "core/base/text.h"

enum { OPS_MAX = 8 * COMPILE_INSNS_MAX };

/* ---- words ---- */

/* A type, of pairs as well. */
static bool understand_type(struct words *w, const char *word)
{
	static const struct { const char *word; enum ptx_type t; } pairs[] = {
		{ "f16x2", PTX_F16 }, { "bf16x2", PTX_BF16 }, { "u16x2", PTX_U16 }, { "s16x2", PTX_S16 },
	};
	enum ptx_type t = ptx_type_named(word, strlen(word));
	bool pair = false;

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs && !pair; i++) {
		pair = !strcmp(word, pairs[i].word);
		t = pair ? pairs[i].t : t;
	}

	w->pair |= pair;
	if (!t || w->ntypes == 3)
		return false;
	w->type[w->ntypes++] = t;
	return true;
}

static bool understand_modifier(struct words *w, const char *word)
{
	static const struct {
		const char *word;
		unsigned mod;
	} mods[] = {
		{ "sat", MOD_SAT },       { "ftz", MOD_FTZ },   { "wide", MOD_WIDE }, { "cc", MOD_CC },
		{ "approx", MOD_APPROX }, { "full", MOD_FULL }, { "uni", MOD_UNI },   { "volatile", MOD_VOLATILE },
		{ "relaxed", MOD_VOLATILE }, { "mmio", MOD_VOLATILE },
		{ "clamp", MOD_CLAMP },   { "wrap", MOD_WRAP }, { "l", MOD_LEFT },    { "r", MOD_RIGHT },
		{ "to", MOD_TO },
	};

	for (size_t i = 0; i < sizeof mods / sizeof *mods; i++)
		if (!strcmp(word, mods[i].word)) {
			w->mods |= mods[i].mod;
			return true;
		}
	return false;
}

static bool understand_rounding(struct words *w, const char *word)
{
	static const char *const rounds[] = { [ROUND_RN] = "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi" };

	for (enum rounding r = ROUND_RN; r <= ROUND_RPI; r++)
		if (!strcmp(word, rounds[r])) {
			w->round = r;
			return true;
		}
	return false;
}

/* A memory; "shared::cta" and "param::entry" are shared and param. */
static bool understand_space(struct words *w, const char *word)
{
	static const char *const spaces[] = { [SPACE_PARAM] = "param", "global", "shared", "local", "const" };

	for (enum ptx_space s = SPACE_PARAM; s <= SPACE_CONST; s++) {
		size_t length = strlen(spaces[s]);
		if (!strncmp(word, spaces[s], length) && (!word[length] || word[length] == ':')) {
			w->space = s;
			return true;
		}
	}
	return false;
}

/* A comparison, and how its result and a predicate become one, of set and setp. */
static bool understand_comparison(struct words *w, const char *word)
{
	static const struct {
		const char *word;
		uint8_t cond;
	} conds[] = {
		{ "eq", COND_E },   { "ne", COND_LG },   { "lt", COND_L },    { "le", COND_LE },
		{ "gt", COND_G },   { "ge", COND_GE },   { "ls", COND_LE },   { "hs", COND_GE },
		{ "equ", COND_EU }, { "neu", COND_LGU }, { "ltu", COND_LU },  { "leu", COND_LEU },
		{ "gtu", COND_GU }, { "geu", COND_GEU }, { "num", COND_LGE }, { "nan", COND_U },
	};

	for (size_t i = 0; i < sizeof conds / sizeof *conds; i++)
		if (!strcmp(word, conds[i].word)) {
			w->cond = conds[i].cond;
			return w->has_cond = true;
		}
	if (!strcmp(word, "lo") || !strcmp(word, "hi")) {
		w->cond = *word == 'l' ? COND_L : COND_G;
		return w->has_cond = true;
	}
	if (strcmp(word, "and") && strcmp(word, "or") && strcmp(word, "xor"))
		return false;
	w->logic = *word;
	return true;
}

static bool understand_one(struct words *w, const char *word)
{
	bool compares = !strcmp(w->op, "set") || !strcmp(w->op, "setp");

	if (understand_type(w, word) || understand_modifier(w, word) || understand_rounding(w, word) ||
	    understand_space(w, word))
		return true;
	if (!strcmp(word, "v2") || !strcmp(word, "v4")) {
		w->vector = (unsigned)(word[1] - '0');
		return true;
	}
	if (compares)
		return understand_comparison(w, word);
	if (strcmp(word, "lo") && strcmp(word, "hi"))
		return false;
	w->mods |= *word == 'l' ? MOD_LO : MOD_HI;
	return true;
}

/* Words without an effect here: hints to caches, and orders of accesses that keep their order anyway. */
static bool is_silent(const struct ptx_insn *n, const char *word)
{
	static const char *const silent[] = { "ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "sync", "aligned", "gl",
					      "cta", "gpu", "sys", "weak", "sc", "acquire", "release", "acq_rel",
					      "noftz" };

	if (!strcmp(n->word[0], "bar") || !strcmp(n->word[0], "barrier"))
		return false;
	for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
		if (!strcmp(word, silent[i]))
			return true;
	return *word == 'L' && strstr(word, "::");
}

static struct words understand(struct lowering *l, const struct ptx_insn *n)
{
	struct words w = { .n = n, .op = n->word[0] };

	for (unsigned i = 1; i < n->nwords; i++)
		if (!understand_one(&w, n->word[i]) && !is_silent(n, n->word[i])) {
			if (w.nother == 4)
				lower_fail(l, n, "found `%s`, expected fewer words", spelled(l, n));
			w.other[w.nother++] = n->word[i];
		}
	for (unsigned i = 0; i < w.ntypes && l->m->map_f64; i++)
		w.type[i] = w.type[i] == PTX_F64 ? PTX_F32 : w.type[i];
	for (unsigned i = 0; i < w.ntypes; i++)
		if (w.type[i] == PTX_F64)
			lower_needs(l, n, 13, NULL);
	return w;
}

/* ---- functions ---- */

static bool is(const struct ptx_insn *n, const char *op) { return !strcmp(n->word[0], op); }

static bool ends_block(const struct ptx_insn *n)
{
	return is(n, "bra") || is(n, "brx") || is(n, "ret") || is(n, "exit") || is(n, "call") ||
	       (n->guard && (is(n, "bar") || is(n, "barrier") || is(n, "trap") || gathers_lanes(n)));
}

static const struct ptx_label *branch_target(struct lowering *l, const struct ptx_insn *n)
{
	if (n->noperands != 1 || n->operand[0].kind != OPERAND_LABEL)
		lower_fail(l, n, "bra: expected a label");
	return n->operand[0].label;
}

/* The labels that brx.idx chooses from. */
static const struct ptx_targets *targets_of(struct lowering *l, const struct ptx_insn *n)
{
	const struct ptx_operand *o = &n->operand[1];
	const struct ptx_targets *t = n->noperands == 2 && o->kind == OPERAND_LABEL ? o->label->targets : NULL;

	if (!t || !t->nlabels)
		lower_fail(l, n, "brx: expected a number and the name of a list of .branchtargets");
	return t;
}

/* Blocks begin at the first instruction, at targets, and behind the end of another block. Returned by instruction: the
 * number behind the last branch to the instruction; 0: no branch. */
static size_t *find_blocks(struct lowering *l)
{
	struct ptx_func *p = l->func;
	bool *begins = ptx_new(l->m, p->ninsns + 2);
	size_t *branched = ptx_new(l->m, (p->ninsns + 1) * sizeof *branched);

	begins[0] = begins[p->ninsns] = true;
	for (size_t i = 0; i < p->ninsns; i++) {
		if (is(&p->insns[i], "bra")) {
			size_t to = branch_target(l, &p->insns[i])->insn;
			begins[to] = true;
			branched[to] = i + 1;
		}
		const struct ptx_targets *t = is(&p->insns[i], "brx") ? targets_of(l, &p->insns[i]) : NULL;
		for (size_t k = 0; t && k < t->nlabels; k++) {
			begins[t->labels[k]->insn] = true;
			branched[t->labels[k]->insn] = i + 1;
		}
		if (ends_block(&p->insns[i]))
			begins[i + 1] = true;
	}
	l->block = ptx_new(l->m, (p->ninsns + 1) * sizeof *l->block);
	for (size_t i = 0; i <= p->ninsns; i++)
		l->block[i] = begins[i] ? ir_block(l->f) : NULL;
	return branched;
}

static void lower_body(struct lowering *l);

static const struct ptx_operand *list_items(const struct ptx_operand *o, unsigned *n)
{
	*n = o->kind == OPERAND_LIST ? o->nitems : 1;
	return o->kind == OPERAND_LIST ? o->item : o;
}

/* Words of a .param between a caller's and the function's, or a register of the caller. */
static void copy_param(struct lowering *l, const struct ptx_insn *n, struct ptx_var *inside,
		       const struct ptx_operand *o, bool in)
{
	bool two = o->kind == OPERAND_REG && ptx_bytes(o->reg->type) == 8;

	if (o->kind == OPERAND_VAR && o->var->space == SPACE_PARAM && !o->var->kernel_param) {
		for (unsigned k = 0; k < (inside->size + 3) / 4; k++) {
			if (in)
				param_write(l, inside, k, param_read(l, o->var, k));
			else
				param_write(l, o->var, k, param_read(l, inside, k));
		}
	} else if (in) {
		struct wide d = get_wide_of(l, n, o, inside->type);
		param_write(l, inside, 0, d.lo);
		if (inside->size == 8)
			param_write(l, inside, 1, d.hi);
	} else if (two) {
		put_wide_of(l, n, o, (struct wide){ param_read(l, inside, 0), param_read(l, inside, 1) });
	} else {
		put_of(l, n, o, inside->type, param_read(l, inside, 0));
	}
}

static const char *const host_functions[] = { "printf", "vprintf", "malloc", "free", "__assertfail", NULL };

/* A function without a definition; functions of a host's runtime have none in any file. */
static _Noreturn void undefined_function(struct lowering *l, const struct ptx_insn *n, const char *name)
{
	if (!strcmp(name, "vprintf") && l->f->target.sm > 10)
		lower_fail(l, n, "printf: expected a format that is known here, a string with conversions of C");
	for (const char *const *p = host_functions; *p; p++)
		if (!strcmp(name, *p))
			lower_never(l, n, *p, "kernels of these chips have no runtime");
	lower_fail(l, n, "%.60s is extern and nothing here defines it", name);
}

/* A call's operands: where the function's address or name is, arguments, results. */
struct call {
	const struct ptx_operand *target, *args, *rets;
	const struct ptx_targets *targets;       /* that the call lists; NULL: none listed */
	unsigned nargs, nrets;
};

static struct call call_of(struct lowering *l, const struct ptx_insn *n)
{
	struct call c = { 0 };

	for (unsigned i = 0; i < n->noperands; i++) {
		const struct ptx_operand *o = &n->operand[i];
		if (!c.target && (o->kind == OPERAND_FUNC || o->kind == OPERAND_REG))
			c.target = o;
		else if (!c.target && o->kind == OPERAND_LABEL)
			undefined_function(l, n, o->label->name);
		else if (!c.target)
			c.rets = list_items(o, &c.nrets);
		else if (o->kind == OPERAND_LABEL) /* a prototype, or a list of functions */
			c.targets = o->label->targets;
		else
			c.args = list_items(o, &c.nargs);
	}
	if (!c.target)
		lower_fail(l, n, "call: expected a function");
	return c;
}

/* The inlining on the way that the function is the body of; NULL: none. */
static struct lowering *active_one(struct lowering *l, const struct ptx_func *func)
{
	while (l && l->func != func)
		l = l->caller;
	return l;
}

/* The function needs a frame on the stack. */
static bool has_frame(const struct ptx_func *func)
{
	bool has = func->recursive;

	for (size_t i = 0; i < func->ninsns && !has; i++)
		has = is(&func->insns[i], "alloca");
	return has;
}

/* Arguments are written to the function's registers, or to variables in place of .param. */
static void pass_arguments(struct lowering *l, struct lowering *in, const struct ptx_insn *n, const struct call *c)
{
	for (unsigned i = 0; in->func->params && i < c->nargs; i++)
		copy_param(l, n, in->func->params[i], &c->args[i], true);
	for (unsigned i = 0; in->func->param_reg && i < c->nargs; i++) {
		const struct ptx_reg *r = in->func->param_reg[i];
		struct ptx_operand to = { .kind = OPERAND_REG, .reg = (struct ptx_reg *)(uintptr_t)r };
		struct source guard = l->guard;
		in->guard = (struct source){ 0 };
		if (r->type == PTX_PRED)
			put_pred(in, &to, get_of(l, n, &c->args[i], PTX_PRED));
		else if (ptx_bytes(r->type) == 8)
			put_wide_of(in, n, &to, get_wide_of(l, n, &c->args[i], r->type));
		else
			put_of(in, n, &to, r->type, get_of(l, n, &c->args[i], r->type));
		l->guard = guard;
	}
}

static void take_results(struct lowering *l, struct lowering *in, const struct ptx_insn *n, const struct call *c)
{
	for (unsigned i = 0; in->func->rets && i < c->nrets; i++)
		copy_param(l, n, in->func->rets[i], &c->rets[i], false);
	for (unsigned i = 0; in->func->ret_reg && i < c->nrets; i++) {
		const struct ptx_reg *r = in->func->ret_reg[i];
		struct ptx_operand from = { .kind = OPERAND_REG, .reg = (struct ptx_reg *)(uintptr_t)r };
		if (r->type == PTX_PRED)
			put_pred(l, &c->rets[i], get_of(in, n, &from, PTX_PRED));
		else if (ptx_bytes(r->type) == 8)
			put_wide_of(l, n, &c->rets[i], get_wide_of(in, n, &from, r->type));
		else
			put_of(l, n, &c->rets[i], r->type, get_of(in, n, &from, r->type));
	}
}

/* Parameters are variables of this inlining alone. */
static void own_parameters(struct lowering *l, const struct ptx_insn *n, struct ptx_func *func)
{
	for (size_t i = 0; func->params && i < func->nparams; i++) {
		func->params[i]->slot = 0;
		if (func->params[i]->space == SPACE_LOCAL)
			lower_fail(l, n, "%.60s calls itself and takes the address of a parameter; expected a copy in "
				   ".local memory", func->name);
	}
	for (size_t i = 0; func->rets && i < func->nrets; i++)
		func->rets[i]->slot = 0;
	for (struct ptx_var *v = func->vars; v; v = v->next)
		v->slot = 0;
}

/* Results have variables of their own at the end, since behind a call the function's are the caller's again. */
static void own_results(struct lowering *in)
{
	struct ir *f = in->f;

	in->result_base = (uint32_t)f->nvars;
	f->nvars += in->func->nregs + 1;
	in->result_slot = ptx_new(in->m, (in->func->nrets + 1) * sizeof *in->result_slot);
	for (size_t i = 0; in->func->rets && i < in->func->nrets; i++) {
		in->result_slot[i] = (uint32_t)f->nvars;
		f->nvars += in->func->rets[i]->size / 4 + 1;
	}
}

static void copy_register(struct lowering *to, struct lowering *from, const struct ptx_insn *n, struct ptx_reg *r)
{
	struct ptx_operand o = { .kind = OPERAND_REG, .reg = r };

	if (r->type == PTX_PRED)
		put_pred(to, &o, get_of(from, n, &o, PTX_PRED));
	else if (ptx_bytes(r->type) == 8)
		put_wide_of(to, n, &o, get_wide_of(from, n, &o, r->type));
	else
		put_of(to, n, &o, r->type, get_of(from, n, &o, r->type));
}

static void copy_results(struct lowering *in, const struct ptx_insn *n)
{
	struct ir *f = in->f;
	struct lowering results = *in;

	results.base = in->result_base;
	for (size_t i = 0; in->func->ret_reg && i < in->func->nrets; i++)
		copy_register(&results, in, n, in->func->ret_reg[i]);
	for (size_t i = 0; in->func->rets && i < in->func->nrets; i++)
		for (uint32_t k = 0; k < (in->func->rets[i]->size + 3) / 4; k++)
			ir_write(f, f->current, 4 * (in->result_slot[i] + k), param_read(in, in->func->rets[i], k));
}

static void swap_result_slots(struct lowering *in)
{
	for (size_t i = 0; in->func->rets && i < in->func->nrets; i++) {
		uint32_t slot = in->func->rets[i]->slot;
		in->func->rets[i]->slot = in->result_slot[i];
		in->result_slot[i] = slot;
	}
}

static void take_own_results(struct lowering *l, struct lowering *in, const struct ptx_insn *n, const struct call *c)
{
	struct lowering results = *in;

	results.base = in->result_base;
	swap_result_slots(in);
	take_results(l, &results, n, c);
	swap_result_slots(in);
}

/* Arguments in registers go through variables of their own, since an argument may be a parameter as well. */
static void call_again(struct lowering *l, const struct ptx_insn *n, struct lowering *active, const struct call *c)
{
	struct ir *f = l->f;
	struct lowering fresh = *active;
	struct ir_block *results = begin_recursive_call(l, active);

	fresh.base = (uint32_t)f->nvars;
	f->nvars += active->func->nregs + 1;
	pass_arguments(l, &fresh, n, c);
	for (unsigned i = 0; active->func->param_reg && i < c->nargs; i++)
		copy_register(active, &fresh, n, active->func->param_reg[i]);
	ir_jump(f, active->begin);
	ir_begin_block(f, results);
	take_own_results(l, active, n, c);
	end_recursive_call(l, active);
}

/* The function exists, takes what the call gives, and is not one call too many. */
static void check_call(struct lowering *l, const struct ptx_insn *n, const struct ptx_func *func, const struct call *c)
{
	if (!func->has_body)
		undefined_function(l, n, func->name);
	if (l->depth >= CALL_DEPTH_MAX || l->f->nvalues > OPS_MAX || l->f->nblocks > OPS_MAX / 8)
		lower_fail(l, n, "found too many calls, one inside another, expected at most %d deep and %d operations",
			   CALL_DEPTH_MAX, OPS_MAX);
	if (c->nargs != func->nparams || c->nrets != func->nrets)
		lower_fail(l, n, "%.60s takes %zu arguments and has %zu results; found %u and %u", func->name,
			   func->nparams, func->nrets, c->nargs, c->nrets);
}

static void inline_call(struct lowering *l, const struct ptx_insn *n, struct ptx_func *func, const struct call *c)
{
	struct lowering in = { .f = l->f, .m = l->m, .func = func, .caller = l, .depth = l->depth + 1 };
	struct lowering *active = active_one(l, func);

	check_call(l, n, func, c);
	if (active) {
		call_again(l, n, active, c);
		return;
	}
	in.base = (uint32_t)l->f->nvars;
	l->f->nvars += func->nregs + 1;
	if (func->recursive) {
		own_parameters(l, n, func);
		own_results(&in);
	}
	if (has_frame(func)) {
		in.return_var = 4 * (uint32_t)l->f->nvars++;
		in.frame_var = 4 * (uint32_t)l->f->nvars++;
		ir_write(l->f, l->f->current, in.return_var, number(0));
	}
	pass_arguments(l, &in, n, c);
	in.exit = ir_block(l->f);
	if (func->recursive) {
		in.begin = ir_block(l->f);
		ir_jump(l->f, in.begin);
		ir_begin_block(l->f, in.begin);
	}
	if (in.frame_var)
		begin_frame(&in);
	lower_body(&in);
	ir_begin_block(l->f, in.exit);
	ir_seal(l->f, in.exit);
	if (in.frame_var)
		end_frame(&in);
	if (!func->recursive) {
		take_results(l, &in, n, c);
		return;
	}
	copy_results(&in, n);
	return_to_calls(&in);
	take_own_results(l, &in, n, c);
}

/* The operand and the function's parameter have equally many bytes. */
static bool fits(const struct ptx_operand *o, const struct ptx_var *v, const struct ptx_reg *r)
{
	uint32_t bytes = v ? v->size : ptx_bytes(r->type);

	if (o->kind == OPERAND_VAR)
		return o->var->size == bytes;
	return o->kind != OPERAND_REG || ptx_bytes(o->reg->type) == bytes;
}

static bool may_meet(const struct call *c, const struct ptx_func *func)
{
	bool listed = !c->targets || !c->targets->nfuncs;

	for (size_t i = 0; !listed && i < c->targets->nfuncs; i++)
		listed = c->targets->funcs[i] == func;
	if (!listed || !func->taken || !func->has_body || c->nargs != func->nparams || c->nrets != func->nrets)
		return false;
	for (unsigned i = 0; i < c->nargs; i++)
		if (!fits(&c->args[i], func->params ? func->params[i] : NULL, func->params ? NULL : func->param_reg[i]))
			return false;
	for (unsigned i = 0; i < c->nrets; i++)
		if (!fits(&c->rets[i], func->rets ? func->rets[i] : NULL, func->rets ? NULL : func->ret_reg[i]))
			return false;
	return true;
}

/* A call by targets, one after the other: the lanes with the lowest lane's target go on, the others come back for the
 * next. Of two such parts the machine runs first what the machine would of an indirect branch. Lanes without a target
 * leave for a trap, so that the lanes meet behind the call, not in front of the functions. */
struct turns { struct ir_block *again, *others; };

static struct source begin_turns(struct lowering *l, struct source target, struct turns *t)
{
	struct ir *f = l->f;
	struct ir_block *here = ir_block(f);

	*t = (struct turns){ ir_block(f), ir_block(f) };
	ir_jump(f, t->again);
	ir_begin_block(f, t->again);
	struct source lead = lead_word(l, target);
	ir_end_block(f, ir_set(f, IR_SET, COND_LG, PTX_U32, target, lead), t->others, here);
	ir_seal(f, t->others);
	ir_seal(f, here);
	ir_begin_block(f, here);
	return lead;
}

static void end_turns(struct ir *f, struct source target, const struct turns *t, struct ir_block *none)
{
	ir_begin_block(f, t->others);
	ir_end_block(f, ir_set(f, IR_SET, COND_E, PTX_U32, target, number(0)), none, t->again);
	ir_seal(f, t->again);
}

/* A call through a register: the functions whose address is taken, and that have such arguments and results, are
 * compared one after the other with the register. No function: a trap. */
static void search_call(struct lowering *l, const struct ptx_insn *n, const struct call *c)
{
	struct ir *f = l->f;
	struct ir_block *done = ir_block(f), *none = ir_block(f);
	struct source target = get_of(l, n, c->target, PTX_U32);
	struct turns turns = { NULL, NULL };
	unsigned found = 0;

	struct source lead = f->target.lanes ? begin_turns(l, target, &turns) : target;
	for (struct ptx_func *func = l->m->funcs; func; func = func->next) {
		if (!may_meet(c, func))
			continue;
		struct ir_block *here = ir_block(f), *next = ir_block(f);
		ir_end_block(f, ir_set(f, IR_SET, COND_E, PTX_U32, lead, number(func->address)), here, next);
		ir_seal(f, here);
		ir_begin_block(f, here);
		inline_call(l, n, func, c);
		if (!f->current->lowered)
			ir_jump(f, done);
		ir_seal(f, next);
		ir_begin_block(f, next);
		found++;
	}
	if (!found)
		lower_fail(l, n, "found a call through a register, expected a function with such arguments and results "
			   "whose address the file takes");
	ir_jump(f, none);
	if (f->target.lanes)
		end_turns(f, target, &turns, none);
	ir_seal(f, none);
	ir_begin_block(f, none);
	ir_insn(f, IR_TRAP);
	ir_jump(f, done);
	ir_seal(f, done);
	ir_begin_block(f, done);
}

static void lower_call(struct lowering *l, const struct ptx_insn *n)
{
	struct call c = call_of(l, n);

	if (c.target->kind == OPERAND_FUNC)
		inline_call(l, n, c.target->func, &c);
	else
		search_call(l, n, &c);
}

/* brx.idx: a tree of comparisons over the labels `from` to `to`; a number beyond is the last. */
static void branch_among(struct lowering *l, const struct ptx_targets *t, size_t from, size_t to, struct source index)
{
	struct ir *f = l->f;
	size_t same = from, middle = from + (to - from + 1) / 2;

	while (same < to && t->labels[same + 1]->insn == t->labels[from]->insn)
		same++;
	if (same == to) {
		ir_jump(f, l->block[t->labels[from]->insn]);
		return;
	}
	struct ir_block *low = ir_block(f), *high = ir_block(f);
	ir_end_block(f, ir_set(f, IR_SET, COND_L, PTX_U32, index, number((uint32_t)middle)), low, high);
	ir_seal(f, low);
	ir_seal(f, high);
	ir_begin_block(f, low);
	branch_among(l, t, from, middle - 1, index);
	ir_begin_block(f, high);
	branch_among(l, t, middle, to, index);
}

static void end_thread(struct ir *f)
{
	f->current->end = END_EXIT;
	f->current->lowered = true;
	f->current->line = f->line;
	f->current->file = f->file;
	f->current->source_line = f->source_line;
}

static void leave(struct lowering *l, const struct ptx_insn *n)
{
	if (n && is(n, "exit"))
		end_thread(l->f);
	else if (l->exit)
		ir_jump(l->f, l->exit);
	else
		end_thread(l->f);
}

/* Instructions of halves that have no other row: those of lower_half.c. */
static bool is_half_arithmetic(const struct words *w)
{
	static const char *const others[] = { "cvt", "setp", "set", "atom", "red" };

	if (!ptx_half(w->type[0]) && !(w->pair && ptx_half(w->type[1])))
		return false;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(w->op, others[i]))
			return w->pair && *w->op == 's';
	return true;
}

static void dispatch(struct lowering *l, const struct ptx_insn *n)
{
	grammar_check(l, n);
	struct words w = understand(l, n);
	bool of_floats = w.ntypes && (ptx_float(w.type[0]) || (w.ntypes > 1 && ptx_float(w.type[1])));
	const struct lower_row *const tables[] = { of_floats ? lower_float : lower_int,
						   of_floats ? lower_int : lower_float, lower_memory, lower_warp,
						   lower_textures, lower_surfaces, lower_stack, lower_video };

	if (is_half_arithmetic(&w)) {
		lower_half(l, &w);
		return;
	}
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
		for (const struct lower_row *r = tables[t]; r->op; r++) {
			if (strcmp(r->op, w.op) || (!of_floats && t == 1 && w.ntypes && strcmp(w.op, "cvt")))
				continue;
			r->lower(l, &w);
			return;
		}
	}
	lower_fail(l, n, "`%s` is not supported yet", spelled(l, n));
}

/* What follows is of the instruction, whose line is the call's where the called function says none. */
static void begin_insn(struct lowering *l, const struct ptx_insn *n)
{
	struct ir *f = l->f;
	bool own = !l->caller || n->source_line;

	l->insn = n;
	f->lowering.nstatements++;
	f->line = (uint32_t)n->line;
	f->file = own ? n->file : f->current->file;
	f->source_line = own ? n->source_line : f->current->source_line;
}

static void lower_branch(struct lowering *l, const struct ptx_insn *n, struct source guard, struct ir_block *next)
{
	struct ir_block *to = l->block[branch_target(l, n)->insn];

	if (guard.kind)
		ir_end_block(l->f, guard, to, next);
	else
		ir_jump(l->f, to);
}

/* An instruction, perhaps the last of the block; `next` is the block behind. */
static void lower_one(struct lowering *l, const struct ptx_insn *n, struct ir_block *next)
{
	struct ir *f = l->f;
	struct source guard;

	begin_insn(l, n);
	guard = get_guard(l, n);
	if (is(n, "bra") || is(n, "brx") || is(n, "ret") || is(n, "exit") || is(n, "call"))
		grammar_check(l, n);
	if (is(n, "bra")) {
		lower_branch(l, n, guard, next);
		return;
	}
	if (ends_block(n) && guard.kind) { /* a branch around an instruction without a guard */
		struct ir_block *body = ir_block(f);
		ir_end_block(f, guard, body, next);
		ir_seal(f, body);
		ir_begin_block(f, body);
		guard.kind = SOURCE_NONE;
	}
	l->guard = guard.kind == SOURCE_NUMBER && (guard.bits != 0) != guard.not ? (struct source){ 0 } : guard;
	if (guard.kind == SOURCE_NUMBER && (guard.bits != 0) == guard.not)
		return; /* never */
	if (is(n, "ret") || is(n, "exit"))
		leave(l, n);
	else if (is(n, "call"))
		lower_call(l, n);
	else if (is(n, "brx"))
		branch_among(l, targets_of(l, n), 0, targets_of(l, n)->nlabels - 1,
			     get_of(l, n, &n->operand[0], PTX_U32));
	else
		dispatch(l, n);
	l->guard = (struct source){ 0 };
	if (f->nvalues > OPS_MAX)
		lower_fail(l, n, "the program becomes more than %d operations: fewer unrolled loops or calls, each "
			   "of which has a copy of its function", OPS_MAX);
}

/* All predecessors of a block without a branch from below are known where the block begins; those of other blocks when
 * the whole body is lowered. */
static void lower_body(struct lowering *l)
{
	struct ptx_func *p = l->func;
	struct ir *f = l->f;
	size_t *branched = find_blocks(l);

	ir_jump(f, l->block[0]);
	for (size_t i = 0, next = 0; i <= p->ninsns; i++) {
		if (l->block[i]) {
			if (i && !f->current->lowered)
				ir_jump(f, l->block[i]);
			ir_begin_block(f, l->block[i]);
			if (branched[i] <= i)
				ir_seal(f, l->block[i]);
		}
		if (i == p->ninsns)
			break;
		if (f->current->lowered)
			continue; /* unreachable: behind the end of a block, without a label */
		next = next > i ? next : i + 1;
		while (next <= p->ninsns && !l->block[next])
			next++;
		lower_one(l, &p->insns[i], l->block[next]);
	}
	if (!f->current->lowered)
		leave(l, NULL);
	for (size_t i = 0; i <= p->ninsns; i++)
		if (l->block[i])
			ir_seal(f, l->block[i]);
}

/* $r0, which has the thread's numbers in the block when a warp begins. */
static struct source begin_thread(struct ir *f)
{
	struct ir_insn *begin = ir_insn(f, IR_NOP);

	begin->dst = ir_value(f, CLASS_WORD);
	begin->dst->def = begin;
	ir_write(f, f->entry, 0, of(begin->dst));
	return of(begin->dst);
}

void lower(struct ir *f)
{
	struct lowering l = { .f = f, .m = f->m, .func = f->func, .base = 1 };

	f->nvars = f->func->nregs + 2;
	f->entry = f->last_block = f->current = ir_block(f);
	f->entry->sealed = true;
	struct source tid = begin_thread(f);
	if (f->layout.stacks) {
		f->lowering.stack_var = 4 * (uint32_t)f->nvars++;
		ir_write(f, f->entry, f->lowering.stack_var, number(f->layout.stack));
	}
	if (f->layout.exchanges) {
		struct source size[3];
		for (unsigned k = 0; k < 3; k++)
			size[k] = f->func->block[0] ? number(f->func->block[k]) : shared_word(f, 2 + 2 * k, PTX_U16);
		begin_exchange(f, tid, size);
	}
	lower_body(&l);
}
