/* Registers read and written by GCN instructions, for the scheduler: vector registers, then scalar registers by source
 * code, then scc; and the edges of control flow. */
#include <stdio.h>

#include "core/isa/gcn/gcn.h"
#include "core/isa/gcn/issue.h"
#include "core/isa/gcn/names.h"
#include "core/isa/gcn/ops.h"
#include "core/isa/gcn/run.h"
#include "core/program.h"
#include "core/rules.h"

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
	case ENC_MIMG:
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

/* ---- cycles ---- */

static unsigned words_of(enum gcn_type t)
{
	return gcn_type_bytes[t] / 4u;
}

/* Words of a lane on the way to LDS, at 16 lanes a cycle from its SIMD: the address and the data; of a load, the data
 * that come back. CLRX's table of cycles is 4 a word; three words are read as four. */
static unsigned lds_words(const struct gcn_row *row)
{
	unsigned back = words_of(row->d), data = words_of(row->s[1]) + words_of(row->s[2]);

	if (data)
		return 1 + data;
	return back == 3 ? 4 : back ? back : 1;
}

static bool takes_vmem(unsigned lat)
{
	return lat == LAT_GLOBAL || lat == LAT_LOCAL || lat == LAT_ATOMIC;
}

/* Times of vmem.hold, 8 cycles: a load of one word once; of more words, stores and atomics twice; cmpswap, which sends
 * two values, four times. */
static unsigned vmem_holds(const struct gcn_row *row, const struct insn *in, unsigned lat)
{
	if (lat == LAT_ATOMIC)
		return words_of(row->s[0]) > words_of(row->d) ? 4 : 2;
	if (row->encoding == ENC_MIMG)
		return in->dst.width == 4 ? 1 : 2;
	return row->d && words_of(row->d) == 1 ? 1 : 2;
}

/* Words of a lane's data; of an image by dmask. */
static unsigned vmem_words(const struct gcn_row *row, const struct insn *in)
{
	if (row->encoding == ENC_MIMG)
		return (in->dst.shape == OPND_REG ? in->dst : in->src[0]).width / 4u;
	return words_of(row->d ? row->d : row->s[0]);
}

/* Times of salu.hold, 4 cycles: an instruction that reads and writes EXEC, or writes the mode, takes 8; so do scalar
 * loads of 8 words, and loads of 16 words 16 to 24. s_nop has its number (AMD, GCN3 manual: 1 to 16 times). */
static unsigned scalar_holds(const struct gcn_row *row, const struct insn *in)
{
	unsigned exec = in->row->exec;

	if (row->encoding == ENC_SMEM)
		return row->d == T_B512 ? 5 : row->d == T_B256 ? 2 : 1;
	if (exec == GCN_EXEC_s_nop && row->encoding == ENC_SOPP)
		return (uint32_t)in->src[0].value % 16 + 1;
	if (exec == GCN_EXEC_s_setreg_b32 || exec == GCN_EXEC_s_setreg_imm32_b32)
		return 2;
	return row->flags & EXEC_OPERAND ? 2 : 1;
}

static void times_of(const struct gcn_row *row, const struct insn *in, struct ports *out)
{
	if (out->lat == LAT_SHARED) {
		out->takes = out->holds = (uint8_t)lds_words(row);
	} else if (takes_vmem(out->lat)) {
		unsigned words = vmem_words(row, in);
		out->takes = (uint8_t)(words ? words : 1);
		out->holds = (uint8_t)vmem_holds(row, in, out->lat);
	} else if (out->lat == LAT_SALU || out->lat == LAT_CONST) {
		out->holds = (uint8_t)scalar_holds(row, in);
	} else if (in->row->exec == GCN_EXEC_v_swap_b32) {
		out->takes = 2;
	}
}

/* Code comes in blocks of 8 words (CLRX GcnTimings, GCN 1.0 and 1.1): an instruction of two words is on time in the
 * first three words; behind a branch that is not taken, code is on time in the first four; at a target further on, in
 * the first five. */
