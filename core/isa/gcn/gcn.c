/* The table of gcn.def, expanded. */
#include "core/isa/gcn/gcn.h"

#include <stdio.h>
#include <string.h>

#include "core/isa/gcn/issue.h"
#include "core/isa/gcn/ops.h"

#define ROW(encoding_, si, ci, vi, g9, name_, d_, s0_, s1_, s2_, kind_, class_, flags_) \
	{ .op = { si, ci, vi, g9 }, .encoding = ENC_##encoding_, .d = T_##d_, .s = { T_##s0_, T_##s1_, T_##s2_ }, \
	  .flags = flags_ },
const struct gcn_row gcn_rows[] = {
#include "core/isa/gcn/gcn.def"
};

#define EXEC_SCALAR(name, class) GCN_EXEC_##name
#define EXEC_SOP_WORD EXEC_SCALAR
#define EXEC_SOP_WIDE EXEC_SCALAR
#define EXEC_SOP_SAVE EXEC_SCALAR
#define EXEC_BRANCH EXEC_SCALAR
#define EXEC_IDLE EXEC_SCALAR
#define EXEC_LANES EXEC_SCALAR
#define EXEC_HANDLED EXEC_SCALAR
#define EXEC_SAME(name, executor) GCN_EXEC_##executor
#define ROW(encoding_, si, ci, vi, g9, name_, d_, s0_, s1_, s2_, kind_, class_, flags_) \
	{ .form = ENC_##encoding_, .text = #name_, .modes = 1, .exec = EXEC_##kind_(name_, class_) },
static const struct isa_row rows[] = {
#include "core/isa/gcn/gcn.def"
};

#define FORM(name_, bytes) [ENC_##name_] = { .name = #name_, .length = bytes, .align = 4, .prefix = "" },
static const struct isa_form forms[] = { GCN_ENCODINGS(FORM) };

#define EVERY(name_, class_) { .name = #name_, .meaning = "", .lat = LAT_##class_ },
static const struct isa_exec_info execs[] = {
	{ .name = "none", .meaning = "", .lat = LAT_ALU },
#include "core/isa/gcn/gcn.def"
};

#define TYPE_BYTES(name, bytes) [T_##name] = bytes,
const uint8_t gcn_type_bytes[T_COUNT] = { GCN_TYPES(TYPE_BYTES) };

/* The chips that stand for the generations, and other names of them: LLVM's. */
static const struct isa_name chips[] = {
	{ "tahiti", 1 << GCN_10 }, { "bonaire", 1 << GCN_11 }, { "tonga", 1 << GCN_12 }, { "gfx900", 1 << GCN_14 },
	{ NULL, 0 }
};
static const struct isa_name modes[] = { { "cp", 1 }, { NULL, 0 } };

#define TYPE_NAME(name, bytes) [T_##name] = #name,
static const char *const type_names[T_COUNT] = {
	GCN_TYPES(TYPE_NAME)
	[T_SIMM] = "signed 16 bits", [T_UIMM] = "16 bits", [T_ZERO] = "16 bits or nothing", [T_REL] = "target",
	[T_WAIT] = "counters", [T_MSG] = "message", [T_HWREG] = "hardware register", [T_IMM8] = "8 bits",
	[T_IMM32] = "32 bits",
};

/* "opcode 3 3 1 1", "all": the numbers on the generations, and the chips that have one. */
static void describe_opcodes(const struct gcn_row *r, char *bits, char *in, size_t size)
{
	size_t nb = (size_t)snprintf(bits, size, "opcode"), nc = 0;

	*in = 0;
	for (unsigned g = 0; g < GCN_GENERATIONS; g++) {
		if (r->op[g] >= NO) {
			nb += (size_t)snprintf(bits + nb, size - nb, " -");
			continue;
		}
		nb += (size_t)snprintf(bits + nb, size - nb, " %u", r->op[g]);
		nc += (size_t)snprintf(in + nc, size - nc, "%s%s", nc ? " " : "", chips[g].name);
	}
	if (strlen(in) == strlen("tahiti bonaire tonga gfx900"))
		snprintf(in, size, "all");
}

/* "v_add_f32 F32 = F32, F32", and what describe_opcodes says. */
static void describe(unsigned i, char *text, char *bits, char *in, size_t size)
{
	const struct gcn_row *r = &gcn_rows[i];
	size_t nt = (size_t)snprintf(text, size, "%s", rows[i].text);
	if (r->d != T___)
		nt += (size_t)snprintf(text + nt, size - nt, " %s", type_names[r->d]);
	for (unsigned s = 0, n = 0; s < 3; s++)
		if (r->s[s] != T___)
			nt += (size_t)snprintf(text + nt, size - nt, "%s%s", n++ ? ", " : r->d == T___ ? " " : " = ",
					       type_names[r->s[s]]);
	describe_opcodes(r, bits, in, size);
}

const struct isa_table gcn_table = {
	.name = "gcn", .title = "AMD GCN 1.0 to 1.4",
	.form = forms, .nform = ENC_COUNT,
	.row = rows, .nrow = sizeof(rows) / sizeof(*rows),
	.exec = execs, .nexec = GCN_EXEC_COUNT, .issue = &gcn_issue,
	.chips = chips, .modes = modes, .chip = "gfx900", .mode = "cp",
	.unit = 4, .describe = describe, .compiler = "clang -mcpu=",
};
