/* Findings about wavefronts (lint.h), by data flow: for each register, the least number of later operations of its
 * counter since a pending load, and the least number of wait states since its last write. Paths that meet keep the
 * smaller of two numbers. Facts are kept at targets of branches, and carried along between. A last walk reports. */
#include "core/isa/gcn/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/isa/gcn/gcn.h"
#include "core/isa/gcn/issue.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/gcn/run.h"
#include "core/latency.h"
#include "core/program.h"

enum { REGISTERS = 256 + 128, NEVER = 255, LONGEST = 5 /* wait states that any user needs */ };

/* Age of an event: of a load, later operations of the counter; of a write, wait states. NEVER: no event, or long
 * ago. */
struct since {
	uint32_t pc;
	uint8_t n;
	bool unordered;         /* scalar loads: only a counter of 0 proves the arrival */
};

struct facts {
	bool reached;
	bool scalar_loads;      /* a scalar load is on the way */
	/* by register: vector registers, then scalar registers by code */
	struct since vm[REGISTERS], lgkm[REGISTERS], by_vector[REGISTERS];
	struct since exec, m0;  /* EXEC written by a vector instruction, M0 by a scalar instruction */
};

struct walk {
	const struct program *p;
	enum gcn_generation generation;
	uint32_t n;                             /* words */
	struct isa_edge (*edge)[2];
	struct facts **facts, *now;             /* by word, where paths may meet; where the walk is */
	bool *waiting;                          /* to be walked from */
	isa_report_fn *report;                  /* NULL: not yet */
	void *context;
};

/* ---- registers of an instruction ---- */

static unsigned words_of(const struct opnd *o)
{
	return o->width > 4 ? (o->width + 3u) / 4 : 1;
}

/* The first register, and the number of registers; 0 for another operand. */
static unsigned registers_of(const struct opnd *o, unsigned *first)
{
	*first = o->reg + (o->file == FILE_S ? 256u : 0);
	if (o->shape != OPND_REG || o->file > FILE_S || *first >= REGISTERS)
		return 0;
	return *first + words_of(o) > REGISTERS ? REGISTERS - *first : words_of(o);
}

static bool is_vector(unsigned encoding)
{
	return encoding >= ENC_VOP1 && encoding <= ENC_VOP3P;
}

static bool is_scalar(unsigned encoding)
{
	return encoding <= ENC_SMEM;
}

static bool is_vmem(unsigned encoding)
{
	return encoding == ENC_MUBUF || encoding == ENC_MTBUF || encoding == ENC_MIMG || encoding == ENC_FLAT ||
	       encoding == ENC_GLOBAL || encoding == ENC_SCRATCH;
}

static bool is_atomic(const struct insn *in)
{
	return strstr(in->row->text, "atomic") != NULL;
}

/* The destination of a memory instruction; of atomics, only with glc. */
static struct opnd result_of(const struct insn *in)
{
	struct opnd o = in->dst;

	if (!is_atomic(in))
		return o;
	if (o.shape != OPND_REG) {
		o = in->src[0];
		o.width = (uint8_t)(strstr(in->row->text, "cmpswap") ? o.width / 2 : o.width);
	}
	if (!(in->mod[MOD_CACHE] & CACHE_GLC))
		o.shape = OPND_NONE;
	return o;
}

static const char *name_of(unsigned reg, char text[16])
{
	static const struct { unsigned code; const char *name; } named[] = {
		{ CODE_VCC, "vcc_lo" }, { CODE_VCC + 1, "vcc_hi" }, { CODE_M0, "m0" }, { CODE_EXEC, "exec_lo" },
		{ CODE_EXEC + 1, "exec_hi" },
	};

	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (reg == 256 + named[i].code)
			return named[i].name;
	snprintf(text, 16, "%c%u", reg < 256 ? 'v' : 's', reg & 255);
	return text;
}

/* ---- findings ---- */

__attribute__((format(printf, 3, 4)))
static void found(const struct walk *w, const struct insn *in, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	if (!w->report)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	w->report(w->context, in->pc, text);
}

/* `reg` is read or written. False: a finding has been reported. */
static bool check_arrived(const struct walk *w, const struct insn *in, unsigned reg)
{
	const struct since *vm = &w->now->vm[reg], *lgkm = &w->now->lgkm[reg];
	char name[16];

	if (vm->n != NEVER)
		found(w, in, "%s is used before the load at pc 0x%x has it: insert s_waitcnt vmcnt(%u)",
		      name_of(reg, name), vm->pc, vm->n);
	else if (lgkm->n != NEVER)
		found(w, in, "%s is used before the load at pc 0x%x has it: insert s_waitcnt lgkmcnt(%u)",
		      name_of(reg, name), lgkm->pc, lgkm->unordered || w->now->scalar_loads ? 0u : lgkm->n);
	return vm->n == NEVER && lgkm->n == NEVER;
}

