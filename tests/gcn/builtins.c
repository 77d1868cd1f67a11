#include "tests/gcn/builtins.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define PI 3.141592653589793238462643383279502884L
#define ANYF (k->any[0] = true, 0.0L)
#define ANY (k->any[1] = true, (__int128)0)
#define INT_MIN_OR_MAX (isnan(A) ? INT_MAX : INT_MIN)   /* FP_ILOGBNAN, FP_ILOGB0 of clang's header */
#define SMALL(b) ((b) > 40000 ? 40000 : (b) < -40000 ? -40000 : (long)(b))

const struct kind kinds[] = {
	{ 'c', "uchar", 8, false, false }, { 'C', "char", 8, true, false }, { 's', "ushort", 16, false, false },
	{ 'S', "short", 16, true, false }, { 'i', "uint", 32, false, false }, { 'I', "int", 32, true, false },
	{ 'l', "ulong", 64, false, false }, { 'L', "long", 64, true, false }, { 'f', "float", 32, true, true },
	{ 'd', "double", 64, true, true },
};
const size_t nkinds = sizeof kinds / sizeof *kinds;
const unsigned widths[6] = { 1, 2, 3, 4, 8, 16 };

const struct kind *kind_of(char letter)
{
	for (size_t i = 0; i < nkinds; i++)
		if (kinds[i].letter == letter)
			return &kinds[i];
	return NULL;
}

/* ---- pieces of meanings ---- */

static __int128 mask(const struct form *k)
{
	return ((__int128)1 << k->type->bits) - 1;
}

static __int128 least(const struct kind *t)
{
	return t->is_signed ? -((__int128)1 << (t->bits - 1)) : 0;
}

static __int128 most(const struct kind *t)
{
	return ((__int128)1 << (t->bits - t->is_signed)) - 1;
}

static __int128 saturate(const struct form *k, __int128 v)
{
	return v < least(k->type) ? least(k->type) : v > most(k->type) ? most(k->type) : v;
}

static __int128 multiply_high(const struct form *k, __int128 a, __int128 b)
{
	if (k->type->is_signed)
		return (a * b) >> k->type->bits;
	return (__int128)((unsigned __int128)a * (unsigned __int128)b >> k->type->bits);
}

static __int128 mad_saturated(const struct form *k, __int128 a, __int128 b, __int128 c)
{
	unsigned __int128 product = (unsigned __int128)a * (unsigned __int128)b;

	if (!k->type->is_signed && product >> k->type->bits)
		return most(k->type);
	return saturate(k, a * b + c);
}

/* The operands of mad24 and mul24 are the upper 24 bits, brought down. */
static __int128 low24(const struct form *k, __int128 a)
{
	if (k->type->is_signed)
		return (int32_t)((uint32_t)a << 8) >> 8;
	return (uint32_t)a << 8 >> 8;
}

static long double exact_fma(const struct form *k, long double a, long double b, long double c)
{
	return k->type->bits == 32 ? fmaf((float)a, (float)b, (float)c) : fma((double)a, (double)b, (double)c);
}

static long double fract(const struct form *k, long double a)
{
	if (a == 0 || isnan(a))
		return a;
	if (k->type->bits == 32)
		return fminf((float)a - floorf((float)a), 0x1.fffffep-1f);
	return fmin((double)a - floor((double)a), 0x1.fffffffffffffp-1);
}

static long double sinpi(long double a)
{
	long double x = remainderl(a, 2), m;

	if (isnan(x))
		return x;
	if (fabsl(x) > 0.5L)
		x = copysignl(1, x) - x;
	m = fabsl(x);
	return x == 0 ? copysignl(0, a) : copysignl(m <= 0.25L ? sinl(PI * m) : cosl(PI * (0.5L - m)), x);
}

static long double cospi(long double a)
{
	long double x = fabsl(remainderl(a, 2)), sign = x > 0.5L ? -1 : 1;

	if (isnan(x))
		return x;
	x = x > 0.5L ? 1 - x : x;
	return x == 0.5L ? 0 : sign * (x <= 0.25L ? cosl(PI * x) : sinl(PI * (0.5L - x)));
}

