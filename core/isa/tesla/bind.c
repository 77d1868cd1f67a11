/* Binding of a program's instructions before a run, and the initial state of its warps. */
#include "core/isa/tesla/bind.h"

#include "core/isa/table.h"
#include "core/isa/simd_built.h"
#include "core/diverge/groups.h"
#include "core/isa/tesla/flow.h"
#include "core/isa/tesla/reconverge.h"
#include "core/base/arena.h"
#include "core/isa/tesla/handlers.h"
#include "core/isa/tesla/lock.h"
#include "core/isa/tesla/run.h"
#include "core/isa/tesla/stage.h"

/* For each condition code the set of satisfying flag nibbles, bit = nibble (formulas: S4). Codes 14…1b do not exist. */
#define WHEN(condition) { \
	uint32_t set = 0; \
	for (unsigned f = 0; f < 16; f++) { \
		bool Z = f & 1, S = f >> 1 & 1, C = f >> 2 & 1, O = f >> 3 & 1; \
		(void)Z, (void)S, (void)C, (void)O; \
		if (condition) \
			set |= 1u << f; \
	} \
	return set; \
}
static uint32_t satisfying(unsigned code)
{
	switch (code) {
	case 0x00: return 0;
	case 0x01: WHEN((S && !Z) != O)
	case 0x02: WHEN(Z && !S)
	case 0x03: WHEN(S != (Z || O))
	case 0x04: WHEN(!Z && S == O)
	case 0x05: WHEN(!Z)
	case 0x06: WHEN(S == O)
	case 0x07: WHEN(!Z || !S)
	case 0x08: WHEN(Z && S)
	case 0x09: WHEN(S != O)
	case 0x0a: WHEN(Z)
	case 0x0b: WHEN(Z || S != O)
	case 0x0c: WHEN(!S != (Z || O))
	case 0x0d: WHEN(!Z || S)
	case 0x0e: WHEN((!S || Z) != O)
	case 0x0f: return 0xffff;
	case 0x10: WHEN(O)
	case 0x11: WHEN(C)
	case 0x12: WHEN(!Z && C)
	case 0x13: WHEN(S)
	case 0x1c: WHEN(!S)
	case 0x1d: WHEN(Z || !C)
	case 0x1e: WHEN(!C)
	case 0x1f: WHEN(!O)
	default: return 0;
	}
}
#undef WHEN


/* Instructions that cannot execute: bound to a function that faults when reached. */
static int illegal(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_ILLEGAL_OPCODE, x->warp->active, 0);
}

static int unaligned(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_UNALIGNED_LONG_INSTRUCTION, x->warp->active, 0);
}

static int graphics_space(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_LD_A_ST_O_NON_VP_GP, x->warp->active, 0);
}

static int interp_elsewhere(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_INTERP_NON_FP, x->warp->active, 0);
}

static int emit_elsewhere(struct exec *x, const struct insn *in)
{
	return exec_fault(x, FAULT_EMIT_NON_GP, x->warp->active, 0);
}

/* Pairs and quads must start at a multiple of their size. */
static bool aligned(const struct opnd *o)
{
	return o->shape != OPND_REG || o->file != FILE_R || o->width <= 4 || o->reg % (o->width / 4) == 0;
}

/* A `(never) nop` fills a place, or carries a marker, its only work: the guard turns no lane off. */
static enum insn_guard guard_of(const struct insn *in)
{
	if (in->pred == PRED_ALWAYS || bind_traits(in) & NO_GUARD)
		return GUARD_ALWAYS;
	return bind_traits(in) & OWN_GUARD ? GUARD_OPERAND : GUARD_LANES;
}

/* Memory operands fetched as rows: s[], c[] and p[] sources, unless the access is more than a load. */
static unsigned fetched(const struct insn *in, unsigned exec)
{
	unsigned bits = 0;

	if (exec == TESLA_EXEC_ld_s && in->mod[MOD_OP] == 1)
		return 0;
	for (int i = 0; i < 3; i++)
		if (in->src[i].shape == OPND_MEM && (in->src[i].file == SPACE_S || in->src[i].file == SPACE_C ||
						     in->src[i].file == SPACE_P))
			bits |= 1u << i;
	return bits;
}

