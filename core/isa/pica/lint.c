/* Findings in programs that work here and go wrong on PICA200's hardware: outputs never written, moves in a row and the
 * like, found by a walk over all paths from the entry point. */
#include "core/isa/pica/lint.h"

#include <stdio.h>
#include <string.h>

#include "core/image.h"
#include "core/isa/pica/ops.h"
#include "core/isa/pica/state.h"
#include "core/program.h"

/* Output components, four bits a register from o0 on, bit 0 = x. */
typedef uint64_t components;

enum { MAX_DEPTH = 32, MAX_VISITS = 1 << 16 };

/* Components written on the way to a place: by some path, by all paths. */
struct written {
	bool reached;
	components by_some, all;
};

struct place {
	bool visited;
	components again, missing;      /* written once more here; unwritten on a way to an END */
	struct written arriving;        /* from jumps */
};

struct walk {
	const struct program *p;
	uint32_t n;                     /* words */
	bool geometry;
	components enabled, ever;
	struct place *places;           /* by word */
	unsigned visits, depth;
	uint32_t loop_end;              /* word behind the innermost loop; n: none */
};

static void join(struct written *to, const struct written *from)
{
	if (!from->reached)
		return;
	if (!to->reached)
		*to = (struct written){ .reached = true, .all = ~(components)0 };
	to->by_some |= from->by_some;
	to->all &= from->all;
}

static void arrive(struct walk *w, uint32_t at, const struct written *s)
{
	if (at < w->n)
		join(&w->places[at].arriving, s);
}

static void write_output(struct walk *w, const struct insn *in, struct written *s)
{
	static const uint8_t reversed[16] = { 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15 };

	if (in->dst.shape != OPND_REG || in->dst.reg >= DST_TEMPORARY)
		return;
	components bits = (components)reversed[in->mod[MOD_MASK] & 15] << 4 * in->dst.reg;
	w->places[in->pc / 4].again |= bits & s->by_some;
	w->ever |= bits;
	s->by_some |= bits;
	s->all |= bits;
}

static void walk(struct walk *w, uint32_t from, uint32_t to, struct written *s);

static void walk_if(struct walk *w, const struct insn *in, uint32_t target, struct written *s)
{
	struct written other = *s;

	walk(w, in->pc / 4 + 1, target, s);
	walk(w, target, target + in->mod[MOD_NUM], &other);
	join(s, &other);
}

/* Twice, because the second pass meets the writes of the first. */
static void walk_loop(struct walk *w, const struct insn *in, uint32_t target, struct written *s)
{
	uint32_t outer = w->loop_end;

	w->loop_end = target + 1;
	walk(w, in->pc / 4 + 1, target + 1, s);
	struct written once = *s;
	walk(w, in->pc / 4 + 1, target + 1, s);
	join(s, &once);
	w->loop_end = outer;
}

static void walk_call(struct walk *w, const struct insn *in, uint32_t target, bool always, struct written *s)
{
	struct written before = *s;

	walk(w, target, target + in->mod[MOD_NUM], s);
	if (!always)
		join(s, &before);
}

static void walk_end(struct walk *w, const struct insn *in, struct written *s)
{
	if (!w->geometry)
		w->places[in->pc / 4].missing |= w->enabled & ~s->all;
	s->reached = false;
}

/* Follow an instruction; returns the word where its block goes on. */
static uint32_t follow(struct walk *w, const struct insn *in, struct written *s)
{
	uint32_t next = in->pc / 4 + 1, target = (uint32_t)in->src[0].value / 4;

	switch (in->row->exec) {
	case PICA_EXEC_ifc: case PICA_EXEC_ifu:
		walk_if(w, in, target, s);
		return target + in->mod[MOD_NUM] > next ? target + in->mod[MOD_NUM] : next;
	case PICA_EXEC_loop:
		walk_loop(w, in, target, s);
		return target + 1 > next ? target + 1 : next;
	case PICA_EXEC_call:
		walk_call(w, in, target, true, s);
		return next;
	case PICA_EXEC_callc: case PICA_EXEC_callu:
		walk_call(w, in, target, false, s);
		return next;
	case PICA_EXEC_jmpc: case PICA_EXEC_jmpu:
		arrive(w, target, s);
		return next;
	case PICA_EXEC_breakc:
		arrive(w, w->loop_end, s);
		return next;
	case PICA_EXEC_break:
		arrive(w, w->loop_end, s);
		s->reached = false;
		return next;
	case PICA_EXEC_end:
		walk_end(w, in, s);
		return next;
	case PICA_EXEC_emit:
		s->by_some = 0;
		return next;
	default:
		write_output(w, in, s);
		return next;
	}
}