static long double tanpi(long double a)
{
	long double s = sinpi(a), c = cospi(a), even = fmodl(floorl(a), 2);

	if (isnan(s))
		return s;
	if (c == 0)
		return even == 0 ? INFINITY : -INFINITY;
	return s == 0 ? copysignl(0, fmodl(a, 2) == 0 ? a : -a) : s / c;
}

/* glibc 2.36 says that powl(-INFINITY, -0x1p63L) is infinite. */
static long double power(long double x, long double y)
{
	long double sign = x < 0 && fabsl(fmodl(y, 2)) == 1 ? -1 : 1;

	if (!isinf(x) || isnan(y))
		return powl(x, y);
	return y == 0 ? 1 : sign * (y < 0 ? 0.0L : (long double)INFINITY);
}

static long double powr(long double x, long double y)
{
	if (isnan(x) || isnan(y) || x < 0 || (x == 0 && y == 0) || (x == 1 && isinf(y)) || (isinf(x) && y == 0))
		return NAN;
	return powl(fabsl(x), y);
}

static long double pown(long double x, int n)
{
	return powl(x, n);
}

static long double rootn(long double x, int n)
{
	if (n == 0 || (x < 0 && n % 2 == 0))
		return NAN;
	return copysignl(powl(fabsl(x), 1 / (long double)n), n % 2 ? x : 1);
}

static long double smoothstep_of(struct form *k, long double a, long double b, long double c)
{
	long double t;

	if (!(a < b) || !(fabsl(a) < 1e6L) || !(fabsl(b) < 1e6L) || isnan(c) || b - a < fmaxl(fabsl(a), fabsl(b)) / 8)
		return ANYF;
	t = fmaxl(0, fminl(1, (c - a) / (b - a)));
	return t * t * (3 - 2 * t);
}
#define smoothstep(a, b, c) smoothstep_of(k, a, b, c)

/* Sign and the lower seven bits of the quotient of remquo. */
static __int128 quotient(long double a, long double b)
{
	long double rest = fmodl(fabsl(a), 128 * fabsl(b)), m = fabsl(b);
	int q = (int)nearbyintl((rest - remainderl(rest, m)) / m) & 127;

	return signbit(a) != signbit(b) ? -q : q;
}
#define LOW7(q) quotient(A, B)

static __int128 to_bits(const struct form *k, long double v)
{
	float f = (float)v;
	double d = (double)v;
	uint32_t u;
	uint64_t w;

	memcpy(&u, &f, 4);
	memcpy(&w, &d, 8);
	return k->type->bits == 32 ? u : (__int128)w;
}

static long double of_bits(const struct form *k, __int128 v)
{
	uint32_t u = (uint32_t)v;
	uint64_t w = (uint64_t)v;
	float f;
	double d;

	memcpy(&f, &u, 4);
	memcpy(&d, &w, 8);
	return k->type->bits == 32 ? f : d;
}

static bool selects_second(const struct form *k, __int128 c)
{
	return k->width == 1 ? c != 0 : c >> (k->type->bits - 1) & 1;
}
#define SELECT(c) { bool second = selects_second(k, c); R = second ? B : A; r = second ? b : a; }

/* ---- functions of all elements ---- */

#define L(argument, index) (k->all[argument][index].f)
#define N(argument, index) (k->all[argument][index].i)

static long double lanes_product(const struct form *k, unsigned x, unsigned y)
{
	long double sum = 0;

	for (unsigned i = 0; i < k->width; i++)
		sum += L(x, i) * L(y, i);
	return sum;
}

static long double lanes_size(const struct form *k, unsigned x, unsigned y)
{
	long double sum = 0;

	for (unsigned i = 0; i < k->width; i++)
		for (unsigned j = 0; j < k->width; j++)
			sum += fabsl(L(x, i) * L(y, j));
	return sum;
}

/* Whether squares of the argument's elements are in range. */
static bool moderate(const struct form *k, unsigned x)
{
	for (unsigned i = 0; i < k->width; i++)
		if (!(fabsl(L(x, i)) < 1e15L) || (L(x, i) != 0 && fabsl(L(x, i)) < 1e-15L))
			return false;
	return true;
}

