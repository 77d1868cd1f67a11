/* The table of pica.def, expanded, and the decoder that joins a word and its descriptor. */
#include "core/isa/pica/pica.h"

#include "core/isa/index.h"
#include "core/isa/pica/ops.h"

#define OP(n) IS(26, 6, n)
#define D(n) (32 + (n))
#define M(slot) (TO_MOD + MOD_##slot)
#define FIELD(lo, n) { lo, n, 0, 0 }
#define NAMED(...) .names = (const char *const[]){ __VA_ARGS__ }, \
	.nnames = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)
#define REGISTER(file_, lo, n, names_) \
	.shape = OPND_REG, .file = file_, .width = 16, .num = FIELD(lo, n), .names = names_, .nnames = 1 << (n)
#define DESTINATION(lo) REGISTER(FILE_DST, lo, 5, destinations)
#define WIDE(lo) REGISTER(FILE_SRC, lo, 7, sources)
#define NARROW(lo) REGISTER(FILE_SRC, lo, 5, sources)
#define SELECTOR(lo) .shape = OPND_IMM, .num = FIELD(lo, 8), .names = selectors, .nnames = 256
/* Bits of the descriptor without effect: silent when 0. */
#define REST(lo, n, lo2, n2) \
	{ .when = IS(lo, n, 0) | IS(lo2, n2, 0) }, { .text = "rest", .shape = OPND_IMM, .num = { lo, n, lo2, n2 } }

#define TEN(x, t) x t "0", x t "1", x t "2", x t "3", x t "4", x t "5", x t "6", x t "7", x t "8", x t "9"
#define SIXTEEN(x) TEN(x, ""), x "10", x "11", x "12", x "13", x "14", x "15"
static const char *const destinations[] = { SIXTEEN("o"), SIXTEEN("r") };
static const char *const sources[] = {
	SIXTEEN("v"), SIXTEEN("r"), TEN("c", ""), TEN("c", "1"), TEN("c", "2"), TEN("c", "3"), TEN("c", "4"),
	TEN("c", "5"), TEN("c", "6"), TEN("c", "7"), TEN("c", "8"), "c90", "c91", "c92", "c93", "c94", "c95",
};

#define SEL_4(x) x "x", x "y", x "z", x "w"
#define SEL_16(x) SEL_4(x "x"), SEL_4(x "y"), SEL_4(x "z"), SEL_4(x "w")
#define SEL_64(x) SEL_16(x "x"), SEL_16(x "y"), SEL_16(x "z"), SEL_16(x "w")
static const char *const selectors[] = { SEL_64(".x"), SEL_64(".y"), SEL_64(".z"), SEL_64(".w") };

#define KIND(name_, place, claims_, ...) static const struct isa_alt alt_##name_[] = { __VA_ARGS__ };
#define NAMES(name_, place, field, ...) KIND(name_, place, 0, { .shape = OPND_IMM, .num = field, NAMED(__VA_ARGS__) })
#include "core/isa/pica/pica.def"

#define KIND(name_, place, claims_, ...) \
	{ .name = #name_, .to = place, .nalt = sizeof(alt_##name_) / sizeof(*alt_##name_), .claims = claims_, \
	  .alt = alt_##name_ },
#define NAMES(name_, place, field, ...) KIND(name_, place, 0, ANY)
static const struct isa_kind kinds[] = {
#include "core/isa/pica/pica.def"
};

/* All words are alike: 32 bits of code, with the descriptor above, put there by the decoder. */
static const struct isa_form forms[] = { { .name = "WORD", .length = 8, .prefix = "" } };

#define ROW(when_, text_, exec_) { .when = when_, .text = text_, .modes = PICA_ALL, .exec = PICA_EXEC_##exec_ },
static const struct isa_row rows[] = {
#include "core/isa/pica/pica.def"
};

#define ALU_INFO(name_, lat_, kind_, meaning_) { .name = #name_, .meaning = meaning_, .lat = lat_ },
#define FLOW_INFO(name_, lat_, traits_, handler_, meaning_) \
	{ .name = #name_, .meaning = meaning_, .lat = lat_, .traits = traits_ },
static const struct isa_exec_info execs[] = { PICA_EXEC_ALU(ALU_INFO) PICA_EXEC_FLOW(FLOW_INFO) };

#define UNIT_NAME(name_, text_) text_,
static const char *const units[] = { PICA_UNITS(UNIT_NAME) };

#define CLASS(name_, text_, unit_, lanes_, latency_, ...) \
	{ .name = text_, .unit = PICA_UNIT_##unit_, .lanes = lanes_, .latency = latency_, __VA_ARGS__ },
static const struct issue_class classes[] = { PICA_CLASSES(CLASS) };

static const struct issue_model issue = {
	.unit = units, .nunits = PICA_UNIT_COUNT, .class = classes, .nclasses = PICA_CLASS_COUNT,
};

static const struct isa_name chips[] = { { "pica", 0 }, { NULL, 0 } };
static const struct isa_name modes[] = { { "vp", PICA_VS }, { "gp", PICA_GS }, { NULL, 0 } };

static struct isa_index own_index;

const struct isa_table pica_table = {
	.name = "pica", .title = "PICA200 shader unit",
	.index = &own_index, .opcode = ISA_FIELD(26, 6),
	.form = forms, .nform = sizeof(forms) / sizeof(*forms),
	.kind = kinds, .nkind = sizeof(kinds) / sizeof(*kinds),
	.row = rows, .nrow = sizeof(rows) / sizeof(*rows),
	.exec = execs, .nexec = sizeof(execs) / sizeof(*execs),
	.issue = &issue,
	.chips = chips, .modes = modes,
	.unit = 4,
};

bool pica_decode(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out)
{
	bool ok = false;

	*out = (struct insn){ .length = 4, .pc = pc };
	if (pc >= size || size - pc < 4)
		return false;
	uint64_t word = code[pc] | code[pc + 1] << 8 | code[pc + 2] << 16 | (uint32_t)code[pc + 3] << 24;
	ok = isa_decode_word(t, word, out);
	unsigned number = out->mod[MOD_DESC];
	if (pica_described(out) && number < t->nside)
		ok = isa_decode_word(t, word | (uint64_t)t->side[number] << 32, out);
	out->length = 4;
	out->pc = pc;
	return ok;
}