/* The words from … to - 1 in order. A jump ahead meets its target in order; a jump back is not followed again. */
static void walk(struct walk *w, uint32_t from, uint32_t to, struct written *s)
{
	if (w->depth == MAX_DEPTH)
		return;
	w->depth++;
	while (from < to && from < w->n && w->visits < MAX_VISITS) {
		struct place *at = &w->places[from];
		join(s, &at->arriving);
		at->arriving = (struct written){ 0 };
		if (!s->reached) {
			from++;
			continue;
		}
		at->visited = true;
		w->visits++;
		from = follow(w, program_at(w->p, 4 * from), s);
	}
	w->depth--;
}

/* ---- findings ---- */

struct reporter {
	isa_report_fn *report;
	void *context;
};

/* A line for each register: "o1.xy" and the rest of the sentence. */
static void report_components(const struct reporter *t, uint32_t pc, components bits, const char *sentence)
{
	for (unsigned reg = 0; reg < SHADER_VECTORS; reg++) {
		char text[160], names[5] = "";
		unsigned n = 0;
		for (unsigned k = 0; k < 4; k++)
			if (bits >> (4 * reg + k) & 1)
				names[n++] = "xyzw"[k];
		if (!n)
			continue;
		snprintf(text, sizeof text, "o%u.%s %s", reg, names, sentence);
		t->report(t->context, pc, text);
	}
}

static bool is(const struct walk *w, uint32_t at, unsigned exec)
{
	return at < w->n && w->places[at].visited && program_at(w->p, 4 * at)->row->exec == exec;
}

static void check_inputs(const struct reporter *t, const struct insn *in)
{
	char text[160];
	int first = -1;

	for (int i = 0; i < 3; i++) {
		const struct opnd *o = &in->src[i];
		if (o->shape != OPND_REG || o->file != FILE_SRC || o->reg >= SRC_TEMPORARY)
			continue;
		if (first >= 0 && o->reg != first) {
			snprintf(text, sizeof text, "v%d and v%u in one instruction: the hardware reads one input "
				 "register", first, o->reg);
			t->report(t->context, in->pc, text);
			return;
		}
		first = o->reg;
	}
}

/* Two nested loops that end on the same instruction: the inner or the outer does not end. */
static void check_loop(const struct walk *w, const struct reporter *t, const struct insn *in)
{
	for (uint32_t at = 0; at < in->pc / 4; at++) {
		const struct insn *outer = program_at(w->p, 4 * at);
		char text[160];
		if (!is(w, at, PICA_EXEC_loop) || outer->src[0].value != in->src[0].value)
			continue;
		snprintf(text, sizeof text, "this loop ends on the same instruction as the loop at pc 0x%x: put a nop "
			 "between the ends", outer->pc);
		t->report(t->context, in->pc, text);
	}
}

static void check_place(const struct walk *w, const struct reporter *t, uint32_t at)
{
	const struct insn *in = program_at(w->p, 4 * at);
	const struct place *place = &w->places[at];

	if (!place->visited)
		return;
	if (is(w, at, PICA_EXEC_mova) && is(w, at + 1, PICA_EXEC_mova))
		t->report(t->context, in->pc, "two mova in a row freeze the hardware: put something between them");
	if (is(w, at, PICA_EXEC_loop))
		check_loop(w, t, in);
	check_inputs(t, in);
	report_components(t, in->pc, place->again & w->enabled,
			"is written again here: the hardware hangs unless each component is written once");
	report_components(t, in->pc, place->missing & w->ever,
			"is not written on some way to this end: the hardware hangs");
}

static components enabled_outputs(const struct shader_entry *e)
{
	components all = 0;

	for (uint32_t i = 0; e && i < e->noutputs; i++)
		if (e->output[i].reg < SHADER_VECTORS)
			all |= (components)(e->output[i].mask & 15) << 4 * e->output[i].reg;
	return all;
}

bool pica_lint(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
	       void *context)
{
	struct walk w = {
		.p = p, .n = p->code_bytes / 4, .geometry = p->target.mode == PICA_GS,
		.enabled = enabled_outputs(k->entry_point), .loop_end = p->code_bytes / 4,
	};
	const struct reporter t = { report, context };
	struct written start = { .reached = true };

	w.places = ARENA_ARRAY(a, struct place, w.n + 1);
	if (!w.places)
		return false;
	walk(&w, p->entry / 4, w.n, &start);
	report_components(&t, p->entry, w.enabled & ~w.ever, "is an output and never written: the hardware hangs");
	for (uint32_t at = 0; at < w.n; at++)
		check_place(&w, &t, at);
	return true;
}
