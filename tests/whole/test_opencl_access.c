/* Accesses of OpenCL C at every alignment that the standard allows: vloadN and vstoreN of each element type and width,
 * at any multiple of an element, in each address space; the same for halves; members of packed structs. Values are only
 * moved, so results are bytes of the input at computed places. A sample of the types runs, always with uchar (LLVM's
 * pull request 67322); WB_TEST_ALL=1 runs all types. By hand, "struct" being the packed structs:
 *
 *     test_opencl_access CHIP CLANG LEVEL [TYPE]      CLANG "": warpbeam's choice; LEVEL 0 to 3, s */
#include <stdarg.h>

#include "tests/kit/launches.h"

enum { LANES = 32, BYTES = 1 << 15 };

static const char *chip, *compiler = "", *level, *only;
static unsigned wrong;

static const struct type { const char *name; unsigned bytes; } types[] = {
	{ "uchar", 1 }, { "char", 1 }, { "ushort", 2 }, { "short", 2 }, { "uint", 4 }, { "int", 4 }, { "float", 4 },
	{ "ulong", 8 }, { "long", 8 }, { "double", 8 },
};
enum { TYPES = sizeof types / sizeof *types };

static const unsigned widths[] = { 2, 3, 4, 8, 16 };
enum { WIDTHS = sizeof widths / sizeof *widths };

/* ---- running ---- */

static struct wb_config *config(void)
{
	struct wb_config *c = wb_config_new();
	const struct setting settings[] = {
		{ "format", "opencl" }, { "chip", chip }, { "optimize", level }, { "timing", "off" }, { "mps", "1" },
		{ "max-seconds", "600" }, { "grid", "1" }, { "block", "32" }, { NULL, NULL }
	};
	struct wb_diag d;

	for (const struct setting *s = settings; s->option; s++)
		if (wb_config_set(c, s->option, s->value, &d) != WB_OK)
			fail_msg("%s", d.text);
	if (*compiler && wb_config_set(c, "cc", compiler, &d) != WB_OK)
		fail_msg("%s", d.text);
	return c;
}

static void report(const char *what, const char *format, ...)
{
	va_list list;
	char text[512];

	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	print_error("%s %s -O %s, %s: %s\n", chip, compiler, level, what, text);
	wrong++;
}

/* A program of the text; NULL: reported. */
static struct wb_program *compiled(const char *what, const char *text)
{
	struct wb_config *c = config();
	struct wb_program *p = NULL;
	struct wb_diag d;

	if (wb_program_load(text, strlen(text), "access.cl", c, &p, &d) != WB_OK) {
		report(what, "line %d: %s", d.line, d.text);
		p = NULL;
	}
	wb_config_free(c);
	return p;
}

/* Run a kernel of (to, from, shift). */
static bool run(const struct wb_program *p, const char *kernel, int shift, const uint8_t *in, uint8_t *out)
{
	struct wb_config *c = config();
	struct wb_launch *l = NULL;
	char zero[32], number[32];
	struct wb_diag d;

	snprintf(zero, sizeof zero, "zero=%d", BYTES);
	snprintf(number, sizeof number, "s32=%d", shift);
	bool ok = wb_launch_new(p, kernel, c, &l, &d) == WB_OK && wb_launch_arg(l, zero, &d) == WB_OK &&
		  wb_launch_arg(l, zero, &d) == WB_OK && wb_launch_arg(l, number, &d) == WB_OK &&
		  wb_launch_write_arg(l, 1, 0, in, BYTES, &d) == WB_OK && wb_launch_run(l, &d) == WB_OK &&
		  wb_launch_read_arg(l, 0, 0, out, BYTES, &d) == WB_OK;
	if (!ok)
		report(kernel, "shift %d: %s", shift, d.text);
	wb_launch_free(l);
	wb_config_free(c);
	return ok;
}

static bool compiles(void)
{
	static const char least[] = "kernel void k(global int *p) { *p = 1; }";
	struct wb_config *c = config();
	struct wb_program *p = NULL;
	bool ok = wb_program_load(least, strlen(least), "least.cl", c, &p, NULL) == WB_OK;

	wb_program_free(p);
	wb_config_free(c);
	return ok;
}

static void fill(uint8_t *in)
{
	uint32_t x = 12345;

	for (unsigned i = 0; i < BYTES; i++) {
		x = x * 1664525 + 1013904223;
		in[i] = (uint8_t)(x >> 24) & 0x77;      /* no float of no number */
	}
}

