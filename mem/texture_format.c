/* The formats of texels: table, names, and numbers of a texel's bits (spec tesla-graphics 5.4). Every number is
 * computed in binary64 from integers and rounded to binary32 once; compressed blocks are interpolated exactly, as in
 * Direct3D 10's reference. */
#include "mem/texture_texel.h"

#define AT(first, n) { first, n }
#define NONE { 0, 0 }
#define FORMAT(code_, name_, bytes_, kind_, r, g, b, a, sources_) \
	{ .name = name_, .sources = sources_, .code = code_, .bytes = bytes_, .kind = KIND_##kind_, \
	  .field = { r, g, b, a } },
static const struct texture_format formats[] = {
#include "mem/texture_format.def"
};
#undef FORMAT
#undef NONE
#undef AT
enum { FORMATS = sizeof formats / sizeof *formats };

#define U1(n) (float)((n) / 255.0)
#define U4(n) U1(n), U1((n) + 1), U1((n) + 2), U1((n) + 3)
#define U16(n) U4(n), U4((n) + 4), U4((n) + 8), U4((n) + 12)
#define U64(n) U16(n), U16((n) + 16), U16((n) + 32), U16((n) + 48)
const double texel_unorm8[256] = { U64(0), U64(64), U64(128), U64(192) };
#undef U1
#undef U4
#undef U16
#undef U64

/* ---- names ---- */

static const char *const type_names[] = {
	[TEXEL_SNORM] = "snorm", [TEXEL_UNORM] = "unorm", [TEXEL_SINT] = "sint", [TEXEL_UINT] = "uint",
	[TEXEL_FLOAT] = "float",
};
enum { TYPE_NAMES = sizeof type_names / sizeof *type_names };

const struct texture_format *texture_format_of(unsigned code)
{
	for (int i = 0; i < FORMATS; i++)
		if (formats[i].code == code)
			return &formats[i];
	return NULL;
}

unsigned texture_format_code(const struct texture_format *f)
{
	return f->code;
}

unsigned texture_format_bytes(const struct texture_format *f, bool *blocks)
{
	*blocks = f->kind >= KIND_DXT1 && f->kind <= KIND_DXN2;
	return f->bytes;
}

const char *texture_format_name(unsigned i)
{
	return i < FORMATS ? formats[i].name : NULL;
}

/* May component c of the format have texel type `type`? */
static bool type_fits(const struct texture_format *f, int c, unsigned type)
{
	switch (f->kind) {
	case KIND_FIELDS:
		return type >= TEXEL_SNORM && (type < TEXEL_FLOAT || (type == TEXEL_FLOAT && (f->field[c].bits == 16 ||
											    f->field[c].bits == 32)));
	case KIND_RGB9E5: case KIND_R11G11B10:
		return type == TEXEL_FLOAT;
	case KIND_DXN1: case KIND_DXN2:
		return type == TEXEL_UNORM || type == TEXEL_SNORM;
	default:
		return type == TEXEL_UNORM;
	}
}

/* The stencil beside a depth is an integer. */
static unsigned type_of(const struct texture_format *f, int c, unsigned type)
{
	return f->sources[1] == 'r' && c ? TEXEL_UINT : type;
}

static unsigned source_of(char letter, bool integer)
{
	switch (letter) {
	case 'r': return SOURCE_R;
	case 'g': return SOURCE_G;
	case 'b': return SOURCE_B;
	case 'a': return SOURCE_A;
	case '1': return integer ? SOURCE_ONE_INT : SOURCE_ONE_FLOAT;
	default: return SOURCE_ZERO;
	}
}

bool texture_swizzle_named(const char *letters, bool integer, uint8_t source[4])
{
	if (strlen(letters) != 4 || strspn(letters, "rgba01") != 4)
		return false;
	for (int c = 0; c < 4; c++)
		source[c] = (uint8_t)source_of(letters[c], integer);
	return true;
}

bool texture_format_named(const char *name, struct texture_named_format *out)
{
	const char *tail = strrchr(name, '_');
	unsigned type = 0;

	for (unsigned i = 0; tail && i < TYPE_NAMES; i++)
		if (type_names[i] && !strcmp(tail + 1, type_names[i]))
			type = i;
	for (int i = 0; type && i < FORMATS; i++) {
		const struct texture_format *f = &formats[i];
		if (strlen(f->name) != (size_t)(tail - name) || strncmp(name, f->name, (size_t)(tail - name)) ||
		    !type_fits(f, 0, type))
			continue;
		*out = (struct texture_named_format){ .format = f, .depth = f->sources[1] == 'r' };
		for (int c = 0; c < 4; c++)
			out->texel_type[c] = (uint8_t)type_of(f, c, type);
		return texture_swizzle_named(f->sources, texel_type_is_integer(type), out->source);
	}
	return false;
}

