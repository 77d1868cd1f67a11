/* What the code alone says of lanes that part: where they meet, and which loops wait for other lanes. */
#include "core/isa/tesla/reconverge.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/diverge/reconverge.h"
#include "core/isa/table.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/flow.h"

bool reconverge_find(struct program *p, bool joins, struct arena *a)
{
	if (!reconverge_points(p, a))
		return false;
	for (uint32_t i = 0; joins && i < p->code_bytes / 4; i++)
		if (p->reconvergence[i] != RECONVERGE_NOWHERE)
			p->insn[p->reconvergence[i] / 4].acts = MARK_JOIN;
	return true;
}

/* ---- loops that spin ---- */

enum { PORT_C = 128, PORT_A = TESLA_SCOREBOARD - 8 };   /* of $c0 and $a0 (tesla_ports) */

struct port_set {
	uint64_t word[(TESLA_SCOREBOARD + 63) / 64];
};

static bool has_port(const struct port_set *set, unsigned port) { return set->word[port / 64] >> port % 64 & 1; }

/* Did the set grow? */
static bool add_ports(struct port_set *set, const struct port_set *more)
{
	struct port_set old = *set;

	for (size_t k = 0; k < sizeof set->word / sizeof *set->word; k++)
		set->word[k] |= more->word[k];
	return memcmp(&old, set, sizeof old) != 0;
}

/* A loop. holds: by word of the code, whether the word is part of the loop. */
struct loop {
	const struct program *p;
	const struct isa_edge (*edge)[2];
	uint32_t words;
	bool *holds, *leads;
	struct port_set *set;           /* by word: ports whose value depends on the result of a watching instruction */
};

static bool steps(const struct isa_edge *e) { return e->kind == EDGE_NEXT || e->kind == EDGE_BRANCH; }

/* Does a step of lanes lead from word i to a word of `set`, other than `except`? */
static bool steps_into(const struct loop *l, uint32_t i, const bool *set, uint32_t except)
{
	for (int k = 0; k < 2; k++) {
		uint32_t to = l->edge[i][k].to / 4;
		if (steps(&l->edge[i][k]) && to < l->words && to != except && set[to])
			return true;
	}
	return false;
}

/* The loop of a branch at word `back` to word `head`: words from head on that lead to back. Blocks may be anywhere in
 * the code. False: head does not lead to back, and the branch closes no loop. */
static bool find_loop(struct loop *l, uint32_t head, uint32_t back)
{
	bool grows = true;

	memset(l->holds, 0, l->words * sizeof *l->holds);
	memset(l->leads, 0, l->words * sizeof *l->leads);
	l->leads[back] = true;
	for (; grows;) {
		grows = false;
		for (uint32_t i = l->words; i-- > 0;)
			if (!l->leads[i] && steps_into(l, i, l->leads, head))
				l->leads[i] = grows = true;
	}
	l->holds[head] = grows = l->leads[head];
	while (grows) {
		grows = false;
		for (uint32_t i = 0; i < l->words; i++)
			for (int k = 0; k < 2 && l->holds[i]; k++) {
				uint32_t to = l->edge[i][k].to / 4;
				if (steps(&l->edge[i][k]) && to < l->words && l->leads[to] && !l->holds[to])
					l->holds[to] = grows = true;
			}
	}
	return l->holds[back];
}

static bool writes(const struct loop *l, unsigned port)
{
	for (uint32_t i = 0; i < l->words; i++) {
		struct ports ports;
		if (!l->holds[i])
			continue;
		tesla_ports(l->p, &l->p->insn[i], &ports);
		for (unsigned k = 0; k < ports.nwrite; k++)
			if (ports.write[k] == port)
				return true;
	}
	return false;
}

/* Does the program store to the s[] address of a load? Parameters are in s[] as well, and never change. */
static bool is_stored(const struct program *p, const struct opnd *load)
{
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		const struct insn *in = &p->insn[i];
		const struct opnd *o = &in->dst;
		if (in->row && in->row->exec == TESLA_EXEC_st_s && (o->addr_reg || o->value == load->value))
			return true;
	}
	return false;
}

/* Does an instruction of the loop look for a change by other lanes? */
static bool watches(const struct loop *l, const struct insn *in)
{
	const struct opnd *o = &in->src[0];

	switch (in->row ? in->row->exec : TESLA_EXEC_nop) {
	case TESLA_EXEC_atom_g:
		return true;
	case TESLA_EXEC_ld_s:
		if (in->mod[MOD_OP] == 1)
			return true;
		return is_stored(l->p, o) && (!o->addr_reg || !writes(l, PORT_A + o->addr_reg));
	case TESLA_EXEC_ld_g:
		return !writes(l, o->reg);
	default:
		return false;
	}
}

/* The result of a watching instruction: by_word: the word alone, without the flags of a lock. */
struct result {
	uint32_t from;
	bool by_word;
};