static void compare(const char *kernel, int shift, const uint8_t *out, const uint8_t *expected)
{
	for (unsigned i = 0; i < BYTES; i++)
		if (out[i] != expected[i]) {
			report(kernel, "shift %d: byte %u is %02x, expected %02x", shift, i, out[i], expected[i]);
			return;
		}
}

/* ---- vloadN, vstoreN ---- */

/* Each kernel moves N elements of a lane from `from + shift + 3 * lane` to `to + shift + lane * (N + 1)`, through the
 * space in the kernel's name. */
static const char vectors[] =
	"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
	"#define ARGUMENTS(T) (global T *to, global T *from, int shift)\n"
	"#define VECTORS(T, N) VECTORS_(T, N, vload##N, vstore##N)\n"
	"#define VECTORS_(T, N, load, store) \\\n"
	"kernel void global_##T##N ARGUMENTS(T) \\\n"
	"{ int i = get_local_id(0); store(load(0, from + shift + 3 * i), 0, to + shift + i * (N + 1)); } \\\n"
	"kernel void index_##T##N ARGUMENTS(T) \\\n"
	"{ int i = get_local_id(0); store(load(i, from + shift + 3 * i - i * N), i, to + shift + i); } \\\n"
	"kernel void local_##T##N ARGUMENTS(T) \\\n"
	"{ local T a[32 * (N + 1) + 4]; int i = get_local_id(0); \\\n"
	"  store(load(0, from + shift + 3 * (31 - i)), 0, a + shift + (31 - i) * (N + 1)); \\\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); store(load(i, a + shift + i), 0, to + shift + i * (N + 1)); } \\\n"
	"kernel void private_##T##N ARGUMENTS(T) \\\n"
	"{ T a[24]; int i = get_local_id(0); for (int j = 0; j < 24; j++) a[j] = j; \\\n"
	"  store(load(0, from + shift + 3 * i), 0, a + (i & 3) + shift); \\\n"
	"  store(load(0, a + (i & 3) + shift), 0, to + shift + i * (N + 1)); } \\\n"
	"kernel void constant_##T##N ARGUMENTS(T) \\\n"
	"{ int i = get_local_id(0); store(load(0, table + shift + 3 * i), 0, to + shift + i * (N + 1)); }\n";

/* What each kernel above leaves, from the bytes of `from`. */
static void expect_vectors(const struct type *t, unsigned width, unsigned shift, const uint8_t *from, uint8_t *to)
{
	memset(to, 0, BYTES);
	for (unsigned i = 0; i < LANES; i++)
		memcpy(to + (shift + i * (width + 1)) * t->bytes, from + (shift + 3 * i) * t->bytes, width * t->bytes);
}

static void put_value(FILE *f, const struct type *t, const uint8_t *p)
{
	uint64_t word = 0;
	float single;
	double real;

	memcpy(&word, p, t->bytes);
	memcpy(&single, p, sizeof single);
	memcpy(&real, p, sizeof real);
	if (!strcmp(t->name, "float"))
		fprintf(f, "%af, ", (double)single);
	else if (!strcmp(t->name, "double"))
		fprintf(f, "%a, ", real);
	else
		fprintf(f, "0x%" PRIx64 ", ", word);
}

static void put_table(FILE *f, const struct type *t, const uint8_t *in)
{
	fprintf(f, "constant %s table[] = { ", t->name);
	for (unsigned i = 0; i < 3 * LANES + 20; i++)
		put_value(f, t, in + i * t->bytes);
	fputs("};\n", f);
}

static void check_width(const struct wb_program *p, const struct type *t, unsigned width, const uint8_t *in)
{
	static const char *const spaces[] = { "global", "index", "local", "private", "constant" };
	static uint8_t out[BYTES], expected[BYTES];
	char kernel[48];

	for (unsigned s = 0; s < sizeof spaces / sizeof *spaces; s++)
		for (int shift = 0; shift < 4; shift += 1 + (s > 1)) {
			snprintf(kernel, sizeof kernel, "%s_%s%u", spaces[s], t->name, width);
			expect_vectors(t, width, (unsigned)shift, in, expected);
			if (run(p, kernel, shift, in, out))
				compare(kernel, shift, out, expected);
		}
}

static void check_type(const struct type *t)
{
	static uint8_t in[BYTES];
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fill(in);
	fputs(vectors, f);
	put_table(f, t, in);
	for (unsigned i = 0; i < WIDTHS; i++)
		fprintf(f, "VECTORS(%s, %u)\n", t->name, widths[i]);
	fclose(f);
	struct wb_program *p = compiled(t->name, text);
	for (unsigned i = 0; p && i < WIDTHS; i++)
		check_width(p, t, widths[i], in);
	wb_program_free(p);
	free(text);
}