/* ---- numbers ---- */

/* x^(2/5), 0 < x <= 1, by Newton's method for the fifth root. */
static double power_two_fifths(double x)
{
	double a = x * x, root = 1;

	for (int i = 0; i < 24; i++)
		root = (4 * root + a / (root * root * root * root)) / 5;
	return root;
}

float texel_from_srgb(float v)
{
	double x = v, y;

	if (!(x > 0.04045))
		return (float)(x / 12.92);
	y = (x + 0.055) / 1.055;
	return (float)(y * y * power_two_fifths(y));
}

/* binary16, and the shorter floats without a sign, of 5 bits of exponent: exact. */
static float small_float(uint32_t bits, unsigned mantissa_bits, bool sign)
{
	uint32_t mantissa = bits & ((1u << mantissa_bits) - 1), exponent = bits >> mantissa_bits & 31;
	uint32_t negative = sign ? bits >> (mantissa_bits + 5) & 1 : 0;
	uint32_t word = mantissa << (23 - mantissa_bits);

	if (exponent == 31)
		word |= 0x7f800000;
	else if (exponent)
		word |= (exponent + 127 - 15) << 23;
	else
		word = f32_bits((float)mantissa / (float)(1u << (14 + mantissa_bits)));
	return f32_value(word | negative << 31);
}

static float unorm(uint64_t c, uint64_t most)
{
	return (float)((double)c / (double)most);
}

static float snorm(int64_t c, int64_t most)
{
	return c < -most ? -1 : (float)((double)c / (double)most);
}

/* Round to binary16, ties to even. */
static float to_fp16(float v)
{
	double scale = 16384;   /* 2^14, for |v| <= 1: the step is 2^-24 and more */
	double a = v < 0 ? -(double)v : v;

	for (int e = 0; e < 13 && a * (double)(1 << (e + 1)) < 1; e++)
		scale *= 2;
	if (a >= 1)
		return v;
	scale /= 8;             /* eleven bits of numbers in [1/2, 1) */
	double n = a * scale, whole = (double)(int64_t)n, rest = n - whole;
	if (rest > 0.5 || (rest == 0.5 && ((int64_t)whole & 1)))
		whole++;
	return (float)(v < 0 ? -whole / scale : whole / scale);
}

static uint32_t number(uint32_t raw, unsigned bits, unsigned type)
{
	uint64_t most = (1ull << bits) - 1;
	int64_t value = (int64_t)((uint64_t)raw << (64 - bits)) >> (64 - bits);

	switch (type) {
	case TEXEL_UNORM: return f32_bits(unorm(raw, most));
	case TEXEL_UNORM_FP16: return f32_bits(to_fp16(unorm(raw, most)));
	/* a single bit is a sign without a value */
	case TEXEL_SNORM: return f32_bits(bits > 1 ? snorm(value, (int64_t)(most / 2)) : (float)value);
	case TEXEL_SNORM_FP16:
		return f32_bits(to_fp16(bits > 1 ? snorm(value, (int64_t)(most / 2)) : (float)value));
	case TEXEL_SINT: return (uint32_t)value;
	case TEXEL_UINT: return raw;
	default: return bits == 32 ? raw : f32_bits(small_float(raw, 10, true));
	}
}

static uint32_t field(const uint8_t *p, unsigned at, unsigned bits)
{
	uint64_t v = 0;
	unsigned bytes = (at % 8 + bits + 7) / 8;

	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)p[at / 8 + i] << 8 * i;
	return (uint32_t)(v >> at % 8 & ((1ull << bits) - 1));
}

static void fields(const struct texture *t, const uint8_t *p, uint32_t rgba[4])
{
	const struct texture_format *f = t->format;

	for (int c = 0; c < 4; c++)
		if (f->field[c].bits)
			rgba[c] = number(field(p, f->field[c].shift, f->field[c].bits), f->field[c].bits,
					 t->texel_type[c]);
}

static void rgb9e5(const uint8_t *p, uint32_t rgba[4])
{
	uint32_t e = field(p, 27, 5);

	for (unsigned c = 0; c < 3; c++)        /* c × 2^(e - 15 - 9) */
		rgba[c] = f32_bits((float)((double)field(p, 9 * c, 9) * (double)(1ull << e) / (double)(1u << 24)));
}

/* Component c of a 5-6-5 colour. */
static uint32_t colour565(const uint8_t *p, int c)
{
	static const uint8_t at[3] = { 11, 5, 0 }, bits[3] = { 5, 6, 5 };

	return field(p, at[c], bits[c]);
}

