/* The table of tesla.def, expanded. */
#include "core/isa/tesla/tesla.h"

#include "core/isa/index.h"
#include "core/isa/tesla/fields.h"

/* Alternatives of each kind. */
#define KIND(name_, place, claims_, ...) static const struct isa_alt alt_##name_[] = { __VA_ARGS__ };
#define FLAG(name_, place, bit, word) \
	KIND(name_, place, 0, { .when = CLR(bit) }, { .when = BIT(bit), .text = word, .value = 1 })
#define NAMES(name_, place, field, ...) KIND(name_, place, 0, { .shape = OPND_IMM, .num = field, NAMED(__VA_ARGS__) })
#include "core/isa/tesla/tesla.def"

#define KIND(name_, place, claims_, ...) \
	{ .name = #name_, .to = place, .claims = claims_, \
	  .alt = alt_##name_, .nalt = sizeof(alt_##name_) / sizeof(*alt_##name_) },
#define FLAG(name_, place, bit, word) KIND(name_, place, 0, ANY)
#define NAMES(name_, place, field, ...) KIND(name_, place, 0, ANY)
static const struct isa_kind kinds[] = {
#include "core/isa/tesla/tesla.def"
};

#define FORM(name_, bytes, wide_, when_, unless_, prefix_) FORM_##name_,
enum {
#include "core/isa/tesla/tesla.def"
	FORM_COUNT
};

#define FORM(name_, bytes, wide_, when_, unless_, prefix_) \
	{ .name = #name_, .length = bytes, .align = bytes, .wide = wide_, .when = when_, .unless = unless_, \
	  .prefix = prefix_ },
static const struct isa_form forms[] = {
#include "core/isa/tesla/tesla.def"
};

#define ROW(form_, when_, text_, modes_, features_, exec_, flags_) \
	{ .form = FORM_##form_, .when = when_, .text = text_, .modes = modes_, .features = features_, \
	  .exec = TESLA_EXEC_##exec_, .flags = flags_ },
static const struct isa_row rows[] = {
#include "core/isa/tesla/tesla.def"
};

#define EXEC_INFO(name_, lat_, traits_, meaning_) \
	{ .name = #name_, .meaning = meaning_, .lat = lat_, .traits = traits_ },
static const struct isa_exec_info execs[] = { TESLA_EXEC_LIST(EXEC_INFO) };

#define UNIT_NAME(name_, text_) text_,
static const char *const units[] = { TESLA_UNITS(UNIT_NAME) };

#define CLASS(name_, text_, unit_, lanes_, latency_, ...) \
	{ .name = text_, .unit = UNIT_##unit_, .lanes = lanes_, .latency = latency_, __VA_ARGS__ },
static const struct issue_class classes[] = { TESLA_CLASSES(CLASS) };

static const struct issue_model issue = {
	.unit = units, .nunits = TESLA_UNIT_COUNT, .class = classes, .nclasses = TESLA_CLASS_COUNT,
};

/* sm_10 to sm_13 are the same chips by compute capability. */
static const struct isa_name chips[] = {
	{ "g80", 0 }, { "g84", FEAT_SM11 }, { "g200", FEAT_SM11 | FEAT_SM12 | FEAT_FP64 },
	{ "mcp77", FEAT_SM11 | FEAT_SM12 }, { "gt215", FEAT_SM11 | FEAT_SM12 | FEAT_D3D10_1 },
	{ "v100", FEAT_SM11 | FEAT_SM12 | FEAT_FP64 | FEAT_LANES },
	{ "sm_10", 0 }, { "sm_11", FEAT_SM11 }, { "sm_12", FEAT_SM11 | FEAT_SM12 },
	{ "sm_13", FEAT_SM11 | FEAT_SM12 | FEAT_FP64 },
	{ NULL, 0 }
};
static const struct isa_name modes[] = {
	{ "vp", MODE_VP }, { "gp", MODE_GP }, { "fp", MODE_FP }, { "cp", MODE_CP }, { NULL, 0 }
};

static const struct isa_hint hints[] = {
#define HINT(before, found, text) {before, found, text},
#include "core/isa/tesla/hints.def"
#undef HINT
	{NULL, NULL, NULL}
};

static struct isa_index own_index;

const struct isa_table tesla_table = {
	.name = "tesla", .title = "NVIDIA Tesla (G80 to GT215)", .wide = "long",
	.index = &own_index, .opcode = ISA_FIELD(28, 4, 61, 3),
	.form = forms, .nform = sizeof(forms) / sizeof(*forms),
	.kind = kinds, .nkind = sizeof(kinds) / sizeof(*kinds),
	.row = rows, .nrow = sizeof(rows) / sizeof(*rows),
	.exec = execs, .nexec = sizeof(execs) / sizeof(*execs),
	.issue = &issue, .hints = hints, .zero = TESLA_ZERO,
	.chips = chips, .modes = modes, .chip = "g200", .mode = "cp", .compiler = "nvcc -arch=",
	.unit = 4, .always = PRED_ALWAYS,
};
