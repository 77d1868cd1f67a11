/* What each instruction reads and writes, for the scoreboard: $r by number, then $c0…$c3, then $a0…$a7. */
#include <stdio.h>

#include "core/isa/ports.h"
#include "core/isa/table.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"
#include "core/rules.h"

enum { REGS = 128, PORT_C = REGS, PORT_A = PORT_C + 4 };
_Static_assert(PORT_A + 8 == TESLA_SCOREBOARD, "every register has a scoreboard entry");

static void each_port(const struct opnd *o, struct ports *p, void (*put)(struct ports *, unsigned))
{
	unsigned first = o->width == 2 ? o->reg / 2u : o->reg, n = o->width > 4 ? o->width / 4u : 1;

	if (o->shape == OPND_VECTOR)
		n = (unsigned)__builtin_popcount(o->mask);
	if (o->file == FILE_C)
		put(p, PORT_C + (o->reg & 3));
	else if (o->file == FILE_A)
		put(p, PORT_A + (o->reg & 7));
	else if (o->file == FILE_R)
		for (unsigned i = 0; i < n && first + i < REGS; i++)
			put(p, first + i);
}

/* The registers of an address; a post-increment writes one. */
static void address_ports(const struct opnd *o, struct ports *p)
{
	if (o->file == SPACE_G) {
		ports_read(p, o->reg);
		return;
	}
	if (o->addr_reg)
		ports_read(p, PORT_A + o->addr_reg);
	if (o->post)
		ports_write(p, PORT_A + o->addr_reg);
	p->reads_shared |= o->file == SPACE_S;
}

/* A zero is awaited by nothing. */
static void drop_zero(const struct program *p, struct ports *out)
{
	unsigned n = 0;

	for (unsigned i = 0; i < out->nread; i++)
		if (out->read[i] != TESLA_ZERO || p->nreg > TESLA_ZERO)
			out->read[n++] = out->read[i];
	out->nread = (uint8_t)n;
}

void tesla_ports(const struct program *p, const struct insn *in, struct ports *out)
{
	*out = (struct ports){ .lat = LAT_FLOW };
	if (!in->row)
		return;
	out->lat = tesla_table.exec[in->row->exec].lat;
	if (in->row->exec == TESLA_EXEC_pmevent)
		out->event = (uint8_t)(in->src[0].value % PM_EVENTS + 1);
	for (int i = 0; i < ISA_MAX_SRC; i++) {
		if (in->src[i].shape == OPND_REG || in->src[i].shape == OPND_VECTOR)
			each_port(&in->src[i], out, ports_read);
		else if (in->src[i].shape == OPND_MEM)
			address_ports(&in->src[i], out);
	}
	drop_zero(p, out);
	if (in->pred != PRED_ALWAYS && in->pred != PRED_NEVER)
		ports_read(out, PORT_C + in->pred_reg);
	if (in->dst.shape == OPND_REG || in->dst.shape == OPND_VECTOR)
		each_port(&in->dst, out, ports_write);
	else if (in->dst.shape == OPND_MEM)
		address_ports(&in->dst, out);
	if (in->flags_dst != FLAGS_NONE)
		ports_write(out, PORT_C + (in->flags_dst & 3));
	if (in->constant) {
		const struct opnd *o = &in->src[in->constant - 1];
		out->reads_const = 1;
		out->bank = o->bank;
		out->address = (uint32_t)o->value & 0xffff;
	}
	out->by_all = insn_by_all(in);
	if (out->lat == LAT_SHARED && in->dst.shape == OPND_MEM)
		out->reads_shared = 0;          /* a store */
}

void tesla_port_name(unsigned port, char *text, size_t size)
{
	if (port < PORT_C)
		snprintf(text, size, "$r%u", port);
	else
		snprintf(text, size, port < PORT_A ? "$c%u" : "$a%u", port < PORT_A ? port - PORT_C : port - PORT_A);
}
