/* Tables that prove themselves, and broken tables, each refused for its own reason. */
#include "tests/kit/cmocka_all.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/check.h"
#include "core/isa/tesla/tesla.h"

static void tesla_is_sound(void **state)
{
	const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
	struct diag d = { 0 };
	if (!isa_check(&ops, &d))
		fail_msg("%s", d.text);
}

/* A toy machine: a byte of operation, and operands above. Each case below is the toy machine with a mistake. */
#define NUM(to_, ...) .to = to_, .nalt = 1, \
	.alt = &(const struct isa_alt){ .shape = OPND_IMM, .num = ISA_FIELD(__VA_ARGS__) }
#define ALTS(to_, ...) .to = to_, .alt = (const struct isa_alt[]){ __VA_ARGS__ }, \
	.nalt = sizeof((const struct isa_alt[]){ __VA_ARGS__ }) / sizeof(struct isa_alt)
#define NAME_LIST(...) .shape = OPND_IMM, .names = (const char *const[]){ __VA_ARGS__ }, \
	.nnames = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

static const struct isa_kind kinds[] = {
	{ .name = "a", NUM(TO_SRC0, 8, 4) },
	{ .name = "b", NUM(TO_SRC1, 12, 4) },
	{ .name = "low", NUM(TO_SRC1, 4, 4) },
	{ .name = "near_a", NUM(TO_SRC1, 10, 4) },
	{ .name = "a_again", NUM(TO_SRC0, 16, 4) },
	{ .name = "endless", ALTS(TO_NONE, { .text = "{endless}" }) },
	{ .name = "lost", ALTS(TO_NONE, { .text = "{nothing}" }) },
	{ .name = "hl", ALTS(TO_MOD, { .num = ISA_FIELD(16, 1), NAME_LIST("low", "high") }) },
	{ .name = "same1",
	  ALTS(TO_MOD, { .when = CLR(16), .text = "x" }, { .when = BIT(16), .text = "x", .value = 1 }) },
};
static const struct isa_form one_form[] = {
	{ .name = "WORD", .length = 4, .align = 4, .when = CLR(31), .prefix = "" },
};
static const struct isa_name anything[] = { { "any", 1 }, { NULL, 0 } };

struct broken {
	const char *what, *reason;
	struct isa_row row[2];
	struct isa_kind kind;       /* a further kind, if named */
};

#define ROW0(when_, text_) { .when = when_, .text = text_, .modes = 1 }
static const struct broken cases[] = {
	{ "sound", NULL, { ROW0(IS(0, 8, 1), "add {a} {b}"), ROW0(IS(0, 8, 2), "sub {hl} {a} {b}") }, { .to = 0 } },
	{ "a kind that does not exist", "there is no kind {c}", { ROW0(IS(0, 8, 1), "add {a} {c}") }, { .to = 0 } },
	{ "one that an alternative names", "there is no kind {nothing}",
	  { ROW0(IS(0, 8, 1), "add {lost}") }, { .to = 0 } },
	{ "a template that contains itself", "do not end", { ROW0(IS(0, 8, 1), "add {endless}") }, { .to = 0 } },
	{ "a place that does not exist", "names a place", { ROW0(IS(0, 8, 1), "add {a:9}") }, { .to = 0 } },
	{ "rows that overlap", "hold for the same word",
	  { ROW0(IS(0, 8, 1), "add {a}"), ROW0(IS(0, 4, 1), "sub {a}") }, { .to = 0 } },
	{ "rows that read the same", "two rows have the text",
	  { ROW0(IS(0, 8, 1), "add {a}"), ROW0(IS(0, 8, 2), "add {a}") },
	  { .to = 0 } },
	{ "a row against its form", "contradicts its form", { ROW0(BIT(31), "add {a}") }, { .to = 0 } },
	{ "a number over fixed bits", "lies over fixed bits", { ROW0(IS(0, 8, 1), "add {a} {low}") }, { .to = 0 } },
	{ "numbers that overlap", "overlap", { ROW0(IS(0, 8, 1), "add {a} {near_a}") }, { .to = 0 } },
	{ "a place filled twice", "fills one place twice", { ROW0(IS(0, 8, 1), "add {a} {a_again}") }, { .to = 0 } },
	{ "texts that two words share", "another instruction", { ROW0(IS(0, 8, 1), "add {same1} {a}") }, { .to = 0 } },
	{ "an alternative that is never reached", "is never chosen", { ROW0(IS(0, 8, 1), "add {new}") },
	  { .name = "new", ALTS(TO_MOD, { .when = CLR(16) }, { .when = CLR(16) | BIT(17), .text = "x" }) } },
	{ "more names than values", "3 names for a field of 1 bits", { ROW0(IS(0, 8, 1), "add {new}") },
	  { .name = "new", ALTS(TO_MOD, { .num = ISA_FIELD(16, 1), NAME_LIST("x", "y", "z") }) } },
	{ "one name for two values", "'x' stands for both", { ROW0(IS(0, 8, 1), "add {new}") },
	  { .name = "new", ALTS(TO_MOD, { .num = ISA_FIELD(16, 1), NAME_LIST("x", "x") }) } },
	{ "a kind that is there twice", "is there twice", { ROW0(IS(0, 8, 1), "add {a}") },
	  { .name = "a", NUM(TO_SRC0, 8, 4) } },
	{ "a row without a word", "no word of it decodes", { ROW0(IS(0, 8, 1) | BIT(16), "add {new}") },
	  { .name = "new", ALTS(TO_MOD, { .when = CLR(16), .text = "x" }) } },
};

static void broken_tables_are_refused(void **state)
{
	enum { KINDS = sizeof(kinds) / sizeof(*kinds) };
	for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct broken *b = &cases[i];
		struct isa_kind all[KINDS + 1];
		memcpy(all, kinds, sizeof(kinds));
		all[KINDS] = b->kind;
		const struct isa_exec_info exec = { .name = "x" };
		const struct isa_table table = {
			.name = "toy", .form = one_form, .nform = 1, .kind = all, .nkind = KINDS + (*b->kind.name != 0),
			.row = b->row, .nrow = b->row[1].text ? 2 : 1, .exec = &exec, .nexec = 1,
			.chips = anything, .modes = anything, .unit = 4,
		};
		const struct isa_ops ops = { .name = "toy", .table = &table, .decode = isa_decode_at };
		struct diag d = { 0 };
		bool sound = isa_check(&ops, &d);
		if (sound != !b->reason)
			fail_msg("%s: %s", b->what, sound ? "accepted" : d.text);
		if (b->reason && !strstr(d.text, b->reason))
			fail_msg("%s: refused because %s", b->what, d.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tesla_is_sound),
		cmocka_unit_test(broken_tables_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
