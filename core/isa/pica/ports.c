/* Registers read and written by each instruction, for the scoreboard: r0 … r15, then a0.x, a0.y, aL, then the flags.
 * Inputs and uniforms never wait, outputs are never read. */
#include <stdio.h>

#include "core/isa/ports.h"
#include "core/isa/pica/exec.h"

enum { PORT_A = SHADER_VECTORS, PORT_FLAGS = PORT_A + 3 };
_Static_assert(PORT_FLAGS + 1 == PICA_SCOREBOARD, "every register has a scoreboard entry");

static bool has_condition(unsigned exec)
{
	return exec == PICA_EXEC_ifc || exec == PICA_EXEC_callc || exec == PICA_EXEC_jmpc || exec == PICA_EXEC_breakc;
}

/* The registers written beside the destination. */
static void hidden_writes(unsigned exec, const struct insn *in, struct ports *p)
{
	if (exec == PICA_EXEC_cmp || exec == PICA_EXEC_litp)
		ports_write(p, PORT_FLAGS);
	if (exec == PICA_EXEC_loop)
		ports_write(p, PORT_A + 2);
	for (unsigned k = 0; exec == PICA_EXEC_mova && k < 2; k++)
		if (in->mod[MOD_MASK] >> (3 - k) & 1)
			ports_write(p, PORT_A + k);
}

void pica_ports(const struct program *p, const struct insn *in, struct ports *out)
{
	unsigned exec = in->row->exec;

	*out = (struct ports){ .lat = pica_table.exec[exec].lat };
	for (int i = 0; i < 3; i++)
		if (in->src[i].shape == OPND_REG && in->src[i].file == FILE_SRC && in->src[i].reg >= SRC_TEMPORARY &&
		    in->src[i].reg < SRC_UNIFORM)
			ports_read(out, in->src[i].reg - SRC_TEMPORARY);
	if (in->mod[MOD_INDEX])
		ports_read(out, PORT_A + in->mod[MOD_INDEX] - 1u);
	if (has_condition(exec))
		ports_read(out, PORT_FLAGS);
	if (in->dst.shape == OPND_REG && in->dst.reg >= DST_TEMPORARY)
		ports_write(out, in->dst.reg - DST_TEMPORARY);
	hidden_writes(exec, in, out);
}

void pica_port_name(unsigned port, char *text, size_t size)
{
	static const char *const others[] = { "a0.x", "a0.y", "aL", "cmp" };

	if (port < PORT_A)
		snprintf(text, size, "r%u", port);
	else
		snprintf(text, size, "%s", others[port - PORT_A]);
}