/* ---- packed structs ---- */

/* A struct of 95 bytes, each member at an odd place; a lane's struct begins at any byte. The first kernel moves the
 * members one by one, the second the struct as a whole, the third through local, the fourth through private memory. */
static const char structs[] =
	"struct __attribute__((packed)) s { uchar a; ushort b; uint c; ulong d; uchar4 e; ushort2 f; int3 g; float h;"
	" uint4 i; uchar16 j; ulong2 k; uchar end[6]; };\n"
	"#define ARGUMENTS (global uchar *to, global uchar *from, int shift)\n"
	"#define OF(p) ((global struct s *)((p) + shift + get_local_id(0) * sizeof(struct s)))\n"
	"#define MOVE(x, y) x->a = y->a; x->b = y->b; x->c = y->c; x->d = y->d; x->e = y->e; x->f = y->f; x->g = y->g;"
	" x->h = y->h; x->i = y->i; x->j = y->j; x->k = y->k; for (int n = 0; n < 6; n++) x->end[n] = y->end[n];\n"
	"kernel void members ARGUMENTS { MOVE(OF(to), OF(from)) }\n"
	"kernel void whole ARGUMENTS { *OF(to) = *OF(from); }\n"
	"kernel void through_local ARGUMENTS\n"
	"{ local struct s a[32]; int i = get_local_id(0); local struct s *p = a + (31 - i);\n"
	"  global struct s *f = OF(from);\n"
	"  MOVE(p, f) barrier(CLK_LOCAL_MEM_FENCE); MOVE(OF(to), p) }\n"
	"kernel void through_private ARGUMENTS\n"
	"{ struct s a[3]; struct s *p = a + get_local_id(0) % 3; global struct s *f = OF(from), *t = OF(to);\n"
	"  MOVE(p, f) MOVE(t, p) }\n";
static const unsigned struct_bytes = 1 + 2 + 4 + 8 + 4 + 4 + 16 + 4 + 16 + 16 + 16 + 6;

static void check_struct(const struct wb_program *p, const char *kernel, unsigned shift)
{
	static uint8_t in[BYTES], out[BYTES], expected[BYTES];
	size_t gap = shift + 1 + 2 + 4 + 8 + 4 + 4 + 12;        /* the fourth word of int3 */

	fill(in);
	memset(expected, 0, sizeof expected);
	memcpy(expected + shift, in + shift, LANES * struct_bytes);
	if (!run(p, kernel, (int)shift, in, out))
		return;
	for (unsigned i = 0; i < LANES; i++) {          /* is padding */
		memset(expected + gap + i * struct_bytes, 0, 4);
		memset(out + gap + i * struct_bytes, 0, 4);
	}
	compare(kernel, (int)shift, out, expected);
}

static bool is_asked(const char *name)
{
	return !only || !strcmp(only, name);
}

static void vectors_lie_at_any_element(void **state)
{
	wrong = 0;
	for (unsigned i = 0; i < TYPES; i++) {
		bool lacks = !strcmp(types[i].name, "double") && chip[0] == 'g' && strcmp(chip, "g200") != 0 &&
			     strcmp(chip, "gfx900") != 0;
		if (!lacks && is_asked(types[i].name) && (only || i == 0 || in_sample(i, chip[1] == '2' ? 1 : 4)))
			check_type(&types[i]);
	}
	assert_int_equal(wrong, 0);
}

static void packed_structs_lie_anywhere(void **state)
{
	static const char *const kernels[] = { "members", "whole", "through_local", "through_private" };

	wrong = 0;
	struct wb_program *p = is_asked("struct") ? compiled("struct", structs) : NULL;
	for (unsigned i = 0; p && i < 4; i++)
		for (unsigned shift = 0; shift < 4; shift++)
			check_struct(p, kernels[i], shift);
	wb_program_free(p);
	assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vectors_lie_at_any_element),
		cmocka_unit_test(packed_structs_lie_anywhere),
	};

	chip = argc > 1 ? argv[1] : "g200";
	compiler = argc > 2 ? argv[2] : "";
	level = argc > 3 ? argv[3] : "2";
	only = argc > 4 ? argv[4] : NULL;
	if (!compiles()) {
		printf("skipped: no clang that compiles OpenCL C\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
