/* Decoding of a program, a word at a time and in place; the outputs of threads. */
#include "core/program.h"

#include <string.h>

bool program_decode(struct program *p, struct arena *a)
{
	p->insn = ARENA_ARRAY(a, struct insn, p->code_bytes / 4 + 1);
	if (!p->insn)
		return false;
	for (uint32_t pc = 0; pc < p->code_bytes; pc += 4)
		p->target.isa->decode(&p->target, p->code, p->code_bytes, pc, &p->insn[pc / 4]);
	return true;
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
