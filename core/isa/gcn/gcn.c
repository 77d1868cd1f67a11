/* The table of gcn.def, expanded. */
#include "core/isa/gcn/gcn.h"

#include "core/isa/gcn/ops.h"

#define ROW(encoding_, si, ci, vi, g9, name_, d_, s0_, s1_, s2_, exec_, flags_) \
	{ .op = { si, ci, vi, g9 }, .encoding = ENC_##encoding_, .d = T_##d_, .s = { T_##s0_, T_##s1_, T_##s2_ }, \
	  .flags = flags_ },
const struct gcn_row gcn_rows[] = {
#include "core/isa/gcn/gcn.def"
};

#define ROW(encoding_, si, ci, vi, g9, name_, d_, s0_, s1_, s2_, exec_, flags_) \
	{ .form = ENC_##encoding_, .text = #name_, .modes = 1, .exec = GCN_EXEC_##exec_ },
static const struct isa_row rows[] = {
#include "core/isa/gcn/gcn.def"
};

#define FORM(name_) [ENC_##name_] = { .name = #name_, .length = 4, .align = 4, .prefix = "" },
static const struct isa_form forms[] = { GCN_ENCODINGS(FORM) };

#define EXEC_INFO(name_, lat_) { .name = #name_, .meaning = "", .lat = lat_ },
static const struct isa_exec_info execs[] = { GCN_EXEC_LIST(EXEC_INFO) };

#define TYPE_BYTES(name, bytes) [T_##name] = bytes,
const uint8_t gcn_type_bytes[T_COUNT] = { GCN_TYPES(TYPE_BYTES) };

/* The chips that stand for the generations, and other names of them: LLVM's. */
static const struct isa_name chips[] = {
	{ "tahiti", 1 << GCN_10 }, { "bonaire", 1 << GCN_11 }, { "tonga", 1 << GCN_12 }, { "gfx900", 1 << GCN_14 },
	{ NULL, 0 }
};
static const struct isa_name modes[] = { { "cp", 1 }, { NULL, 0 } };

const struct isa_table gcn_table = {
	.name = "gcn", .title = "AMD GCN 1.0 to 1.4",
	.form = forms, .nform = ENC_COUNT,
	.row = rows, .nrow = sizeof(rows) / sizeof(*rows),
	.exec = execs, .nexec = GCN_EXEC_COUNT, .issue = &gcn_issue,
	.chips = chips, .modes = modes, .chip = "gfx900", .mode = "cp",
	.unit = 4,
};