static bool check_operand(const struct walk *w, const struct insn *in, const struct opnd *o)
{
	unsigned first, n = registers_of(o, &first);
	bool good = true;

	for (unsigned i = 0; i < n && good; i++)
		good = check_arrived(w, in, first + i);
	return good;
}

/* Report too few wait states between the write `s` and its user. */
static void check_states(const struct walk *w, const struct insn *in, const struct since *s, unsigned needed,
			 const char *what)
{
	if (s->n < needed)
		found(w, in, "%s too soon after pc 0x%x: insert s_nop %u", what, s->pc, needed - s->n - 1);
}

static const struct since *latest_of(const struct walk *w, const struct opnd *o)
{
	unsigned first, n = registers_of(o, &first);
	const struct since *latest = NULL;

	for (unsigned i = 0; i < n; i++)
		if (!latest || w->now->by_vector[first + i].n < latest->n)
			latest = &w->now->by_vector[first + i];
	return latest;
}

static void check_operand_states(const struct walk *w, const struct insn *in, const struct opnd *o, unsigned needed,
				 const char *what)
{
	const struct since *s = latest_of(w, o);

	if (s)
		check_states(w, in, s, needed, what);
}

static bool is_special(const struct insn *in, unsigned code)
{
	for (int i = 0; i < ISA_MAX_SRC; i++)
		if (in->src[i].shape == OPND_REG && in->src[i].file == FILE_SPECIAL && in->src[i].reg == code)
			return true;
	return false;
}

static const struct opnd vcc_pair = { .shape = OPND_REG, .file = FILE_S, .reg = CODE_VCC, .width = 8 };

/* The hazards of spec gcn. */
static void check_hazards(const struct walk *w, const struct insn *in, unsigned encoding)
{
	unsigned exec = in->row->exec;

	for (int i = 0; i < ISA_MAX_SRC; i++) {
		const struct opnd *o = &in->src[i];
		if (o->shape != OPND_REG || o->file != FILE_S)
			continue;
		if (is_vmem(encoding))
			check_operand_states(w, in, o, 5, "vector memory uses a scalar register that a vector "
					     "instruction wrote");
		else if (encoding == ENC_SMEM && w->generation == GCN_10)
			check_operand_states(w, in, o, 4, "scalar memory uses a register that a vector instruction "
					     "wrote");
		else if ((exec == GCN_EXEC_v_readlane_b32 || exec == GCN_EXEC_v_writelane_b32) && i == 1)
			check_operand_states(w, in, o, 4, "a lane is selected by a register that a vector instruction "
					     "wrote");
	}
	if (is_special(in, CODE_VCCZ))
		check_operand_states(w, in, &vcc_pair, 5, "vccz is read");
	if (is_special(in, CODE_EXECZ))
		check_states(w, in, &w->now->exec, 5, "execz is read");
	if (exec == GCN_EXEC_v_div_fmas_f32 || exec == GCN_EXEC_v_div_fmas_f64)
		check_operand_states(w, in, &vcc_pair, 4, "v_div_fmas reads vcc");
	if (is_vector(encoding) && in->mod[MOD_FORM] == FORM_DPP) {
		check_states(w, in, &w->now->exec, 5, "DPP follows a vector instruction's write of exec");
		check_operand_states(w, in, &in->src[0], 2, "DPP reads a vector register");
	}
	if (exec == GCN_EXEC_s_sendmsg || exec == GCN_EXEC_s_sendmsghalt)
		check_states(w, in, &w->now->m0, 1, "a message reads m0");
}

static void check(const struct walk *w, const struct insn *in, unsigned encoding)
{
	static const struct opnd exec_pair = { .shape = OPND_REG, .file = FILE_S, .reg = CODE_EXEC, .width = 8 };
	unsigned flags = gcn_row_of(in)->flags, exec = in->row->exec;
	bool reads_vcc = flags & TESTS_VCC ||
			 (flags & CARRY_IN && in->src[2].shape == OPND_NONE) || exec == GCN_EXEC_v_div_fmas_f32 ||
			 exec == GCN_EXEC_v_div_fmas_f64;
	struct opnd result = is_vmem(encoding) || encoding == ENC_DS || encoding == ENC_SMEM ? result_of(in) : in->dst;
	bool good = check_operand(w, in, &result);

	for (int i = 0; i < ISA_MAX_SRC && good; i++)
		good = check_operand(w, in, &in->src[i]);
	if (good && reads_vcc)
		good = check_operand(w, in, &vcc_pair);
	if (good && !is_scalar(encoding))
		good = check_operand(w, in, &exec_pair);
	check_hazards(w, in, encoding);
}

