/* Decoding a program, every word where it stands. */
#include "core/program.h"

bool program_decode(struct program *p, struct arena *a)
{
	p->insn = ARENA_ARRAY(a, struct insn, p->code_bytes / 4 + 1);
	if (!p->insn)
		return false;
	for (uint32_t pc = 0; pc < p->code_bytes; pc += 4)
		p->target.isa->decode(&p->target, p->code, p->code_bytes, pc, &p->insn[pc / 4]);
	return true;
}
