/* The built-in functions of OpenCL C 1.2, compared with exact models (tests/gcn/builtins.def): every function for at
 * least one of its types, the types in turn (WB_TEST_ALL=1: for every type), each in one of the widths in turn, of
 * floats up to 4. By hand, in some minutes for each chip and compiler, in all widths:
 *
 *     test_gcn_builtins CHIP CLANG 1,2,3,4,8,16 [NAME,… [LIBCLC]]    functions with names that begin with a NAME
 *
 * CLANG "": warpbeam's choice of compiler. Loads and stores of halves go by the name "vhalf", work-items, copies and
 * atomics by "group". */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gcn/builtins.h"
#include "tests/kit/launches.h"
#include "tests/kit/sample.h"

enum { FORMS = 1024, ROWS = 12, BYTES = ELEMENTS * 8 };      /* ROWS: of the table in one source */

static const char *chip = "gfx900", *compiler = "", *only = "", *library = "";
static bool asked[17];          /* widths of calls; [0]: one for each form in turn */
static unsigned calls, wrong;   /* forms of calls that were compared, and that differ */

struct source {
	char *text;
	size_t size;
	FILE *f;
	struct { struct form form; unsigned width; char name[16]; char call[64]; } kernel[FORMS];
	unsigned nkernels;
};

