/* Values of -a as bytes: numbers, vectors and structures lie as C lays them out; other texts are refused. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "core/base/diag.h"
#include "device/inputs/values.h"

static void bytes_as_in_c(void **state)
{
	static const struct { const char *type, *text, *bytes; unsigned size, unit; } cases[] = {
		{ "u8", "255", "\377", 1, 1 },
		{ "s16", "-2", "\376\377", 2, 2 },
		{ "int", "0x01020304", "\4\3\2\1", 4, 4 },
		{ "long", "-1", "\377\377\377\377\377\377\377\377", 8, 8 },
		{ "f32", "1", "\0\0\200\77", 4, 4 },
		{ "uchar2", "1,2", "\1\2", 2, 2 },
		{ "ushort4", "1,2,3,4", "\1\0\2\0\3\0\4\0", 8, 8 },
		/* of three elements: the place of four */
		{ "char3", "1,2,3", "\1\2\3\0", 4, 4 },
		{ "uchar16", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
		  "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17", 16, 16 },
		/* struct { char; int; } */
		{ "struct", "char:1,int:2", "\1\0\0\0\2\0\0\0", 8, 4 },
		/* struct { int; char; }: zeros behind the last member */
		{ "struct", "int:2,char:1", "\2\0\0\0\1\0\0\0", 8, 4 },
		{ "struct", "u8:1,uchar4:2,3,4,5,u16:6", "\1\0\0\0\2\3\4\5\6\0\0\0", 12, 4 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d = { 0 };
		struct value v;
		assert_true(value_type(cases[i].type));
		if (!value_parse(cases[i].type, cases[i].text, &v, &d))
			fail_msg("%s=%s: %s", cases[i].type, cases[i].text, d.text);
		assert_int_equal(v.size, cases[i].size);
		assert_int_equal(v.unit, cases[i].unit);
		assert_memory_equal(v.bytes, cases[i].bytes, v.size);
	}
}

static void refusals(void **state)
{
	static const char *const no_types[] = {
		"", "float1", "float5", "float32", "f32x2", "f322", "structure", "int*" };
	static const struct { const char *type, *text, *message; } cases[] = {
		{ "float4", "1,2,3", "found 3 numbers, expected 4" },
		{ "float4", "1,2,3,", "found \"\", expected a number" },
		{ "int2", "1,2,3", "found \"3\" behind 2 numbers" },
		{ "int2", "1,,", "found \"\", expected a decimal" },
		{ "u8", "1,2", "behind 1 number" },
		{ "u8", "", "found \"\", expected a decimal" },
		{ "u8", "256", "does not fit 8 bits" },
		{ "struct", "", "without members" },
		{ "struct", "1,2", "expected a member with its type" },
		{ "struct", "float:1,2", "expected a member with its type" },
		{ "struct", "float4:1,2,int:3", "found \"int:3\", expected a number" },
		{ "struct", "float5:1", "expected a member with its type" },
	};

	for (size_t i = 0; i < sizeof no_types / sizeof *no_types; i++)
		assert_false(value_type(no_types[i]));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct diag d = { 0 };
		struct value v;
		if (value_parse(cases[i].type, cases[i].text, &v, &d) || !strstr(d.text, cases[i].message))
			fail_msg("%s=%s: %s", cases[i].type, cases[i].text, d.text);
		assert_int_equal(d.kind, DIAG_USAGE);
	}
}

/* A structure longer than all parameters. */
static void too_long(void **state)
{
	static char text[40000] = "";
	struct diag d = { 0 };
	struct value v;

	for (unsigned i = 0; i < VALUE_BYTES / 8 + 1; i++)
		strcat(text, i ? ",u64:1" : "u64:1");
	assert_false(value_parse("struct", text, &v, &d));
	assert_non_null(strstr(d.text, "more than 4096 bytes"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_as_in_c), cmocka_unit_test(refusals), cmocka_unit_test(too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