/* The colours of a block of 4 by 4: two and the colours between. */
static void dxt_colour(const uint8_t *p, unsigned sub, bool always_four, uint32_t rgba[4])
{
	uint32_t first = field(p, 0, 16), second = field(p + 2, 0, 16), index = field(p + 4, 2 * sub, 2);
	bool four = always_four || first > second;
	/* thirds and halves of the second colour */
	static const uint8_t of_three[4] = { 0, 3, 1, 2 }, of_two[4] = { 0, 2, 1, 0 };

	for (int c = 0; c < 3; c++) {
		uint32_t a = colour565(p, c), b = colour565(p + 2, c), most = c == 1 ? 63 : 31;
		uint32_t parts = four ? 3 : 2, w = four ? of_three[index] : of_two[index];
		rgba[c] = f32_bits(unorm((uint64_t)a * (parts - w) + (uint64_t)b * w, (uint64_t)most * parts));
		if (!four && index == 3)
			rgba[c] = 0;
	}
	if (!always_four)
		rgba[3] = !four && index == 3 ? 0 : 0x3f800000;
}

/* A number of a block of 4 by 4: two and the numbers between. */
static uint32_t dxt_number(const uint8_t *p, unsigned sub, bool is_signed)
{
	int64_t a = is_signed ? (int8_t)p[0] : p[0], b = is_signed ? (int8_t)p[1] : p[1], most = is_signed ? 127 : 255;
	uint32_t index = field(p + 2, 3 * sub, 3);
	int64_t parts = a > b ? 7 : 5, w = index == 0 ? 0 : index == 1 ? parts : (int64_t)index - 1;

	if (a < -most)
		a = -most;
	if (b < -most)
		b = -most;
	if (parts == 5 && index >= 6)
		return f32_bits(index == 7 ? 1.0f : is_signed ? -1.0f : 0.0f);
	return f32_bits((float)((double)(a * (parts - w) + b * w) / (double)(most * parts)));
}

static void srgb_to_linear(uint32_t rgba[4])
{
	for (int c = 0; c < 3; c++)
		rgba[c] = f32_bits(texel_from_srgb(f32_value(rgba[c])));
}

void texel_components(const struct texture *t, const uint8_t *p, unsigned sub, bool srgb, uint32_t rgba[4])
{
	rgba[0] = rgba[1] = rgba[2] = 0;
	rgba[3] = texel_type_is_integer(t->texel_type[0]) ? 1 : 0x3f800000;
	switch (t->format->kind) {
	case KIND_FIELDS: fields(t, p, rgba); break;
	case KIND_RGB9E5: rgb9e5(p, rgba); break;
	case KIND_R11G11B10:
		rgba[0] = f32_bits(small_float(field(p, 0, 11), 6, false));
		rgba[1] = f32_bits(small_float(field(p, 11, 11), 6, false));
		rgba[2] = f32_bits(small_float(field(p, 22, 10), 5, false));
		break;
	case KIND_DXT1: dxt_colour(p, sub, false, rgba); break;
	case KIND_DXT23:
		dxt_colour(p + 8, sub, true, rgba);
		rgba[3] = f32_bits(unorm(field(p, 4 * sub, 4), 15));
		break;
	case KIND_DXT45:
		dxt_colour(p + 8, sub, true, rgba);
		rgba[3] = dxt_number(p, sub, false);
		break;
	case KIND_DXN2:
		rgba[1] = dxt_number(p + 8, sub, t->texel_type[1] == TEXEL_SNORM);
		/* fallthrough */
	case KIND_DXN1:
		rgba[0] = dxt_number(p, sub, t->texel_type[0] == TEXEL_SNORM);
		break;
	}
	if (srgb)
		srgb_to_linear(rgba);
}

/* ---- tables of the unit ---- */

static bool is_rgba8(const struct texture *t)
{
	for (int c = 0; c < 4; c++)
		if (t->texel_type[c] != TEXEL_UNORM || t->source[c] != SOURCE_R + c)
			return false;
	return t->format->code == 0x08;
}

bool texture_ready(struct texture *t)
{
	const struct texture_format *f = t->format;

	t->integer = false;
	for (int c = 0; c < 4; c++) {
		if (f->field[c].bits && !type_fits(f, c, t->texel_type[c]))
			return false;
		for (int i = 0; i < 4; i++)
			t->integer |= t->source[i] == SOURCE_R + c && f->field[c].bits &&
				      texel_type_is_integer(t->texel_type[c]);
	}
	t->kind = is_rgba8(t) ? KIND_RGBA8 : f->kind;
	for (int i = 0; i < 256 && t->srgb; i++)
		t->from_srgb[i] = texel_from_srgb((float)texel_unorm8[i]);
	return true;
}