/* ---- effects of an instruction on the facts ---- */

static void older(struct since s[], unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		s[i].n += s[i].n != NEVER;
}

static void states_pass(struct since s[], unsigned n, unsigned states)
{
	for (unsigned i = 0; i < n; i++)
		s[i].n = s[i].n + states >= LONGEST ? NEVER : (uint8_t)(s[i].n + states);
}

static void forget(struct since s[], unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		s[i].n = NEVER;
}

/* All but the latest `left` operations have come. */
static void arrive(struct facts *f, struct since s[], struct since other[], unsigned left)
{
	for (unsigned i = 0; i < REGISTERS; i++) {
		bool comes = s[i].n != NEVER && s[i].n >= left && (!left || !(s[i].unordered || f->scalar_loads));
		/* FLAT counts in both */
		if (comes && other[i].n != NEVER && other[i].pc == s[i].pc)
			other[i].n = NEVER;
		s[i].n = comes ? NEVER : s[i].n;
	}
}

static void wait(struct walk *w, const struct insn *in)
{
	struct facts *f = w->now;
	struct ports ports;
	bool scalar_loads = f->scalar_loads;

	gcn_ports(w->p, in, &ports);
	if (ports.waits & 1 << COUNTER_VM) {
		f->scalar_loads = false;        /* scalar loads are complete */
		arrive(f, f->vm, f->lgkm, ports.upto[COUNTER_VM]);
		f->scalar_loads = scalar_loads;
	}
	if (ports.waits & 1 << COUNTER_LGKM) {
		arrive(f, f->lgkm, f->vm, ports.upto[COUNTER_LGKM]);
		f->scalar_loads = scalar_loads && ports.upto[COUNTER_LGKM];
	}
}

static void load(struct since s[], const struct insn *in, bool unordered)
{
	struct opnd o = result_of(in);
	unsigned first, n = registers_of(&o, &first);

	older(s, REGISTERS);
	for (unsigned i = 0; i < n; i++)
		s[first + i] = (struct since){ in->pc, 0, unordered };
}

static void wrote(struct since s[], const struct opnd *o, uint32_t pc)
{
	unsigned first, n = registers_of(o, &first);

	for (unsigned i = 0; i < n; i++)
		s[first + i] = (struct since){ pc, 0, false };
}

static bool covers(const struct opnd *o, unsigned code)
{
	return o->shape == OPND_REG && o->file == FILE_S && o->reg <= code && o->reg + words_of(o) > code;
}

static void write_results(struct walk *w, const struct insn *in, unsigned encoding)
{
	struct opnd flags = { .shape = OPND_REG, .file = FILE_S, .reg = in->flags_dst, .width = 8 };
	struct facts *f = w->now;
	bool has_flags = in->flags_dst != FLAGS_NONE;

	if (is_vector(encoding)) {
		wrote(f->by_vector, &in->dst, in->pc);
		if (has_flags)
			wrote(f->by_vector, &flags, in->pc);
		if (gcn_writes_exec(in))
			f->exec = (struct since){ in->pc, 0, false };
	} else if (is_scalar(encoding)) {
		unsigned first, n = registers_of(&in->dst, &first);
		forget(f->by_vector + first, n);        /* another instruction's result now */
		if (covers(&in->dst, CODE_M0))
			f->m0 = (struct since){ in->pc, 0, false };
	}
}

static void step(struct walk *w, const struct insn *in)
{
	unsigned encoding = gcn_row_of(in)->encoding, exec = in->row->exec;
	unsigned states = exec == GCN_EXEC_s_nop ? (uint32_t)in->src[0].value % 16 + 1 : 1;
	bool brings = !(gcn_row_of(in)->flags & BARE);
	struct facts *f = w->now;

	check(w, in, encoding);
	if (exec == GCN_EXEC_s_waitcnt)
		wait(w, in);
	if (is_vmem(encoding) && brings)
		load(f->vm, in, false);
	if (encoding == ENC_DS || encoding == ENC_SMEM || encoding == ENC_FLAT)
		load(f->lgkm, in, encoding == ENC_SMEM);
	if (encoding == ENC_SMEM && in->dst.shape == OPND_REG)
		f->scalar_loads = true;
	states_pass(f->by_vector, REGISTERS, states);
	states_pass(&f->exec, 1, states);
	states_pass(&f->m0, 1, states);
	write_results(w, in, encoding);
	if (exec == GCN_EXEC_s_swappc_b64 || exec == GCN_EXEC_s_call_b64) {
		forget(f->vm, REGISTERS);
		forget(f->lgkm, REGISTERS);
		f->scalar_loads = false;
	}
}

/* ---- paths ---- */