/* A value with an error of some roundings of a sum of the size. */
static long double within(struct form *k, long double value, long double size)
{
	if (!(size < 1e30L))
		return ANYF;
	k->tolerance = 8 * size * (k->type->bits == 32 ? (long double)FLT_EPSILON : DBL_EPSILON) +
		       (k->type->bits == 32 ? (long double)FLT_MIN : DBL_MIN);
	return value;
}

/* ---- conversions (6.2.3) ---- */

static long double rounded_to_integer(long double v, char rounding)
{
	return rounding == 'e' ? rintl(v) : rounding == 'z' ? truncl(v) : rounding == 'p' ? ceill(v) : floorl(v);
}

/* The value of the type that is nearest to v in the direction; v has at most 64 significant bits. */
static long double rounded_to_float(const struct kind *t, long double v, char rounding)
{
	long double nearest = t->bits == 32 ? (long double)(float)v : (long double)(double)v;
	char to = rounding == 'z' ? v < 0 ? 'p' : 'n' : rounding;

	if (isnan(v) || isinf(v) || rounding == 'e' || nearest == v)
		return nearest;
	if (to == 'p' && nearest < v)
		return t->bits == 32 ? nextafterf((float)nearest, INFINITY) : nextafter((double)nearest, INFINITY);
	if (to == 'n' && nearest > v)
		return t->bits == 32 ? nextafterf((float)nearest, -INFINITY) : nextafter((double)nearest, -INFINITY);
	return nearest;
}

static void conversion(struct form *k, const struct value *x, struct value *out)
{
	const struct kind *to = k->slot[0].kind, *from = k->slot[RESULTS].kind;
	long double v = from->real ? x[0].f : (long double)x[0].i;

	if (to->real) {
		out[0].f = rounded_to_float(to, v, k->rounding);
		return;
	}
	if (!from->real) {
		out[0].i = !k->saturate ? x[0].i :
			   x[0].i < least(to) ? least(to) : x[0].i > most(to) ? most(to) : x[0].i;
		return;
	}
	v = rounded_to_integer(v, k->rounding);
	/* Out of range the result is undefined, unless it saturates; NaN should become 0 then. */
	k->any[0] = !k->saturate && !(v >= (long double)least(to) && v <= (long double)most(to));
	out[0].i = k->any[0] || isnan(v) ? 0 : v < (long double)least(to) ? least(to)
					: v > (long double)most(to)	  ? most(to)
									  : (__int128)v;
}

struct form form_of_conversion(const struct kind *to, const struct kind *from, bool saturates, char rounding,
				char *call)
{
	struct form f = { .name = call, .call = call, .type = to, .meaning = conversion, .saturate = saturates };

	snprintf(call, 64, "r = convert_%s@W%s%s%.1s(a)", to->name, saturates ? "_sat" : "", rounding ? "_rt" : "",
		 &rounding);
	f.slot[0].kind = to;
	f.slot[RESULTS].kind = from;
	f.rounding = rounding ? rounding : to->real ? 'e' : 'z';
	return f;
}

/* ---- the table ---- */

#define A x[0].f
#define B x[1].f
#define C x[2].f
#define R out[0].f
#define S out[1].f
#define BUILTIN(name, call, types, elements, ulp, ...)                                                                 \
	static void meaning_##name(struct form *k, const struct value *x, struct value *out)                           \
	{                                                                                                              \
		__int128 a = x[0].i, b = x[1].i, c = x[2].i, r = 0, s = 0;                                             \
		(void)a, (void)b, (void)c, (void)k;                                                                    \
		__VA_ARGS__;                                                                                           \
		out[0].i = r;                                                                                          \
		out[1].i = s;                                                                                          \
	}
#pragma GCC diagnostic push
#ifndef __clang__       /* which does not know the warning */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include "tests/gcn/builtins.def"
#pragma GCC diagnostic pop
#undef BUILTIN
#undef A
#undef B
#undef C
#undef R
#undef S