/* The fault of a word that is no instruction of the program type: some words that are instructions of another type have
 * faults of their own. */
static exec_fn *misused(const struct program *p, const struct insn *in)
{
	struct isa_target any = p->target;
	struct insn other;

	for (any.mode = MODE_VP; any.mode <= MODE_FP; any.mode <<= 1) {
		if (!isa_decode_at(&any, p->code, p->code_bytes, in->pc, &other))
			continue;
		switch (other.row->exec) {
		case TESLA_EXEC_ld_a: return graphics_space;
		case TESLA_EXEC_interp: return interp_elsewhere;
		case TESLA_EXEC_emit: case TESLA_EXEC_restart: return emit_elsewhere;
		default: break;
		}
	}
	return illegal;
}

static exec_fn *refusal(const struct program *p, const struct insn *in)
{
	bool vertices = p->target.mode & (MODE_VP | MODE_GP);
	unsigned exec;

	if ((in->word & 1) && (in->pc & 4))
		return unaligned;
	if (!in->row)
		return misused(p, in);
	exec = in->row->exec;
	if (!vertices && (exec == TESLA_EXEC_ld_a || exec == TESLA_EXEC_st_o))
		return graphics_space;
	if (!vertices && in->dst.shape == OPND_MEM && in->dst.file == SPACE_O)
		return illegal;
	if (p->target.mode != MODE_CP && exec == TESLA_EXEC_bar)
		return illegal;         /* warps of graphics programs share nothing */
	for (int i = 0; i < ISA_MAX_SRC; i++)
		if (!aligned(&in->src[i]))
			return illegal;
	return aligned(&in->dst) ? NULL : illegal;
}

/* The markers with an effect: lanes with stacks of their own know no join, and where post-dominators count
 * reconverge_find has marked the reconvergence points. */
static uint8_t acting(const struct insn *in, const struct rules *rules)
{
	uint8_t exits = in->marks & MARK_EXIT;

	if (reconverge_is_own(rules) || (tesla_lanes_apart(rules) && reconverge_policy(rules)->markers))
		return in->marks;
	return exits | (tesla_by_postdominators(rules) ? in->acts & MARK_JOIN : 0);
}

/* The parts of a SIMD level. */
struct level {
	exec_fn *const *exec;
	int (*execute)(struct exec *x, const struct insn *in);
	int (*run_observed)(struct exec *x, uint64_t budget);
	int (*run_lanes)(struct exec *x, uint64_t budget);
	const struct tesla_handlers *handlers;
	unsigned (*host_enter)(void);
	void (*host_leave)(unsigned mode);
};

static void bind_one(const struct program *p, struct insn *in, const struct level *level, const struct rules *rules)
{
	exec_fn *refused = refusal(p, in);

	in->refused = refused != NULL;
	in->constant = 0;
	if (refused) {
		in->exec = refused;
		in->guard = GUARD_ALWAYS;
		in->fetch = 0;
		in->acts = 0;
		in->plain = in->straight = true;
		return;
	}
	in->exec = level->exec[in->row->exec];
	in->guard = guard_of(in);
	in->guard_set = (uint16_t)satisfying(in->pred);
	in->fetch = (uint8_t)fetched(in, in->row->exec);
	in->acts = acting(in, rules);
	in->floats = bind_traits(in) & FLOATS;
	in->straight = in->guard != GUARD_OPERAND && !in->acts && !in->loose && !in->undoc && in->lane_mask == 0xf &&
		       !(bind_traits(in) & STEERS);
	in->plain = in->straight && in->guard == GUARD_ALWAYS && !in->fetch;
}