static bool join_since(struct since to[], const struct since from[], unsigned n)
{
	bool changed = false;

	for (unsigned i = 0; i < n; i++)
		if (from[i].n < to[i].n || (from[i].n == to[i].n && from[i].n != NEVER &&
					    from[i].unordered && !to[i].unordered)) {
			to[i] = from[i];
			changed = true;
		}
	return changed;
}

static void begin(struct facts *f)
{
	memset(f, 0, sizeof *f);
	f->reached = true;
	forget(f->vm, REGISTERS);
	forget(f->lgkm, REGISTERS);
	forget(f->by_vector, REGISTERS);
	f->exec.n = f->m0.n = NEVER;
}

static void meet(struct walk *w, uint32_t word)
{
	struct facts *to = w->facts[word];
	const struct facts *from = w->now;
	bool changed = !to->reached || (from->scalar_loads && !to->scalar_loads);

	if (!to->reached) {
		*to = *from;
	} else {
		to->scalar_loads |= from->scalar_loads;
		changed |= join_since(to->vm, from->vm, REGISTERS);
		changed |= join_since(to->lgkm, from->lgkm, REGISTERS);
		changed |= join_since(to->by_vector, from->by_vector, REGISTERS);
		changed |= join_since(&to->exec, &from->exec, 1);
		changed |= join_since(&to->m0, &from->m0, 1);
	}
	w->waiting[word] |= changed;
}

/* From a place where paths meet to the next, or to an instruction without a successor in order. */
static void walk_from(struct walk *w, uint32_t word)
{
	*w->now = *w->facts[word];
	while (word < w->n) {
		const struct insn *in = &w->p->insn[word];
		const struct isa_edge *e = w->edge[word];
		if (!in->row)
			return;
		step(w, in);
		for (int i = 1; i >= 0; i--)
			if (e[i].kind == EDGE_BRANCH && e[i].to / 4 < w->n && !w->report)
				meet(w, e[i].to / 4);
		if (e[0].kind != EDGE_NEXT)
			return;
		word = e[0].to / 4;
		if (word < w->n && w->facts[word]) {
			if (!w->report)
				meet(w, word);
			return;
		}
	}
}

static bool leads(struct walk *w, struct arena *a, uint32_t word)
{
	if (word < w->n && !w->facts[word])
		w->facts[word] = ARENA_NEW(a, struct facts);
	return word >= w->n || w->facts[word];
}

static bool starts(struct walk *w, struct arena *a, uint32_t word)
{
	if (!leads(w, a, word))
		return false;
	begin(w->facts[word]);
	w->waiting[word] = true;
	return true;
}

/* Functions begin behind the end of another function. Padding of a line of code has no effect. */
static bool find_starts(struct walk *w, struct arena *a)
{
	bool ended = false, good = starts(w, a, w->p->entry / 4);

	for (uint32_t i = 0; i < w->n && good; i += w->p->insn[i].length / 4u) {
		const struct insn *in = &w->p->insn[i];
		unsigned exec = in->row ? in->row->exec : GCN_EXEC_s_endpgm;
		bool fills = !in->row || exec == GCN_EXEC_s_nop || !in->word;
		for (int e = 0; e < 2 && good; e++)
			if (w->edge[i][e].kind == EDGE_BRANCH)
				good = leads(w, a, w->edge[i][e].to / 4);
			else if (w->edge[i][e].kind == EDGE_CALL && w->edge[i][e].to / 4 < w->n)
				good = starts(w, a, w->edge[i][e].to / 4);
		if (ended && !fills && good)
			good = starts(w, a, i);
		ended = exec == GCN_EXEC_s_endpgm || exec == GCN_EXEC_s_setpc_b64 || (ended && fills);
	}
	return good;
}

bool gcn_lint(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
	      void *context)
{
	uint32_t n = p->code_bytes / 4;
	struct walk w = { .p = p, .n = n, .generation = gcn_generation(&p->target), .context = context };
	bool more = true;

	w.edge = arena_alloc(a, (n + 1) * sizeof *w.edge, 8);
	w.facts = arena_alloc(a, (n + 1) * sizeof *w.facts, 8);
	w.waiting = arena_alloc(a, n + 1, 1);
	w.now = ARENA_NEW(a, struct facts);
	if (!w.edge || !w.facts || !w.waiting || !w.now || !gcn_edges(p, w.edge) || !find_starts(&w, a))
		return false;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++)
			if (w.waiting[i]) {
				w.waiting[i] = false;
				more = true;
				walk_from(&w, i);
			}
	}
	w.report = report;
	for (uint32_t i = 0; i < n; i++)
		if (w.facts[i] && w.facts[i]->reached)
			walk_from(&w, i);
	return true;
}
