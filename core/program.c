/* Decoding of a program, in place, and the part of its code that lanes may reach; the outputs of threads. */
#include "core/program.h"

#include <stdlib.h>
#include <string.h>

/* Addresses where decoding still has to begin. */
struct starts {
	uint32_t *pc, n;
};

/* Decode from pc on, up to an instruction that is decoded already. False: an instruction may lead anywhere. */
static bool decode_from(struct program *p, uint32_t pc, struct starts *s)
{
	const struct isa_ops *isa = p->target.isa;

	while (pc < p->code_bytes && !p->insn[pc / 4].length) {
		struct insn *in = &p->insn[pc / 4];
		uint32_t to;
		isa->decode(&p->target, p->code, p->code_bytes, pc, in);
		to = isa->leads(in);
		if (to == PC_ANYWHERE)
			return false;
		if (to < p->code_bytes && !p->insn[to / 4].length)
			s->pc[s->n++] = to / 4 * 4;
		pc += in->length;
	}
	return true;
}

/* Decode from the first byte, the entry and all targets of jumps on. False: an instruction may lead anywhere. */
static bool decode_reached(struct program *p, struct starts *s)
{
	bool known = decode_from(p, 0, s) && decode_from(p, p->entry / 4 * 4, s);

	while (known && s->n)
		known = decode_from(p, s->pc[--s->n], s);
	return known;
}

/* Words of code that lanes may go through, and words from which nothing was followed yet. */
struct reach {
	struct isa_edge (*edge)[2];
	bool *seen;
	uint32_t *pending, n, words;
};

/* False: lanes go to an address that the code does not say. */
static bool follow(struct reach *r, const struct isa_edge *e)
{
	uint32_t word = e->to / 4;

	if (e->kind == EDGE_NONE || (e->kind == EDGE_NEXT && word >= r->words))
		return true;
	if (word < r->words && !r->seen[word]) {
		r->seen[word] = true;
		r->pending[r->n++] = word;
	}
	return word < r->words;
}

static bool follow_all(struct program *p, struct reach *r)
{
	const struct isa_ops *isa = p->target.isa;
	uint32_t first = p->entry, behind = p->entry;

	if (!follow(r, &(struct isa_edge){ p->entry, EDGE_BRANCH }))
		return false;
	while (r->n) {
		const struct insn *in = &p->insn[r->pending[--r->n]];
		uint32_t word = (uint32_t)(in - p->insn);
		first = 4 * word < first ? 4 * word : first;
		uint32_t end = 4 * word + (in->length ? in->length : 4);
		behind = end > behind ? end : behind;
		if ((isa->leads && isa->leads(in) == PC_ANYWHERE) || !follow(r, &r->edge[word][0]) ||
		    !follow(r, &r->edge[word][1]))
			return false;
	}
	p->reach_begin = first;
	p->reach_end = behind < p->code_bytes ? behind : p->code_bytes;
	return true;
}

bool program_find_reach(struct program *p)
{
	struct arena scratch = { 0 };
	struct reach r = { .words = p->code_bytes / 4 };

	p->reach_begin = 0;
	p->reach_end = p->code_bytes;
	if (!p->target.isa->edges)
		return true;
	r.edge = arena_alloc(&scratch, (r.words + 1) * sizeof *r.edge, _Alignof(struct isa_edge));
	r.seen = ARENA_ARRAY(&scratch, bool, r.words + 1);
	r.pending = ARENA_ARRAY(&scratch, uint32_t, r.words + 1);
	bool ok = r.edge && r.seen && r.pending && p->target.isa->edges(p, r.edge);
	if (ok)
		follow_all(p, &r);
	arena_free(&scratch);
	return ok;
}

bool program_decode(struct program *p, struct arena *a)
{
	uint32_t words = p->code_bytes / 4;
	struct starts s = { .pc = p->target.isa->leads ? malloc((words + 1) * sizeof *s.pc) : NULL };
	bool all;

	p->insn = ARENA_ARRAY(a, struct insn, words + 1);
	all = p->insn && !(s.pc && decode_reached(p, &s));
	free(s.pc);
	for (uint32_t i = 0; all && i < words; i++)
		if (!p->insn[i].length)
			p->target.isa->decode(&p->target, p->code, p->code_bytes, 4 * i, &p->insn[i]);
	return p->insn;
}

void stream_clear(const struct stream *s)
{
	size_t most = s->emit_most ? s->emit_most : 1, words = s->out_words + (s->planes != NULL);

	if (s->out)
		memset(s->out, 0, s->threads * most * words * sizeof *s->out);
	if (s->emitted)
		memset(s->emitted, 0, s->threads * sizeof *s->emitted);
	if (s->ends)
		memset(s->ends, 0, s->threads * most);
}