/* The set behind the instruction at word i, where `set` is the set before the instruction, and the instruction at word
 * r.from watches; *read: the instruction reads a port of the set. A guarded write leaves what a port had, but by_word
 * the word counts as gone: of a register with two uses, the other loop would retry nothing. */
static struct port_set behind(const struct loop *l, uint32_t i, struct result r, struct port_set set, bool *read)
{
	const struct insn *in = &l->p->insn[i];
	struct ports ports;
	bool brings = i == r.from, none;

	*read = false;
	tesla_ports(l->p, in, &ports);
	for (unsigned k = 0; k < ports.nread; k++)
		*read |= has_port(&set, ports.read[k]);
	brings |= *read;
	for (unsigned k = 0; k < ports.nwrite; k++) {
		uint64_t bit = 1ull << ports.write[k] % 64, *word = &set.word[ports.write[k] / 64];
		none = i == r.from && r.by_word && ports.write[k] >= PORT_C;
		if (brings && !none)
			*word |= bit;
		else if ((in->pred == PRED_ALWAYS || r.by_word) && in->dst.width != 2)
			*word &= ~bit;
	}
	return set;
}

/* Does a branch of the loop depend, through registers, on the result? A loop that counts its turns does not wait for
 * others, whatever happens in a turn. */
static bool decides(const struct loop *l, struct result r)
{
	bool grows = true, read;

	memset(l->set, 0, l->words * sizeof *l->set);
	while (grows) {
		grows = false;
		for (uint32_t i = 0; i < l->words; i++) {
			if (!l->holds[i] || !l->p->insn[i].row)
				continue;
			struct port_set after = behind(l, i, r, l->set[i], &read);
			uint16_t exec = l->p->insn[i].row->exec;
			if (read && (exec == TESLA_EXEC_bra || exec == TESLA_EXEC_brk))
				return true;
			for (int k = 0; k < 2; k++)
				if (steps(&l->edge[i][k]) && l->edge[i][k].to / 4 < l->words)
					grows |= add_ports(&l->set[l->edge[i][k].to / 4], &after);
		}
	}
	return false;
}

/* The branch back of the smallest loop around a watching instruction, and the loop's words; 0: none. retry: the loop
 * that the word of a load with a lock decides, which is around the loop for the lock. */
struct watch {
	uint32_t back, words, retry, retry_words;
};

static bool locks(const struct insn *in)
{
	return in->row && in->row->exec == TESLA_EXEC_ld_s && in->mod[MOD_OP] == 1;
}

static void note_watches(const struct loop *l, uint32_t back, struct watch *by_word)
{
	uint32_t words = 0;

	for (uint32_t i = 0; i < l->words; i++)
		words += l->holds[i];
	for (uint32_t i = 0; i < l->words; i++) {
		struct watch *w = &by_word[i];
		if (!l->holds[i] || !watches(l, &l->p->insn[i]))
			continue;
		if ((!w->words || words < w->words) && decides(l, (struct result){ i, false })) {
			w->back = back;
			w->words = words;
		}
		if (locks(&l->p->insn[i]) && (!w->retry_words || words < w->retry_words) &&
		    decides(l, (struct result){ i, true })) {
			w->retry = back;
			w->retry_words = words;
		}
	}
}

bool reconverge_spins(struct program *p)
{
	struct arena scratch = { 0 };
	uint32_t n = p->code_bytes / 4;
	struct isa_edge (*edge)[2] = arena_alloc(&scratch, (n + 1) * sizeof *edge, _Alignof(struct isa_edge));
	struct watch *by_word = ARENA_ARRAY(&scratch, struct watch, n + 1);
	struct loop l = {
		.p = p, .edge = (const struct isa_edge (*)[2])edge, .words = n,
		.holds = ARENA_ARRAY(&scratch, bool, n + 1), .leads = ARENA_ARRAY(&scratch, bool, n + 1),
		.set = ARENA_ARRAY(&scratch, struct port_set, n + 1),
	};
	bool ok = edge && by_word && l.holds && l.leads && l.set && tesla_edges(p, edge);

	for (uint32_t i = 0; ok && i < n; i++) {
		const struct insn *in = &p->insn[i];
		uint32_t target = (uint32_t)in->src[0].value;
		if (in->row && in->row->exec == TESLA_EXEC_bra && target % 4 == 0 && target <= in->pc &&
		    find_loop(&l, target / 4, i))
			note_watches(&l, i, by_word);
	}
	for (uint32_t i = 0; ok && i < n; i++) {
		if (by_word[i].words)
			p->insn[by_word[i].back].acts |= ACTS_SPINS;
		if (by_word[i].retry_words)
			p->insn[by_word[i].retry].acts |= ACTS_SPINS | ACTS_RETRIES;
	}
	arena_free(&scratch);
	return ok;
}
