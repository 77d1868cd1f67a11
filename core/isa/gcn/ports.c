/* Registers read and written by GCN instructions, for the scheduler: vector registers, then scalar registers by source
 * code, then scc; and the edges of control flow. */
#include <stdio.h>

#include "core/isa/gcn/gcn.h"
#include "core/isa/gcn/names.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/gcn/run.h"
#include "core/program.h"

static void add(uint16_t list[], uint8_t *n, unsigned most, const struct opnd *o)
{
	unsigned words = o->width > 4 ? (o->width + 3u) / 4 : 1, first = o->reg;

	if (o->shape != OPND_REG || o->file > FILE_S)
		return;
	if (o->file == FILE_S)
		first += GCN_PORT_S;
	for (unsigned i = 0; i < words && *n < most && first + i < GCN_PORT_SCC; i++)
		list[(*n)++] = (uint16_t)(first + i);
}

static void add_code(uint16_t list[], uint8_t *n, unsigned most, unsigned code)
{
	if (*n < most)
		list[(*n)++] = (uint16_t)(GCN_PORT_S + code);
}

/* Wait counters of an instruction: of vector memory, and of LDS and scalar memory; flat counts in both. */
static uint8_t counters_of(const struct gcn_row *row)
{
	switch (row->encoding) {
	case ENC_MUBUF:
	case ENC_MTBUF:
	case ENC_GLOBAL:
	case ENC_SCRATCH:
		return 1 << COUNTER_VM;
	case ENC_FLAT:
		return 1 << COUNTER_VM | 1 << COUNTER_LGKM;
	case ENC_DS:
	case ENC_SMEM:
		return 1 << COUNTER_LGKM;
	}
	return 0;
}

/* s_waitcnt: vmcnt [3:0] and from 1.4 on [15:14] above, lgkmcnt [11:8]; all ones do not wait. */
static void waits_for(const struct program *p, const struct insn *in, struct ports *out)
{
	uint32_t v = (uint32_t)in->src[0].value;
	bool wide = gcn_generation(&p->target) == GCN_14;
	uint32_t vm = (v & 15) | (wide ? v >> 14 << 4 & 0x30 : 0), lgkm = v >> 8 & 15;

	out->upto[COUNTER_VM] = (uint8_t)vm;
	out->upto[COUNTER_LGKM] = (uint8_t)lgkm;
	out->waits = (uint8_t)((vm < (wide ? 63 : 15) ? 1 << COUNTER_VM : 0) | (lgkm < 15 ? 1 << COUNTER_LGKM : 0));
}

static bool is_scalar(unsigned encoding)
{
	return encoding == ENC_SOPP || encoding == ENC_SOP1 || encoding == ENC_SOP2 || encoding == ENC_SOPC ||
	       encoding == ENC_SOPK;
}

/* Scalar arithmetic reads and writes scc; which instruction reads scc does not matter in a compiled program. */
void gcn_ports(const struct program *p, const struct insn *in, struct ports *out)
{
	const struct gcn_row *row;

	*out = (struct ports){ .lat = LAT_FLOW };
	if (!in->row)
		return;
	row = gcn_row_of(in);
	out->lat = gcn_table.exec[in->row->exec].lat;
	if (out->lat == LAT_ALU && is_scalar(row->encoding))
		out->lat = LAT_SALU;
	if (in->row->exec == GCN_EXEC_s_nop)
		out->lat = LAT_SALU;
	out->counts = counters_of(row);
	if (in->row->exec == GCN_EXEC_s_waitcnt)
		waits_for(p, in, out);
	out->by_all = insn_by_all(in);
	for (int i = 0; i < ISA_MAX_SRC; i++)
		add(out->read, &out->nread, PORTS_READ, &in->src[i]);
	add(out->write, &out->nwrite, PORTS_WRITE, &in->dst);
	if (in->flags_dst != FLAGS_NONE) {
		add_code(out->write, &out->nwrite, PORTS_WRITE, in->flags_dst);
		add_code(out->write, &out->nwrite, PORTS_WRITE, in->flags_dst + 1u);
	}
	if (row->flags & CARRY_IN && in->src[2].shape == OPND_NONE) {
		add_code(out->read, &out->nread, PORTS_READ, CODE_VCC);
		add_code(out->read, &out->nread, PORTS_READ, CODE_VCC + 1);
	}
	if (is_scalar(row->encoding) && row->encoding != ENC_SOPP) {
		add_code(out->read, &out->nread, PORTS_READ, GCN_PORT_SCC - GCN_PORT_S);
		add_code(out->write, &out->nwrite, PORTS_WRITE, GCN_PORT_SCC - GCN_PORT_S);
	}
}

/* "v7", "s4", "vcc_hi", "m0", "scc". */
void gcn_port_name(unsigned port, char *text, size_t size)
{
	unsigned code = port - GCN_PORT_S;

	if (port < GCN_PORT_S) {
		snprintf(text, size, "v%u", port);
		return;
	}
	snprintf(text, size, "s%u", code);
	if (port == GCN_PORT_SCC || code == CODE_M0)
		snprintf(text, size, port == GCN_PORT_SCC ? "scc" : "m0");
	for (const struct gcn_named *n = gcn_named; n->name && port < GCN_PORT_SCC; n++)
		if (code / 2 == n->code / 2u)
			snprintf(text, size, "%s_%s", n->name, code & 1 ? "hi" : "lo");
}

/* Calls and jumps by address go to where is not known. */
bool gcn_edges(const struct program *p, struct isa_edge (*edge)[2])
{
	uint32_t n = p->code_bytes / 4;

	for (uint32_t i = 0; i < n; i++) {
		const struct insn *in = &p->insn[i];
		unsigned exec = in->row ? in->row->exec : GCN_EXEC_s_endpgm;
		bool ends = exec == GCN_EXEC_s_endpgm || exec == GCN_EXEC_s_setpc_b64;
		edge[i][0] = (struct isa_edge){ ends ? p->code_bytes : in->pc + in->length, EDGE_NEXT };
		if (in->row && in->src[0].shape == OPND_TARGET && (uint32_t)in->src[0].value < p->code_bytes)
			edge[i][1] = (struct isa_edge){ (uint32_t)in->src[0].value,
							exec == GCN_EXEC_s_call_b64 ? EDGE_CALL : EDGE_BRANCH };
		if (exec == GCN_EXEC_s_branch)
			edge[i][0] = (struct isa_edge){ 0, EDGE_NONE };
	}
	return true;
}