#define BUILTIN(name, call, types, elements, ulp, ...) { #name, call, types, elements, ulp, meaning_##name },
const struct row builtin_rows[] = {
#include "tests/gcn/builtins.def"
};
#undef BUILTIN
const size_t builtin_nrows = sizeof builtin_rows / sizeof *builtin_rows;

static const struct kind *integer(unsigned bits, bool is_signed)
{
	for (size_t i = 0; i < nkinds; i++)
		if (!kinds[i].real && kinds[i].bits == bits && kinds[i].is_signed == is_signed)
			return &kinds[i];
	return NULL;
}

struct form form_of_row(const struct row *row, const struct kind *type)
{
	struct form f = { .name = row->name, .call = row->call, .type = type, .ulp = row->ulp, .meaning = row->meaning,
			  .which = row->types[SLOTS] };

	for (unsigned i = 0; i < SLOTS; i++) {
		struct slot *s = &f.slot[i];
		switch (row->types[i]) {
		case 'T': s->kind = type; break;
		case 'S': s->kind = type; s->scalar = true; break;
		case 'I': s->kind = kind_of('I'); break;
		case '1': s->kind = kind_of('I'); s->scalar = true; break;
		case 'U': s->kind = integer(type->bits, false); break;
		case 'J': s->kind = integer(type->bits, true); break;
		case 'W': s->kind = integer(2 * type->bits, type->is_signed); break;
		case 'V': s->kind = integer(type->bits, false); break;
		case 'E': s->kind = integer(type->bits, true); s->truth = true; break;
		}
	}
	return f;
}

bool has_width(const struct form *f, unsigned width)
{
	switch (f->which) {
	case '4': return width <= 4;
	case '3': return width == 3 || width == 4;
	case '2': return width > 1 && width != 3;
	case 'p': return width != 3;
	case '1': return width == 1;
	case 'v': return width > 1;
	}
	return true;
}

/* ---- kernels ---- */

/* Kind of a slot in a call of a width: what is true of scalars is an int. */
static const struct kind *kind_at(const struct slot *s, unsigned width)
{
	return s->truth && width == 1 ? kind_of('I') : s->kind;
}

static void put_type(FILE *f, const struct kind *kind, unsigned width)
{
	fprintf(f, "%s", kind->name);
	if (width > 1)
		fprintf(f, "%u", width);
}

static void write_call(FILE *f, const struct form *form, unsigned width)
{
	for (const char *p = form->call; *p; p++) {
		if (*p == '@' && p[1] == 'T')
			put_type(f, form->type, width), p++;
		else if (*p == '@' && p[1] == 'U')
			put_type(f, integer(form->type->bits, false), width), p++;
		else if (*p == '@' && p[1] == 'E')
			put_type(f, form->type, 1), p++;
		else if (*p == '@' && p[1] == 'W')
			width > 1 ? fprintf(f, "%u", width) : 0, p++;
		else
			fputc(*p, f);
	}
}

void write_kernel(FILE *f, const struct form *form, unsigned width, const char *name)
{
	static const char digits[] = "0123456789abcdef", names[] = "rsabc";

	fprintf(f, "kernel void %s(", name);
	for (unsigned i = 0; i < SLOTS; i++) {
		const struct kind *kind = form->slot[i].kind ? kind_at(&form->slot[i], width) : &kinds[0];
		fprintf(f, "global %s *p%c%s", kind->name, names[i], i + 1 < SLOTS ? ", " : ")\n{\n");
	}
	fprintf(f, "\tsize_t i = get_global_id(0) * %u;\n\tif (i + %u > %u) return;\n", width, width, ELEMENTS);
	for (unsigned i = 0; i < SLOTS; i++) {
		const struct slot *s = &form->slot[i];
		unsigned w = s->scalar ? 1 : width;
		if (!s->kind)
			continue;
		fprintf(f, "\t");
		put_type(f, kind_at(s, width), w);
		fprintf(f, " %c = ", names[i]);
		for (unsigned e = 0; i >= RESULTS && e < w; e++) {
			if (!e && w > 1)
				fputc('(', f), put_type(f, kind_at(s, width), w), fputc(')', f);
			fprintf(f, "%sp%c[i + %u]", e ? ", " : "(", names[i], e);
		}
		fprintf(f, i >= RESULTS ? ");\n" : "0;\n");
	}
	fputc('\t', f);
	write_call(f, form, width);
	fprintf(f, ";\n");
	for (unsigned i = 0; i < RESULTS; i++)
		for (unsigned e = 0; form->slot[i].kind && e < width; e++) {
			fprintf(f, "\tp%c[i + %u] = %c", names[i], e, names[i]);
			if (width > 1)
				fprintf(f, ".s%c", digits[e]);
			fprintf(f, ";\n");
		}
	fprintf(f, "}\n");
}