static void late_code(const struct insn *in, const struct gcn_row *row, struct ports *out)
{
	enum { BLOCK = 8, PAIRS = 3, BRANCHES = 4, TARGETS = 5 };
	unsigned word = in->pc / 4 % BLOCK;

	out->late_before = in->length == 8 && word >= PAIRS;
	if (row->flags & (TESTS_SCC | TESTS_VCC | TESTS_EXEC) && word >= BRANCHES)
		out->late_after = (uint8_t)(word - BRANCHES + 1);
	if (in->src[0].shape == OPND_TARGET && (uint32_t)in->src[0].value > in->pc) {
		unsigned target = (uint32_t)in->src[0].value / 4 % BLOCK;
		out->late_jump = (uint8_t)(target >= TARGETS ? target - TARGETS + 1 : 0);
	}
}

static bool writes_code(const struct ports *out, unsigned code)
{
	for (unsigned i = 0; i < out->nwrite; i++)
		if (out->write[i] == GCN_PORT_S + code)
			return true;
	return false;
}

/* Is the next instruction in order a branch by a flag of this one? (CLRX GcnTimings, "Instruction scheduling") */
static bool is_tested(const struct program *p, const struct insn *in, const struct ports *out)
{
	uint32_t next = (in->pc + in->length) / 4;
	uint32_t tests = next < p->code_bytes / 4 && p->insn[next].row ? gcn_row_of(&p->insn[next])->flags : 0;
	uint32_t flags = gcn_row_of(in)->flags;
	bool scalar = out->lat == LAT_SALU, vcc = writes_code(out, CODE_VCC);

	if (tests & TESTS_SCC)
		return vcc || (scalar && (flags & SETS_SCC || gcn_writes_exec(in)));
	if (tests & TESTS_VCC)
		return vcc;
	return tests & TESTS_EXEC && gcn_writes_exec(in) && (scalar || flags & WRITES_EXEC);
}

/* A vector result in scalar registers: the carry of an integer addition, a lane's value, a comparison. */
static bool is_late(const struct gcn_row *row, unsigned exec, const struct insn *in)
{
	return exec == GCN_EXEC_v_readlane_b32 || exec == GCN_EXEC_v_readfirstlane_b32 || row->encoding == ENC_VOPC ||
	       (row->flags & CARRY_OUT && in->flags_dst != FLAGS_NONE);
}

static void cycles_of(const struct program *p, const struct insn *in, struct ports *out)
{
	const struct gcn_row *row = gcn_row_of(in);
	unsigned exec = in->row->exec;

	if (out->lat == LAT_ALU && row->encoding == ENC_VOPC)
		out->lat = LAT_CMP;
	times_of(row, in, out);
	late_code(in, row, out);
	out->tested = is_tested(p, in, out);
	if (is_late(row, exec, in))
		out->late = GCN_PORT_CARRY + 1;
	if (out->lat == LAT_SALU && row->encoding != ENC_SOPP && out->nread < PORTS_READ)
		out->read[out->nread++] = GCN_PORT_CARRY;
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
	if (in->row->exec == GCN_EXEC_s_incperflevel)
		out->event = (uint8_t)((uint32_t)in->src[0].value % PM_EVENTS + 1);
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
	cycles_of(p, in, out);
}

/* "v7", "s4", "vcc_hi", "m0", "scc"; "carry" for a vector instruction's result in any scalar register. */
void gcn_port_name(unsigned port, char *text, size_t size)
{
	unsigned code = port - GCN_PORT_S;

	if (port < GCN_PORT_S) {
		snprintf(text, size, "v%u", port);
		return;
	}
	snprintf(text, size, "s%u", code);
	if (port == GCN_PORT_CARRY)
		snprintf(text, size, "carry");
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
		if (exec == GCN_EXEC_s_setpc_b64 || exec == GCN_EXEC_s_swappc_b64 ||
		    exec == GCN_EXEC_s_cbranch_g_fork || exec == GCN_EXEC_s_cbranch_join)
			edge[i][1] = (struct isa_edge){ p->code_bytes, EDGE_CALL };
		if (exec == GCN_EXEC_s_branch)
			edge[i][0] = (struct isa_edge){ 0, EDGE_NONE };
	}
	return true;
}
