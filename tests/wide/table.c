/* The table of wide.def, expanded. */
#include "tests/wide/wide.h"

#include "core/isa/index.h"

#define OP(n) IS(24, 8, n)
#define FIELD(lo_, n_) { lo_, n_, 0, 0 }
#define V(lo_, bytes) .shape = OPND_REG, .file = FILE_V, .width = bytes, .name = "v", .num = FIELD(lo_, 8)
#define M(lo_) .shape = OPND_REG, .file = FILE_M, .width = 8, .name = "m", .num = FIELD(lo_, 3)

#define KIND(name_, place, ...) static const struct isa_alt alt_##name_[] = { __VA_ARGS__ };
#include "tests/wide/wide.def"

#define KIND(name_, place, ...) \
	{ .name = #name_, .to = place, .nalt = sizeof alt_##name_ / sizeof *alt_##name_, .alt = alt_##name_ },
static const struct isa_kind kinds[] = {
#include "tests/wide/wide.def"
};

static const struct isa_form forms[] = { { .name = "WORD", .length = 4, .align = 4, .prefix = "" } };

#define ROW(opcode, fixed, text_, exec_) \
	{ .when = OP(opcode) | (fixed), .text = text_, .modes = WIDE_CP, .exec = WIDE_EXEC_##exec_ },
static const struct isa_row rows[] = {
#include "tests/wide/wide.def"
};

#define EXEC_INFO(name_, lat_, meaning_) { .name = #name_, .meaning = meaning_, .lat = lat_ },
static const struct isa_exec_info execs[] = { WIDE_EXEC_LIST(EXEC_INFO) };

#define UNIT_NAME(name_, text_) text_,
static const char *const units[] = { WIDE_UNITS(UNIT_NAME) };

#define CLASS(name_, text_, unit_, lanes_, latency_, ...) \
	{ .name = text_, .unit = WIDE_UNIT_##unit_, .lanes = lanes_, .latency = latency_, __VA_ARGS__ },
static const struct issue_class classes[] = { WIDE_CLASSES(CLASS) };

#define COUNTER(name_, text_, most_) { text_, most_ },
static const struct wait_counter counters[] = { WIDE_COUNTERS(COUNTER) };

static const struct issue_model issue = {
	.unit = units, .nunits = WIDE_UNIT_COUNT, .class = classes, .nclasses = WIDE_CLASS_COUNT,
	.counter = counters, .ncounters = WIDE_COUNTER_COUNT, .simd_units = 1 << WIDE_UNIT_VALU,
};

static const struct isa_name chips[] = { { "wide64", 0 }, { "wide64s", 0 }, { NULL, 0 } };
static const struct isa_name modes[] = { { "cp", WIDE_CP }, { NULL, 0 } };

static struct isa_index own_index;

const struct isa_table wide_table = {
	.name = "wide", .title = "the test machine",
	.index = &own_index, .opcode = ISA_FIELD(24, 7),
	.form = forms, .nform = sizeof forms / sizeof *forms,
	.kind = kinds, .nkind = sizeof kinds / sizeof *kinds,
	.row = rows, .nrow = sizeof rows / sizeof *rows,
	.exec = execs, .nexec = sizeof execs / sizeof *execs,
	.issue = &issue,
	.chips = chips, .modes = modes, .chip = "wide64", .mode = "cp",
	.unit = 4,
};