/* ---- inputs ---- */

static uint64_t mixed(uint64_t z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static double real_input(const struct kind *t, unsigned special, uint64_t z)
{
	static const double specials[] = {
		0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, -2, 2.5, -2.5, INFINITY, -INFINITY, NAN, 0.3, -0.3, 3, -7,
		127.5, -128.5, 255.5, 32767.5, -32768.5, 65535.5, 1e-3, -1e-3, 8388609.5, 2147483648.0, -2147483648.0,
		4294967296.0, 9223372036854775808.0, -9223372036854775808.0, 18446744073709551616.0, 16777217,
		1e-30, -1e30, 0.49999997, -0.49999997, 0.99999994, 88.5, -104, 4503599627370497.5, 1e10,
	};
	enum { COUNT = sizeof specials / sizeof *specials };
	double u = (double)(z >> 11) * 0x1p-53, s = z & 1 ? -1 : 1, bits;

	switch (special) {
	case COUNT: return t->bits == 32 ? (double)FLT_MAX : DBL_MAX;
	case COUNT + 1: return t->bits == 32 ? -(double)FLT_MIN : -DBL_MIN;
	case COUNT + 2: return t->bits == 32 ? 0x1p-149 : 0x1p-1074;
	case COUNT + 3: return t->bits == 32 ? -0x1p-127 : -0x1p-1023;
	case COUNT + 4: return t->bits == 32 ? 2147483520.0 : 0x1.fffffffffffffp62;
	}
	if (special < COUNT)
		return specials[special];
	switch (z >> 1 & 7) {
	case 0: return s * u;
	case 1: return s * (1 + (u - 0.5) / 64);
	case 2: return s * floor(u * 600) / 2;
	case 3:
	case 4: return s * u * 20;
	case 5: return s * u * 4000;
	case 6: return s * exp2(u * (t->bits == 32 ? 250 : 2000) - (t->bits == 32 ? 125 : 1000));
	}
	if (t->bits == 64) {
		memcpy(&bits, &(uint64_t){ mixed(z) }, 8);
		return bits;
	}
	return (double)((union { uint32_t u; float f; }){ (uint32_t)mixed(z) }).f;
}
enum { REAL_SPECIALS = 49 };

static uint64_t integer_input(const struct kind *t, unsigned special, uint64_t z)
{
	static const int64_t near[] = { 0, 1, -1, 2, -2, 3, -3, 5, 7, -7, 30, 31, 32, 33, 63, 64, 100, 126, -126, 127,
					128, -128, 149, -149, 150, -150, 255, 256, 1000, -1000, 1022, -1074, 32767,
					32768, 65535, 65536, 8388607, 16777217, 16777219, -16777219 };
	enum { COUNT = sizeof near / sizeof *near };
	uint64_t top = UINT64_C(1) << (t->bits - 1);

	switch (special) {
	case COUNT: return top;
	case COUNT + 1: return top - 1;
	case COUNT + 2: return top + 1;
	case COUNT + 3: return top >> 1;
	case COUNT + 4: return UINT64_C(0x5555555555555555);
	case COUNT + 5: return top - 2;
	}
	if (special < COUNT)
		return (uint64_t)near[special];
	return z & 1 ? (uint64_t)(int64_t)(mixed(z) % 41) - 20 : mixed(z) >> (z >> 1 & 63);
}
enum { INTEGER_SPECIALS = 46 };

static unsigned specials_of(const struct kind *t)
{
	return t->real ? REAL_SPECIALS : INTEGER_SPECIALS;
}

/* Element e's argument: of one argument each special, of two each pair of specials, of three a sample; then random
 * values. */
void fill_argument(const struct form *form, unsigned argument, void *bytes)
{
	const struct kind *t = form->slot[RESULTS + argument].kind;
	const struct kind *first = form->slot[RESULTS].kind, *second = form->slot[RESULTS + 1].kind;
	bool third = form->slot[RESULTS + 2].kind;

	for (unsigned e = 0; t && e < ELEMENTS; e++) {
		uint64_t z = mixed(e * 3 + argument + (uint64_t)t->bits * 100000 + form->type->bits * 7777);
		unsigned n = specials_of(t), special = UINT_MAX;
		uint8_t *to = (uint8_t *)bytes + e * t->bits / 8;
		if (!second)
			special = e;
		else if (first && !third && e < specials_of(first) * specials_of(second))
			special = argument ? e / specials_of(first) : e % specials_of(first);
		else if (e < ELEMENTS * 3 / 4)
			special = (unsigned)(mixed(z ^ 0x55) % (n + n / 2));
		if (t->real) {
			double d = real_input(t, special, z);
			float f = (float)d;
			memcpy(to, t->bits == 32 ? (void *)&f : (void *)&d, t->bits / 8);
		} else {
			uint64_t v = integer_input(t, special, z);
			memcpy(to, &v, t->bits / 8);
		}
	}
}

/* ---- results ---- */

static struct value value_at(const struct kind *t, const void *bytes, unsigned e)
{
	const uint8_t *p = (const uint8_t *)bytes + e * t->bits / 8;
	struct value v = { 0, 0 };
	uint64_t u = 0;
	float f;
	double d;

	memcpy(&u, p, t->bits / 8);
	memcpy(&f, p, 4 < t->bits / 8 ? 4 : t->bits / 8);
	memcpy(&d, &u, 8);
	if (t->real)
		v.f = t->bits == 32 ? f : (long double)d;
	else
		v.i = t->is_signed ? (int64_t)(u << (64 - t->bits)) >> (64 - t->bits) : (__int128)u;
	return v;
}

/* Doubles keep denormal values on all chips. */
static bool denormal(const struct kind *t, long double v)
{
	return t->real && t->bits == 32 && v != 0 && fabsl(v) < FLT_MIN;
}

/* The error in units in the last place of the type, at the exact value. */
static long double error_of(const struct kind *t, long double found, long double exact)
{
	int digits = t->bits == 32 ? FLT_MANT_DIG : DBL_MANT_DIG, least_exponent = t->bits == 32 ? -149 : -1074;
	int e = exact == 0 ? least_exponent : ilogbl(exact) - digits + 1;

	return fabsl(found - exact) / ldexpl(1, e < least_exponent ? least_exponent : e);
}

static bool right_float(const struct form *form, const struct kind *t, struct value found, struct value expected,
			long double greatest, bool flush, long double *error)
{
	long double exact = expected.f;
	long double rounded = t->bits == 32 ? (long double)(float)exact : (long double)(double)exact;
	long double largest = t->bits == 32 ? (long double)FLT_MAX : DBL_MAX;

	*error = INFINITY;
	if (isnan(exact) || isnan(found.f))
		return isnan(exact) && isnan(found.f);
	if (form->tolerance > 0 && fabsl(found.f - exact) <= form->tolerance)
		return true;
	if (form->ulp == 0 || isinf(exact))
		return (found.f == rounded && signbit(found.f) == signbit(rounded)) ||
		       (flush && denormal(t, exact) && fabsl(found.f) < FLT_MIN);
	if (form->ulp < 0) {
		greatest = fmaxl(fmaxl(greatest, fabsl(exact)), FLT_MIN);
		*error = fabsl(found.f - exact) * ldexpl(1, t->bits == 32 ? 23 : 52) / greatest;
		return *error <= -(long double)form->ulp;
	}
	if (isinf(found.f))     /* within the bound of what overflows */
		return signbit(found.f) == signbit(exact) &&
		       (isinf(rounded) || error_of(t, largest, fabsl(exact)) <= (long double)form->ulp);
	if (exact == 0 && form->ulp == UNSIGNED_ZERO)
		return found.f == 0;
	if (exact == 0 && form->ulp < 100)
		return found.f == 0 && signbit(found.f) == signbit(exact);
	if (flush && denormal(t, exact) && fabsl(found.f) <= FLT_MIN)
		return true;
	*error = error_of(t, found.f, exact);
	return *error <= (long double)form->ulp;
}

static bool right_integer(const struct kind *t, struct value found, struct value expected)
{
	return ((found.i ^ expected.i) & (((__int128)1 << t->bits) - 1)) == 0;
}

static int describe(char *text, size_t size, const struct kind *t, struct value v)
{
	if (t->real)
		return snprintf(text, size, "%.9Lg (%La)", v.f, v.f);
	return snprintf(text, size, t->is_signed ? "%lld" : "%llu", (long long)v.i);
}

static void say_difference(const struct form *form, unsigned width, const struct value *x, const struct kind *t,
			   struct value found, struct value expected, long double error, char *text, size_t size)
{
	int n = snprintf(text, size, "%s, %s x%u:", form->name, form->type->name, width);

	for (unsigned j = 0; j < ARGUMENTS && (size_t)n < size; j++)
		if (form->slot[RESULTS + j].kind) {
			n += snprintf(text + n, size - (size_t)n, " %c = ", "abc"[j]);
			n += describe(text + n, size - (size_t)n, form->slot[RESULTS + j].kind, x[j]);
		}
	n += snprintf(text + n, size - (size_t)n, ": found ");
	n += describe(text + n, size - (size_t)n, t, found);
	n += snprintf(text + n, size - (size_t)n, ", expected ");
	n += describe(text + n, size - (size_t)n, t, expected);
	if (error < INFINITY)
		snprintf(text + n, size - (size_t)n, ", %.1Lf ulp", error);
}

bool compare_results(struct form *form, unsigned width, const void *const in[ARGUMENTS], const void *const out[RESULTS],
		     bool flush, char *text, size_t size)
{
	form->width = width;
	for (unsigned e = 0; e < ELEMENTS / width * width; e++) {
		struct value x[ARGUMENTS] = { { 0 } }, expected[RESULTS] = { { 0 } };
		long double greatest = 0;
		bool small = false;
		for (unsigned j = 0; j < ARGUMENTS; j++) {
			const struct slot *s = &form->slot[RESULTS + j];
			if (!s->kind)
				continue;
			x[j] = value_at(s->kind, in[j], s->scalar ? e / width * width : e);
			greatest = fmaxl(greatest, fabsl(x[j].f));
		}
		for (unsigned j = 0; j < ARGUMENTS; j++)
			for (unsigned i = 0; form->slot[RESULTS + j].kind && i < width; i++) {
				form->all[j][i] = value_at(form->slot[RESULTS + j].kind, in[j], e / width * width + i);
				small |= denormal(form->slot[RESULTS + j].kind, form->all[j][i].f);
			}
		if (small && flush)
			continue;
		form->any[0] = form->any[1] = false;
		form->lane = e % width;
		form->tolerance = 0;
		form->meaning(form, x, expected);
		for (unsigned i = 0; i < RESULTS; i++) {
			const struct slot *s = &form->slot[i];
			const struct kind *t = s->kind ? kind_at(s, width) : NULL;
			long double error = INFINITY;
			struct value found;
			if (!t || form->any[i])
				continue;
			found = value_at(t, out[i], e);
			if (s->truth && width > 1)
				expected[i].i = -expected[i].i;
			if (t->real ? right_float(form, t, found, expected[i], greatest, flush, &error)
				    : right_integer(t, found, expected[i]))
				continue;
			say_difference(form, width, x, t, found, expected[i], error, text, size);
			return false;
		}
	}
	return true;
}