static void begin(struct source *s)
{
	s->nkernels = 0;
	s->f = open_memstream(&s->text, &s->size);
	fprintf(s->f, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
}

static void add(struct source *s, const struct form *form)
{
	static unsigned turn;
	unsigned widths_in_turn = form->type->real ? 4 : 6;     /* 8 and 16 floats take compilers long */

	turn++;
	for (unsigned i = 0; i < 6; i++) {
		if (!(asked[widths[i]] || (asked[0] && i == turn % widths_in_turn)) || !has_width(form, widths[i]))
			continue;
		snprintf(s->kernel[s->nkernels].name, 16, "k%u", s->nkernels);
		s->kernel[s->nkernels].form = *form;
		s->kernel[s->nkernels].width = widths[i];
		write_kernel(s->f, form, widths[i], s->kernel[s->nkernels].name);
		s->nkernels++;
	}
}

static struct wb_config *config(void)
{
	struct wb_config *c = wb_config_new();
	struct wb_diag d;

	assert_int_equal(wb_config_set(c, "format", "opencl", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "chip", chip, &d), WB_OK);
	assert_int_equal(wb_config_set(c, "optimize", "1", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "timing", "off", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "max-seconds", "1000", &d), WB_OK);   /* for the compiler of a busy machine */
	/* the state of each multiprocessor costs more than these short runs */
	assert_int_equal(wb_config_set(c, "mps", "1", &d), WB_OK);
	if (*compiler)
		assert_int_equal(wb_config_set(c, "cc", compiler, &d), WB_OK);
	if (*library)
		assert_int_equal(wb_config_set(c, "libclc", library, &d), WB_OK);
	return c;
}

/* false: *d says why. */
static bool run(const struct wb_program *p, const char *kernel, unsigned width, const void *const in[ARGUMENTS],
		void *const out[RESULTS], struct wb_diag *d)
{
	struct wb_config *c = config();
	struct wb_launch *l = NULL;
	char grid[16], zero[16];
	bool ok;

	snprintf(grid, sizeof grid, "%u", (ELEMENTS / width + 63) / 64);
	snprintf(zero, sizeof zero, "zero=%u", BYTES);
	ok = wb_config_set(c, "grid", grid, d) == WB_OK && wb_config_set(c, "block", "64", d) == WB_OK &&
	     wb_launch_new(p, kernel, c, &l, d) == WB_OK;
	for (unsigned i = 0; ok && i < SLOTS; i++)
		ok = wb_launch_arg(l, zero, d) == WB_OK;
	for (unsigned i = 0; ok && i < ARGUMENTS; i++)
		ok = wb_launch_write_arg(l, RESULTS + i, 0, in[i], BYTES, d) == WB_OK;
	ok = ok && wb_launch_run(l, d) == WB_OK;
	for (unsigned i = 0; ok && i < RESULTS; i++)
		ok = wb_launch_read_arg(l, i, 0, out[i], BYTES, d) == WB_OK;
	wb_launch_free(l);
	wb_config_free(c);
	return ok;
}

static void compare_kernels(struct source *s, const struct wb_program *p)
{
	static uint8_t in[ARGUMENTS][BYTES], out[RESULTS][BYTES];
	const void *const inputs[] = { in[0], in[1], in[2] };
	void *const outputs[] = { out[0], out[1] };
	const void *const results[] = { out[0], out[1] };
	struct wb_diag d;
	char text[512];

	for (unsigned i = 0; i < s->nkernels; i++) {
		struct form *form = &s->kernel[i].form;
		for (unsigned j = 0; j < ARGUMENTS; j++)
			fill_argument(form, j, in[j]);
		calls++;
		if (!run(p, s->kernel[i].name, s->kernel[i].width, inputs, outputs, &d))
			snprintf(text, sizeof text, "%s, %s x%u: %s", form->name, form->type->name, s->kernel[i].width,
				 d.text);
		else if (compare_results(form, s->kernel[i].width, inputs, results,
					 form->ulp != 0 || strcmp(chip, "gfx900") != 0, text, sizeof text))
			continue;
		wrong++;
		print_error("%s\n", text);
	}
}

/* Compile and compare the kernels. */
static void finish(struct source *s, const char *name)
{
	struct wb_config *c = config();
	struct wb_program *p = NULL;
	struct wb_diag d;

	fclose(s->f);
	if (s->nkernels && wb_program_load(s->text, s->size, "builtins.cl", c, &p, &d) != WB_OK) {
		print_error("the calls up to %s: %s\n", name, d.text);
		wrong += s->nkernels;
		calls += s->nkernels;
	} else if (s->nkernels) {
		compare_kernels(s, p);
	}
	wb_program_free(p);
	wb_config_free(c);
	free(s->text);
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

static bool is_asked(const char *name)
{
	for (const char *p = only;; p++) {
		size_t n = strcspn(p, ",");
		if (!strncmp(name, p, n))
			return true;
		p += n;
		if (!*p)
			return false;
	}
}

/* Whether type k of n runs for the function of a row: one type of each row, the types in turn from row to row. A
 * compiler takes most of the time. */
static bool type_in_sample(size_t row, size_t k, size_t n)
{
	return sample_step() == 1 || k == row % n;
}

static void functions_give_what_the_standard_says(void **state)
{
	static struct source s;

	wrong = 0;
	for (size_t i = 0; i < builtin_nrows; i++) {
		const struct row *row = &builtin_rows[i];
		if (i % ROWS == 0)
			begin(&s);
		for (const char *e = row->elements; *e && is_asked(row->name); e++) {
			struct form form = form_of_row(row, kind_of(*e));
			if (!asked[0] || type_in_sample(i, (size_t)(e - row->elements), strlen(row->elements)))
				add(&s, &form);
		}
		if (i % ROWS == ROWS - 1 || i == builtin_nrows - 1)
			finish(&s, row->name);
	}
	print_message("%u forms of calls\n", calls);
	assert_int_equal(wrong, 0);
}

static void conversions_give_what_the_standard_says(void **state)
{
	static const char modes[] = { 0, 'e', 'z', 'p', 'n' };
	static struct source s;

	wrong = 0;
	calls = 0;
	for (size_t to = 0; to < nkinds && is_asked("convert"); to++) {
		begin(&s);
		for (size_t from = 0; from < nkinds; from++)
			for (unsigned mode = 0; mode < 2 * sizeof modes; mode++) {
				bool saturates = mode >= sizeof modes;
				char *call = s.kernel[s.nkernels].call;
				struct form form;
				if ((saturates && kinds[to].real) ||
				    (asked[0] && (to * 3 + from * 7 + mode) % (sample_step() == 1 ? 5 : 10)))
					continue;
				form = form_of_conversion(&kinds[to], &kinds[from], saturates,
							  modes[mode % sizeof modes], call);
				add(&s, &form);
			}
		finish(&s, kinds[to].name);
	}
	print_message("%u forms of conversions\n", calls);
	assert_int_equal(wrong, 0);
}

/* ---- halves ---- */

enum { HALVES = 65536 };

static long double half_value(unsigned h)
{
	unsigned e = h >> 10 & 31, m = h & 1023;
	long double v = e == 31 ? m ? NAN : INFINITY : e ? ldexpl(1024 + m, (int)e - 25) : ldexpl(m, -24);

	return h >> 15 ? -v : v;
}

/* The half of a value, by the direction: e, z, p, n. */
static unsigned half_of(long double v, char rounding)
{
	unsigned sign = signbit(v) ? 0x8000 : 0, h = 0;
	long double m = fabsl(v), below, above;
	bool up = rounding == (sign ? 'n' : 'p');

	if (isnan(v))
		return 0x7e00;
	if (isinf(v))
		return sign | 0x7c00;
	for (unsigned bit = 0x4000; bit; bit >>= 1)     /* the largest not above */
		if (half_value(h | bit) <= m)
			h |= bit;
	below = half_value(h);
	above = h + 1 == 0x7c00 ? 65536 : half_value(h + 1);
	if (below != m && rounding == 'e')
		up = m - below > above - m || (m - below == above - m && h & 1);
	return sign | (h + (below != m && up));
}

/* Sources of h, and what is stored of x in five modes. */
static const char half_kernels[] =
	"#define LOAD(n, N) kernel void load##n(global half *h, global float *to)"
	" { size_t i = get_global_id(0); if ((i + 1) * N <= 65536) { float##n v = vload_half##n(i, h);"
	"  for (int j = 0; j < N; j++) to[i * N + j] = ((float *)&v)[j]; } }\n"
	"kernel void load(global half *h, global float *to)\n"
	"{ size_t i = get_global_id(0); to[i] = vload_half(i, h); }\n"
	"LOAD(2, 2) LOAD(3, 3) LOAD(4, 4) LOAD(8, 8) LOAD(16, 16)\n"
	"kernel void loada3(global half *h, global float *to)\n"
	"{ size_t i = get_global_id(0); float3 v = vloada_half3(i, h); to[i * 3] = v.x; to[i * 3 + 1] = v.y;"
	" to[i * 3 + 2] = v.z; }\n"
	"#define STORE(T, n, N, m) kernel void store##T##n##m(global half *h, global T *x)"
	" { size_t i = get_global_id(0); if ((i + 1) * N <= 65536) { T##n v; for (int j = 0; j < N; j++)"
	"  ((T *)&v)[j] = x[i * N + j]; vstore_half##n##m(v, i, h); } }\n"
	"#define STORES(T, m) STORE(T, , 1, m) STORE(T, 2, 2, m) STORE(T, 3, 3, m) STORE(T, 4, 4, m) STORE(T, 8, 8, m)"
	" STORE(T, 16, 16, m)\n"
	"#define ALL(T) STORES(T, ) STORES(T, _rte) STORES(T, _rtz) STORES(T, _rtp) STORES(T, _rtn)\n"
	"ALL(float) ALL(double)\n";

static double half_input(unsigned i)
{
	uint64_t z = i * UINT64_C(0x9e3779b97f4a7c15);
	double v = (double)half_value(i & 0x7fff), next = (double)half_value((i & 0x7fff) + 1);

	z ^= z >> 29;
	if (i & 0x7c00 && (i & 0x7c00) == 0x7c00)
		return ldexp((i & 1 ? 1 : -1) * (1 + (double)(i & 1023) / 1024), (int)(i >> 1 & 63) - 40);
	switch (i & 3) {        /* a half, the middle to the next, near to the half, near to the middle */
	case 1: v = (v + next) / 2; break;
	case 2: v += (next - v) * 0x1p-12; break;
	case 3: v = (v + next) / 2 + (next - v) * 0x1p-12 * (z & 2 ? 1 : -1); break;
	}
	return i >> 15 ? -v : v;
}

/* Run a kernel of two buffers over n work-items. */
static void run_halves(const struct wb_program *p, const char *kernel, unsigned n, const void *first, size_t nfirst,
		       const void *second, size_t nsecond, void *out, size_t nout)
{
	struct wb_config *c = config();
	struct wb_launch *l = NULL;
	struct wb_diag d;
	char grid[16];
	bool ok;

	snprintf(grid, sizeof grid, "%u", (n + 63) / 64);
	ok = wb_config_set(c, "grid", grid, &d) == WB_OK && wb_config_set(c, "block", "64", &d) == WB_OK &&
	     wb_launch_new(p, kernel, c, &l, &d) == WB_OK && wb_launch_arg(l, "zero=131328", &d) == WB_OK &&
	     wb_launch_arg(l, "zero=524800", &d) == WB_OK &&
	     (!first || wb_launch_write_arg(l, 0, 0, first, nfirst, &d) == WB_OK) &&
	     (!second || wb_launch_write_arg(l, 1, 0, second, nsecond, &d) == WB_OK) &&
	     wb_launch_run(l, &d) == WB_OK && wb_launch_read_arg(l, first ? 1 : 0, 0, out, nout, &d) == WB_OK;
	if (!ok)
		fail_msg("%s: %s", kernel, d.text);
	wb_launch_free(l);
	wb_config_free(c);
}

static struct wb_program *load_kernels(const char *text)
{
	struct wb_config *c = config();
	struct wb_program *p = NULL;
	struct wb_diag d;

	if (wb_program_load(text, strlen(text), "kernels.cl", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return p;
}

static unsigned loaded_halves(const struct wb_program *p, const char *kernel, unsigned width, bool aligned)
{
	static uint16_t in[HALVES];
	static float out[HALVES];
	bool flush = strcmp(chip, "gfx900") != 0;
	unsigned n = HALVES / (aligned ? 4 : width);

	for (unsigned i = 0; i < HALVES; i++)
		in[i] = (uint16_t)i;
	run_halves(p, kernel, n, in, sizeof in, NULL, 0, out, sizeof out);
	for (unsigned i = 0; i < n * width; i++) {
		long double v = half_value(aligned ? i / 3 * 4 + i % 3 : i);
		if (isnan(v) ? isnan(out[i]) : out[i] == (float)v && !signbit(out[i]) == !signbit(v))
			continue;
		if (flush && fabsl(v) < FLT_MIN && out[i] == 0)
			continue;
		print_error("%s: half %04x: found %a, expected %La\n", kernel, i, (double)out[i], v);
		return 1;
	}
	return 0;
}

static unsigned stored_halves(const struct wb_program *p, const char *kernel, unsigned width, bool is_double, char mode)
{
	static union { float f[HALVES]; double d[HALVES]; } in;
	static uint16_t out[HALVES];

	for (unsigned i = 0; i < HALVES; i++)
		if (is_double)
			in.d[i] = half_input(i);
		else
			in.f[i] = (float)half_input(i);
	run_halves(p, kernel, HALVES / width, NULL, 0, &in, is_double ? sizeof in.d : sizeof in.f, out, sizeof out);
	for (unsigned i = 0; i < HALVES / width * width; i++) {
		long double v = is_double ? (long double)in.d[i] : (long double)in.f[i];
		unsigned expected = half_of(v, mode);
		if (out[i] == expected || (isnan(v) && (out[i] & 0x7fff) > 0x7c00))
			continue;
		print_error("%s: %La: found %04x, expected %04x\n", kernel, v, out[i], expected);
		return 1;
	}
	return 0;
}

static void halves_are_rounded_as_asked(void **state)
{
	static const char *const modes[] = { "", "_rte", "_rtz", "_rtp", "_rtn" };
	struct wb_program *p;
	char name[32], number[4];
	unsigned turn = 0;

	wrong = 0;
	if (!is_asked("vhalf"))
		return;
	p = load_kernels(half_kernels);
	for (unsigned i = 0; i < 6; i++) {
		snprintf(number, sizeof number, widths[i] > 1 ? "%u" : "%.0u", widths[i] > 1 ? widths[i] : 0);
		snprintf(name, sizeof name, "load%s", number);
		wrong += loaded_halves(p, name, widths[i], false);
		for (unsigned mode = 0; mode < 10; mode++) {
			if (!asked[widths[i]] && !(asked[0] && turn++ % 7 == 0))
				continue;
			snprintf(name, sizeof name, "store%s%s%s", mode < 5 ? "float" : "double", number,
				 modes[mode % 5]);
			wrong += stored_halves(p, name, widths[i], mode >= 5, "eezpn"[mode % 5]);
		}
	}
	wrong += loaded_halves(p, "loada3", 3, true);
	wb_program_free(p);
	assert_int_equal(wrong, 0);
}

/* ---- work-items, copies, atomics ---- */

static const char group_kernels[] =
	"kernel void dimensions(global uint *out, global uint *in)\n"
	"{ uint i = get_global_id(0) * 32; for (uint d = in[0]; d < 4; d++) { global uint *p = out + i + d * 8;\n"
	"  p[0] = get_global_id(d); p[1] = get_local_id(d); p[2] = get_group_id(d); p[3] = get_global_offset(d);\n"
	"  p[4] = get_global_size(d); p[5] = get_local_size(d); p[6] = get_num_groups(d); p[7] = get_work_dim(); } }\n"
	"kernel void copies(global uint *out, global uint *in)\n"
	"{ local uint a[256], b[64]; uint i = get_local_id(0);\n"
	"  event_t e[2]; e[0] = async_work_group_copy(a, in, 256, 0);\n"
	"  e[1] = async_work_group_strided_copy(b, in + 1, 64, 3, 0); prefetch(in, 256); wait_group_events(2, e);\n"
	"  out[i] = a[255 - i] + b[(i + 1) & 63]; barrier(CLK_LOCAL_MEM_FENCE); b[i] = a[i * 4];\n"
	"  barrier(CLK_LOCAL_MEM_FENCE); e[0] = async_work_group_copy(out + 64, b, 64, 0); wait_group_events(1, e);\n"
	"  e[0] = async_work_group_strided_copy(out + 128, b, 64, 2, 0); wait_group_events(1, e); }\n"
	"#define EACH(M, T, q, s) M(add, T, q, 3) M(sub, T, q, 5) M(xchg, T, q, 7) M(min, T, q, 9) M(max, T, q, 11)"
	" M(and, T, q, 13) M(or, T, q, 15) M(xor, T, q, 17)\n"
	"#define ATOMIC(f, T, q, v) *r++ = atomic_##f(q, (T)(i * v));\n"
	"#define ATOMICS(T, q) EACH(ATOMIC, T, q, 0) *r++ = atomic_inc(q); *r++ = atomic_dec(q);"
	" *r++ = atomic_cmpxchg(q, (T)5, (T)6); *r++ = *q;\n"
	"kernel void atomics(global uint *out, global uint *in)\n"
	"{ local uint lu[64]; local int li[64]; uint i = get_local_id(0); global uint *r = out + i * 48;\n"
	"  lu[i] = in[i]; li[i] = in[i]; ATOMICS(uint, (in + i)) ATOMICS(uint, (lu + i))\n"
	"  in[i] = li[i]; ATOMICS(int, ((global int *)in + i)) ATOMICS(int, (li + i)) }\n"
	"kernel void exchanges(global uint *out, global uint *in)\n"
	"{ local float lf[64]; uint i = get_local_id(0); global float *gf = (global float *)in + i; lf[i] = *gf;\n"
	"  float g = atomic_xchg(gf, i + 0.5f), l = atomic_xchg(lf + i, i + 0.25f);\n"
	"  out[i * 4] = as_uint(g); out[i * 4 + 1] = as_uint(*gf); out[i * 4 + 2] = as_uint(l);"
	" out[i * 4 + 3] = as_uint(lf[i]); }\n";

static uint32_t group_in[256], group_out[64 * 64];

static void run_groups(const char *kernel, unsigned items)
{
	struct wb_program *p = load_kernels(group_kernels);

	run_halves(p, kernel, items, NULL, 0, group_in, sizeof group_in, group_out, sizeof group_out);
	wb_program_free(p);
}

static void work_items_know_four_dimensions(void **state)
{
	if (!is_asked("group"))
		return;
	memset(group_in, 0, sizeof group_in);
	run_groups("dimensions", 128);
	for (uint32_t i = 0; i < 128; i++) {
		const uint32_t expected[] = { i,   i % 64, i / 64, 0, 128, 64, 2, 1, 0, 0, 0, 0, 1, 1, 1, 1,
					      0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1 };
		assert_memory_equal(group_out + i * 32, expected, sizeof expected);
	}
}

static void groups_copy(void **state)
{
	if (!is_asked("group"))
		return;
	for (uint32_t i = 0; i < 256; i++)
		group_in[i] = i * 2654435761u;
	run_groups("copies", 64);
	for (uint32_t i = 0; i < 64; i++) {
		assert_int_equal(group_out[i], group_in[255 - i] + group_in[1 + 3 * ((i + 1) & 63)]);
		assert_int_equal(group_out[64 + i], group_in[4 * i]);
		assert_int_equal(group_out[128 + 2 * i], group_in[4 * i]);
	}
}

static uint32_t *atomic_steps(uint32_t *r, uint32_t *v, uint32_t i, bool is_signed)
{
	uint32_t flip = is_signed ? 0x80000000 : 0, x, next;

	for (unsigned f = 0; f < 11; f++) {
		x = i * (3 + 2 * f);
		switch (f) {
		case 0: next = *v + x; break;
		case 1: next = *v - x; break;
		case 2: next = x; break;
		case 3: next = (x ^ flip) < (*v ^ flip) ? x : *v; break;
		case 4: next = (x ^ flip) > (*v ^ flip) ? x : *v; break;
		case 5: next = *v & x; break;
		case 6: next = *v | x; break;
		case 7: next = *v ^ x; break;
		case 8: next = *v + 1; break;
		case 9: next = *v - 1; break;
		default: next = *v == 5 ? 6 : *v;
		}
		*r++ = *v;
		*v = next;
	}
	*r++ = *v;
	return r;
}

static void atomics_give_what_was_there(void **state)
{
	if (!is_asked("group"))
		return;
	for (uint32_t i = 0; i < 256; i++)
		group_in[i] = i < 32 ? i : i * 2654435761u;
	run_groups("atomics", 64);
	for (uint32_t i = 0; i < 64; i++) {
		uint32_t expected[48], *r = expected, v[] = { group_in[i], group_in[i], group_in[i], group_in[i] };
		for (unsigned k = 0; k < 4; k++)
			r = atomic_steps(r, &v[k], i, k > 1);
		assert_memory_equal(group_out + i * 48, expected, sizeof expected);
	}
}

static uint32_t bits_of(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

static void floats_are_exchanged(void **state)
{
	if (!is_asked("group"))
		return;
	for (uint32_t i = 0; i < 256; i++)
		group_in[i] = bits_of((float)i * 1.5f);
	run_groups("exchanges", 64);
	for (uint32_t i = 0; i < 64; i++) {
		float g = (float)i + 0.5f, l = (float)i + 0.25f;
		const uint32_t expected[] = { group_in[i], bits_of(g), group_in[i], bits_of(l) };
		assert_memory_equal(group_out + i * 4, expected, sizeof expected);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_give_what_the_standard_says),
		cmocka_unit_test(conversions_give_what_the_standard_says),
		cmocka_unit_test(halves_are_rounded_as_asked),
		cmocka_unit_test(work_items_know_four_dimensions),
		cmocka_unit_test(groups_copy),
		cmocka_unit_test(atomics_give_what_was_there),
		cmocka_unit_test(floats_are_exchanged),
	};
	const char *list = argc > 3 ? argv[3] : "0";

	chip = argc > 1 ? argv[1] : chip;
	compiler = argc > 2 ? argv[2] : compiler;
	only = argc > 4 ? argv[4] : only;
	library = argc > 5 ? argv[5] : library;
	for (; *list; list += strcspn(list, ","), list += *list == ',')
		asked[strtoul(list, NULL, 10) % 17] = true;
	if (!compiles()) {
		printf("skipped: no clang that compiles OpenCL C\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
