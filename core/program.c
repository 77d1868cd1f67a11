/* Decoding of a program, in place; the outputs of threads. */
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