#define LEVEL(index, level) [index] = { tesla_exec_##level, tesla_execute_##level, tesla_run_observed_##level, \
	tesla_run_lanes_##level, &tesla_handlers_##level, tesla_host_enter_##level, tesla_host_leave_##level },
static const struct level levels[SIMD_LEVELS] = { SIMD_BUILT(LEVEL) };
#undef LEVEL

static const struct flow_ops *flow_of(const struct rules *rules)
{
	return tesla_lanes_apart(rules) ? &flow_lanes : tesla_by_postdominators(rules) ? &flow_ipdom : &flow_stack;
}

/* Does an instruction read special registers first … last? */
static bool reads_special(const struct program *p, unsigned first, unsigned last)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		const struct insn *in = &p->insn[i];
		if (in->row && in->row->exec == TESLA_EXEC_mov_sr_r && in->src[0].reg >= first &&
		    in->src[0].reg <= last)
			return true;
	}
	return false;
}

/* Is a source the number of blocks or the block's number, in s[] from 0x8 on? */
static bool reads_halves(const struct program *p)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++)
		for (unsigned k = 0; p->insn[i].length && k < sizeof p->insn[i].src / sizeof *p->insn[i].src; k++) {
			const struct opnd *o = &p->insn[i].src[k];
			if (o->shape == OPND_MEM && o->file == SPACE_S && !o->addr_reg && o->value >= 0x8 &&
			    o->value < 0x10)
				return true;
		}
	return false;
}

static bool takes_textures(const struct program *p)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++)
		if (p->insn[i].row && tesla_table.exec[p->insn[i].row->exec].lat == LAT_TEX)
			return true;
	return false;
}

/* Why no warp of the program leaves a trace; NULL: warps may, or the run is observed. */
static const char *traces_not(const struct program *p, const struct rules *rules)
{
	if (p->run == p->run_observed)
		return NULL;
	if (reads_special(p, SR_PM0, SR_PM3))
		return "$pm0 to $pm3 count what other warps have done as well";
	if (rules->detailed && tesla_lanes_apart(rules) && !reconverge_policy(rules)->meets)
		return "lanes may meet behind any instruction, and a recorder wants to know where";
	return takes_textures(p) ? "which lines of textures are in caches depends on the order of all warps" : NULL;
}

bool tesla_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a)
{
	const struct level *level = &levels[simd];
	struct tesla_code *code = ARENA_NEW(a, struct tesla_code);

	if (!code)
		return false;
	code->engine.execute = level->execute;
	code->engine.ended = lock_warp_done;
	p->threaded = &code->engine;
	p->flow = flow_of(rules);
	code->engine.settle = p->flow->settle;
	p->run = rules->inspected || rules->slow_path ? level->run_observed :
		 p->flow->settle ? level->run_lanes : level->handlers->engine->run;
	p->run_observed = level->run_observed;
	p->reads_place = reads_special(p, SR_PHYSID, SR_PHYSID);
	p->reads_halves = reads_halves(p);
	if (p->run != p->run_observed) {
		p->host_enter = level->host_enter;
		p->host_leave = level->host_leave;
	}
	if (!tesla_lanes_apart(rules) && !reconverge_find(p, tesla_by_postdominators(rules), a))
		return false;
	for (uint32_t i = 0; i < p->code_bytes / 4; i++)
		if (p->insn[i].length)
			bind_one(p, &p->insn[i], level, rules);
	if (tesla_lanes_apart(rules) && reconverge_policy(rules)->yields && !reconverge_spins(p))
		return false;
	code->changes = tesla_changes(p);
	if (p->target.mode != MODE_CP)
		stage_rows(p, &code->inputs, &code->outputs);
	if (!tesla_translate(p, code, level->handlers, rules, a))
		return false;
	p->traces_not = traces_not(p, rules);
	p->traces = p->run != p->run_observed && !p->traces_not;
	if (p->run == p->run_observed)
		/* the length of runs decides turns; no instruction is executed by the translation */
		code->engine.make_one = NULL;
	return true;
}
