/* Image instructions of GCN (MIMG). What is expected is computed here once more from the tables and sentences of the
 * ISA manuals: formats as in section "Image data formats", wraps and filters as the S# fields are described, texel by
 * texel in binary64. */
#include <math.h>

#include "tests/kit/launches.h"

enum { TEXEL_BYTES = 1 << 17, LANES = 64, COORDS = 8 };

enum { D1 = 8, D2, D3, CUBE, D1_ARRAY, D2_ARRAY };
enum { WRAP, MIRROR, CLAMP, ONCE_CLAMP, HALF, ONCE_HALF, BORDER, ONCE_BORDER };
enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, FLOAT = 7, SRGB = 9 };

struct image {
	unsigned type, width, height, depth /* or layers */, levels, pitch, data, number, select[4];
};
struct sampler {
	unsigned wrap[3], mag, min, mip, compare, border, reduce;
	bool texels;                    /* coordinates in texels */
	double bias, min_lod, max_lod;
};

static uint32_t bits_of(double v)
{
	float f = (float)v;
	uint32_t word;

	memcpy(&word, &f, sizeof word);
	return word;
}

static double value_of(uint32_t word)
{
	float f;

	memcpy(&f, &word, sizeof f);
	return (double)f;
}

static uint8_t texels[TEXEL_BYTES];

static void fill(void)
{
	for (unsigned i = 0; i < TEXEL_BYTES; i++)
		texels[i] = (uint8_t)((i * 2654435761u + 12345) >> 13);
}

/* ---- running ---- */

/* T# without the address, and S#. */
static void descriptors(const char *chip, const struct image *m, const struct sampler *s, uint32_t w[12])
{
	bool g9 = !strcmp(chip, "gfx900"), array = m->type >= CUBE;
	unsigned layers = array ? m->depth - 1 : 0;

	memset(w, 0, 12 * sizeof *w);
	w[1] = m->data << 20 | m->number << 26;
	w[2] = (m->width - 1) | (m->height - 1) << 14;
	for (unsigned c = 0; c < 4; c++)
		w[3] |= m->select[c] << 3 * c;
	w[3] |= (m->levels - 1) << 16 | (g9 ? 0 : 8u << 20) | m->type << 28;
	w[4] = (m->type == D3 ? m->depth - 1 : g9 ? layers : 0) | (m->pitch - 1) << 13;
	w[5] = g9 ? (m->levels - 1) << 28 : layers << 13;
	if (!s)
		return;
	for (unsigned d = 0; d < 3; d++)
		w[8] |= s->wrap[d] << 3 * d;
	w[8] |= s->compare << 12 | (s->texels ? 1u << 15 : 0) | s->reduce << 29;
	w[9] = (uint32_t)(s->min_lod * 256) | (uint32_t)(s->max_lod * 256) << 12;
	w[10] = ((uint32_t)(int32_t)(s->bias * 256) & 0x3fff) | s->mag << 20 | s->min << 22 | s->mip << 26;
	w[11] = s->border << 30;
}

/* Pointers to texels, coordinates, descriptors and results are s[4:11]; T# is s[16:23], S# s[24:27], a lane's
 * coordinates v[8:15], and results v[4:7] go to the buffer. */
static void program(const char *chip, const char *instruction, char *text, size_t size)
{
	bool dwords = !strcmp(chip, "tahiti") || !strcmp(chip, "bonaire");
	unsigned unit = dwords ? 4 : 1;

	snprintf(text, size, ".kernel k\n.chip %s\n"
		 "s_load_dwordx8 s[4:11], s[0:1], 0x0\n" "s_waitcnt lgkmcnt(0)\n"
		 "s_load_dwordx8 s[16:23], s[8:9], 0x0\n" "s_load_dwordx4 s[24:27], s[8:9], 0x%x\n"
		 "s_mov_b32 s30, -1\n" "s_mov_b32 s31, 0x24fac\n" "s_mov_b32 s28, s6\n" "s_mov_b32 s29, s7\n"
		 "v_lshlrev_b32 v1, 5, v0\n" "v_lshlrev_b32 v2, 4, v0\n"
		 "v_mov_b32 v4, 0\n" "v_mov_b32 v5, 0\n" "v_mov_b32 v6, 0\n" "v_mov_b32 v7, 0\n"
		 "buffer_load_dwordx4 v[8:11], v1, s[28:31], 0 offen\n"
		 "buffer_load_dwordx4 v[12:15], v1, s[28:31], 0 offen offset:16\n"
		 "s_waitcnt lgkmcnt(0) & vmcnt(0)\n"
		 "s_lshr_b64 s[4:5], s[4:5], 8\n" "s_or_b32 s16, s16, s4\n" "s_or_b32 s17, s17, s5\n"
		 "%s\n"
		 "s_waitcnt vmcnt(0)\n" "s_mov_b32 s28, s10\n" "s_mov_b32 s29, s11\n"
		 "buffer_store_dwordx4 v[4:7], v2, s[28:31], 0 offen\n" "s_endpgm\n", chip, 32 / unit, instruction);
}

static struct wb_launch *launch_of(const char *chip, const char *instruction, const struct image *m,
				   const struct sampler *s, const uint32_t coords[LANES][COORDS], bool in_order,
				   struct wb_program **p)
{
	const struct setting settings[] = {
		{ "block", "64" }, { "in-order", in_order ? "on" : "off" }, { NULL, NULL }
	};
	static const char *const sizes[] = { "zero=131072", "zero=2048", "zero=48", "zero=1024" };
	uint32_t words[12];
	char text[3000];
	struct wb_launch *l;
	struct wb_diag d = { 0 };

	program(chip, instruction, text, sizeof text);
	*p = load(text);
	l = launch(*p, settings);
	descriptors(chip, m, s, words);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(wb_launch_arg(l, sizes[i], &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 0, 0, texels, sizeof texels, &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 1, 0, coords, LANES * COORDS * 4, &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 2, 0, words, sizeof words, &d), WB_OK);
	return l;
}

static void run(const char *chip, const char *instruction, const struct image *m, const struct sampler *s,
		const uint32_t coords[LANES][COORDS], uint32_t out[LANES][4])
{
	uint32_t again[LANES][4];
	struct wb_diag d = { 0 };

	for (unsigned way = 0; way < 2; way++) {
		struct wb_program *p;
		struct wb_launch *l = launch_of(chip, instruction, m, s, coords, way, &p);
		if (wb_launch_run(l, &d) != WB_OK)
			fail_msg("%s, %s: %s", chip, instruction, d.text);
		assert_int_equal(wb_launch_read_arg(l, 3, 0, way ? again : out, sizeof again, NULL), WB_OK);
		wb_launch_free(l);
		wb_program_free(p);
	}
	assert_memory_equal(out, again, sizeof again);
}

/* ---- formats, once more ---- */

static const struct { unsigned code, bytes, bits[4]; } formats[] = {
	{ 1, 1, { 8 } }, { 2, 2, { 16 } }, { 3, 2, { 8, 8 } }, { 4, 4, { 32 } }, { 5, 4, { 16, 16 } },
	{ 6, 4, { 11, 11, 10 } }, { 7, 4, { 10, 11, 11 } }, { 8, 4, { 2, 10, 10, 10 } }, { 9, 4, { 10, 10, 10, 2 } },
	{ 10, 4, { 8, 8, 8, 8 } }, { 11, 8, { 32, 32 } }, { 12, 8, { 16, 16, 16, 16 } }, { 13, 12, { 32, 32, 32 } },
	{ 14, 16, { 32, 32, 32, 32 } }, { 16, 2, { 5, 6, 5 } }, { 17, 2, { 5, 5, 5, 1 } }, { 18, 2, { 1, 5, 5, 5 } },
	{ 19, 2, { 4, 4, 4, 4 } }, { 20, 4, { 24, 8 } }, { 21, 4, { 8, 24 } },
};
enum { FORMATS = sizeof formats / sizeof *formats };

static unsigned format_of(unsigned code)
{
	unsigned i = 0;

	while (formats[i].code != code)
		i++;
	return i;
}

static uint64_t bits_at(uint64_t at, unsigned n)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)(texels[(at + i) / 8] >> (at + i) % 8 & 1) << i;
	return v;
}

static double half_of(unsigned v)
{
	double m = v & 0x3ff;
	unsigned e = v >> 10 & 31;

	m = e == 31 ? m ? NAN : INFINITY : e ? ldexp(1024 + m, (int)e - 25) : ldexp(m, -24);
	return v >> 15 ? -m : m;
}

/* Component c of the texel at a byte, as a register's word. */
static uint32_t component(const struct image *m, uint64_t at, unsigned c)
{
	unsigned f = format_of(m->data), n = formats[f].bits[c], before = 0;
	bool whole = m->number == UINT || m->number == SINT;
	uint64_t v;
	int64_t s;

	if (!n)
		return c < 3 ? 0 : whole ? 1 : bits_of(1);
	for (unsigned i = 0; i < c; i++)
		before += formats[f].bits[i];
	v = bits_at(8 * at + before, n);
	s = v >> (n - 1) ? (int64_t)v - (1ll << n) : (int64_t)v;
	switch (m->number) {
	case UNORM: return bits_of((double)v / (double)((1ull << n) - 1));
	case SNORM: return bits_of(fmax(-1, (double)s / (double)((1ull << (n - 1)) - 1)));
	case USCALED: return bits_of((double)v);
	case SSCALED: return bits_of((double)s);
	case FLOAT:
		return n == 32 ? (uint32_t)v : bits_of(half_of((unsigned)v << (n == 16 ? 0 : 15 - n)));
	case SRGB: {
		double u = (double)v / 255;
		return bits_of(c == 3 ? u : u <= 0.04045 ? u / 12.92 : pow((u + 0.055) / 1.055, 2.4));
	}
	default: return (uint32_t)s & (uint32_t)(n == 32 || m->number == SINT ? ~0ull : (1ull << n) - 1);
	}
}

static unsigned size_at(unsigned size, unsigned level)
{
	while (level--)
		size = size > 1 ? size / 2 : 1;
	return size;
}

/* The byte of a texel; -1: outside. z is the slice or the layer. */
static int64_t place(const struct image *m, unsigned level, int x, int y, int z)
{
	unsigned bytes = formats[format_of(m->data)].bytes, rows = 0, above = 0;

	for (unsigned l = 0; l < m->levels; l++) {
		above += l < level ? size_at(m->height, l) : 0;
		rows += size_at(m->height, l);
	}
	if (x < 0 || y < 0 || z < 0 || level >= m->levels || x >= (int)size_at(m->width, level) ||
	    y >= (int)size_at(m->height, level) || z >= (int)(m->type == D3 ? size_at(m->depth, level) : m->depth))
		return -1;
	return (((int64_t)z * rows + above + y) * m->pitch + x) * bytes;
}

/* A component of a load, by dst_sel; of the border without a texel. */
static uint32_t selected(const struct image *m, const struct sampler *s, int64_t at, unsigned k)
{
	unsigned c = m->select[k];
	uint32_t one = m->number == UINT || m->number == SINT ? 1 : bits_of(1);

	if (c < 4)
		return c ? one : 0;
	if (at >= 0)
		return component(m, (uint64_t)at, c - 4);
	return s && (s->border == 2 || (s->border == 1 && c == 7)) ? one : 0;
}

static void expect_word(uint32_t got, uint32_t want, double allowed, const char *chip, const char *what, unsigned lane,
			unsigned c)
{
	double a = value_of(got), b = value_of(want);

	if (got == want || (a != a && b != b) || fabs(a - b) <= allowed * fmax(1, fabs(b)))
		return;
	fail_msg("%s, %s, lane %u: component %u is %08x (%g), expected %08x (%g)", chip, what, lane, c, got, a, want,
		 b);
}

static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };

static bool has_number(unsigned f, unsigned number)
{
	unsigned n = formats[f].bits[0];

	if (number == SRGB)
		return formats[f].code == 10;
	if (number == SNORM && (formats[f].code == 17 || formats[f].code == 18))
		return false;
	return number != FLOAT || n == 32 || n == 16 || n == 11 || (n == 10 && formats[f].code == 7);
}

static void texels_are_read_by_their_format(void **state)
{
	for (unsigned f = 0, turn = 0; f < FORMATS; f++)
		for (unsigned number = UNORM; number <= SRGB; number++) {
			const char *chip = chips[turn++ % 4];
			struct image m = { D2, 9, 7, 1, 1, 64, formats[f].code, number, { 6, 5, 4, 7 } };
			uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];
			if (number == 6 || number == 8 || !has_number(f, number))
				continue;
			for (unsigned l = 0; l < LANES; l++) {
				coords[l][0] = l % 10;
				coords[l][1] = l / 10;
			}
			run(chip, "image_load v[4:7], v[8:9], s[16:23] dmask:15 unorm", &m, NULL, coords, out);
			for (unsigned l = 0; l < LANES; l++)
				for (unsigned c = 0; c < 4; c++) {
					int64_t at = place(&m, 0, (int)(l % 10), (int)(l / 10), 0);
					expect_word(out[l][c], selected(&m, NULL, at, c), 1e-7, chip, "image_load", l,
						    c);
				}
		}
}

/* ---- filters, once more ---- */

/* A texel's number along an axis, by walking; -1: the border. */
static int walked(unsigned wrap, int i, int n, bool linear)
{
	switch (wrap) {
	case WRAP:
		while (i < 0)
			i += n;
		while (i >= n)
			i -= n;
		return i;
	case MIRROR:
		while (i < 0 || i >= n)
			i = i < 0 ? -1 - i : 2 * n - 1 - i;
		return i;
	case HALF: case ONCE_HALF:
		if (linear)
			return i < 0 || i >= n ? -1 : i;
		/* fallthrough */
	case CLAMP: case ONCE_CLAMP:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	default:
		return i < 0 || i >= n ? -1 : i;
	}
}

struct point { double position[3]; int offset[3]; int layer; };

/* The colour of a level at a point. */
static void sampled(const struct image *m, const struct sampler *s, unsigned level, bool linear, const struct point *p,
		    double reference, double out[4])
{
	int dims = m->type == D1 || m->type == D1_ARRAY ? 1 : m->type == D3 ? 3 : 2, index[3][2] = { { 0 } };
	unsigned sizes[3] = { size_at(m->width, level), size_at(m->height, level), size_at(m->depth, level) };
	double weight[3] = { 0 };
	bool begun = false;

	for (int d = 0; d < dims; d++) {
		int n = (int)sizes[d], i;
		double u = p->position[d] * (s->texels ? 1 : n) + p->offset[d];
		if (s->wrap[d] == ONCE_CLAMP || s->wrap[d] == ONCE_HALF || s->wrap[d] == ONCE_BORDER)
			u = fabs(u);
		if (s->wrap[d] == HALF || s->wrap[d] == ONCE_HALF)
			u = fmin(fmax(u, 0), n);
		u -= linear ? 0.5 : 0;
		i = (int)floor(u);
		weight[d] = linear ? u - i : 0;
		index[d][0] = walked(s->wrap[d], i, n, linear);
		index[d][1] = walked(s->wrap[d], i + 1, n, linear);
	}
	for (unsigned c = 0; c < 4; c++)
		out[c] = 0;
	for (unsigned k = 0; k < 8; k++) {
		int x = index[0][k & 1], y = index[1][k >> 1 & 1], z = m->type == D3 ? index[2][k >> 2] : p->layer;
		double w = 1;
		int64_t at;
		for (int d = 0; d < 3; d++)
			w *= k >> d & 1 ? weight[d] : 1 - weight[d];
		if (w == 0)
			continue;
		at = place(m, level, x, dims > 1 ? y : 0, z);
		for (unsigned c = 0; c < 4; c++) {
			double v = value_of(selected(m, s, at, c));
			if (s->compare) {       /* the texel's R; less */
				double r = at >= 0 ? value_of(component(m, (uint64_t)at, 0)) : s->border == 2;
				v = m->select[c] == 4 ? reference < r : m->select[c] == 7 || m->select[c] == 1;
			}
			out[c] = !s->reduce ? out[c] + w * v : !begun ? v :
				 s->reduce == 1 ? fmin(out[c], v) : fmax(out[c], v);
		}
		begun = true;
	}
}

/* By the level of detail: min or mag filter, one level or two. */
static void sampled_at(const struct image *m, const struct sampler *s, double lod, const struct point *p,
		       double reference, double out[4])
{
	bool linear = lod <= 0 ? s->mag : s->min;
	double last = m->levels - 1, l = fmin(fmax(lod, 0), last), a[4], b[4];
	unsigned level = s->mip == 1 ? (unsigned)floor(l + 0.5) : s->mip == 2 ? (unsigned)floor(l) : 0;
	double part = s->mip == 2 ? l - level : 0;

	sampled(m, s, level, linear, p, reference, a);
	if (part > 0)
		sampled(m, s, level + 1, linear, p, reference, b);
	for (unsigned c = 0; c < 4; c++)
		out[c] = part > 0 ? a[c] * (1 - part) + b[c] * part : a[c];
}

/* Coordinates on both sides of an axis; in a quad they change by `step` to the next lane and the next row. */
static double coordinate(unsigned lane, unsigned d)
{
	static const double first[3] = { -1.83, -2.17, 2.43 }, step[3] = { 0.0613, 0.0719, -0.0823 };

	return first[d] + step[d] * lane;
}

static void samples_filter_and_wrap(void **state)
{
	static const unsigned types[] = { D1, D2, D3, D2_ARRAY, D1_ARRAY };

	for (unsigned wrap = WRAP, turn = 0; wrap <= ONCE_BORDER; wrap++)
		for (unsigned t = 0; t < 5; t++)
			for (unsigned linear = 0; linear < 2; linear++) {
				const char *chip = chips[turn % 4];
				bool in_texels = turn++ % 3 == 0;
				unsigned type = types[t];
				struct image m = { type, 13, type == D1 || type == D1_ARRAY ? 1 : 6,
						   type == D1 || type == D2 ? 1 : 5, 1, 64, 10, UNORM, { 4, 5, 6, 7 } };
				struct sampler s = { .wrap = { wrap, (wrap + 3) % 8, (wrap + 5) % 8 }, .mag = linear,
						     .min = linear, .border = turn % 3, .texels = in_texels,
						     .max_lod = 15 };
				uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];
				const char *text = type == D1_ARRAY || type == D2_ARRAY ?
					"image_sample_lz v[4:7], v[8:10], s[16:23], s[24:27] dmask:15 da" :
					"image_sample_lz v[4:7], v[8:10], s[16:23], s[24:27] dmask:15";
				int dims = type == D3 ? 3 : type == D1 || type == D1_ARRAY ? 1 : 2;
				for (unsigned l = 0; l < LANES; l++)
					for (int d = 0; d < 3; d++) {
						double v = coordinate(l, (unsigned)d) * (in_texels ? 7 : 1);
						coords[l][d] = bits_of(d == dims ? (int)(l % 9) - 1.3 : v);
					}
				run(chip, text, &m, &s, coords, out);
				for (unsigned l = 0; l < LANES; l++) {
					struct point p = { .layer = 0 };
					double want[4], layer = nearbyint((int)(l % 9) - 1.3);
					for (int d = 0; d < 3; d++)
						p.position[d] = value_of(coords[l][d]);
					if (type == D1_ARRAY || type == D2_ARRAY)
						p.layer = layer < 0 ? 0 : layer > 4 ? 4 : (int)layer;
					sampled_at(&m, &s, 0, &p, 0, want);
					for (unsigned c = 0; c < 4; c++)
						expect_word(out[l][c], bits_of(want[c]), 2e-5, chip, text, l, c);
				}
			}
}

/* ---- the letters of a sample ---- */

enum { PLAIN, CL, D, D_CL, L, B, B_CL, LZ, CD, CD_CL };
static const char *const places[] = { "", "_cl", "_d", "_d_cl", "_l", "_b", "_b_cl", "_lz", "_cd", "_cd_cl" };

/* An instruction with its registers in the manual's order: offset, bias, reference, gradients, coordinates, level or
 * clamp. */
static void variant(const char *chip, unsigned place, bool compares, bool offset, unsigned mip)
{
	struct image m = { D2, 32, 16, 1, 5, 64, 10, UNORM, { 4, 5, 6, 7 } };
	struct sampler s = { .wrap = { MIRROR, WRAP }, .mag = 1, .min = mip != 1, .mip = mip, .border = 1,
			     .compare = compares ? 1 : 0, .bias = 0.25, .min_lod = 0.5, .max_lod = 3.25 };
	bool d = place == D || place == D_CL || place >= CD, b = place == B || place == B_CL;
	bool cl = place == CL || place == D_CL || place == B_CL || place == CD_CL;
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];
	char text[160];
	double lod[LANES];

	snprintf(text, sizeof text, "image_sample%s%s%s v[4:7], v[8:15], s[16:23], s[24:27] dmask:15",
		 compares ? "_c" : "", places[place], offset ? "_o" : "");
	for (unsigned l = 0; l < LANES; l++) {
		double bias = (l % 5) * 0.375 - 0.5, level = l * 0.0725 - 0.3, least = l % 3 * 0.875;
		double gradient[4] = { 0.011 * (l % 7), 0.003, 0.01, 0.0071 * (l % 4) }, x, y;
		unsigned n = 0, q = l & ~3u;
		double at[2] = { coordinate(l, 0) * 0.7, coordinate(l, 1) * 0.31 + (l & 2) * 0.05 };
		if (offset)
			coords[l][n++] = (l % 17) << 8 | (uint32_t)(-(int)(l % 8) & 63);
		if (b)
			coords[l][n++] = bits_of(bias);
		if (compares)
			coords[l][n++] = bits_of(l / 64.0);
		if (d && n + 4 + 2 + cl > COORDS)
			return;
		for (unsigned i = 0; i < 4 && d; i++)
			coords[l][n++] = bits_of(gradient[i]);
		for (unsigned i = 0; i < 2; i++)
			coords[l][n++] = bits_of(at[i]);
		if (place == L || cl)
			coords[l][n++] = bits_of(place == L ? level : least);
		if (!d) {
			gradient[0] = coordinate(q + 1, 0) * 0.7 - coordinate(q, 0) * 0.7;
			gradient[1] = coordinate(q + 1, 1) * 0.31 - coordinate(q, 1) * 0.31;
			gradient[2] = coordinate(q + 2, 0) * 0.7 - coordinate(q, 0) * 0.7;
			gradient[3] = coordinate(q + 2, 1) * 0.31 + 0.1 - coordinate(q, 1) * 0.31;
		}
		x = hypot(gradient[0] * 32, gradient[1] * 16);
		y = hypot(gradient[2] * 32, gradient[3] * 16);
		lod[l] = (place == L ? level : log2(fmax(x, y)) + (b ? bias : 0)) + 0.25;
		lod[l] = place == LZ ? 0 : fmax(fmin(lod[l], 3.25), 0.5);
		lod[l] = cl ? fmax(lod[l], least) : lod[l];
	}
	run(chip, text, &m, &s, coords, out);
	for (unsigned l = 0; l < LANES; l++) {
		struct point p = { .position = { coordinate(l, 0) * 0.7, coordinate(l, 1) * 0.31 + (l & 2) * 0.05 } };
		double want[4], near = lod[l] - floor(lod[l]) - 0.5;
		if (mip == 1 && fabs(near) < 0.01)
			continue;       /* which level is nearest is a matter of the last bit */
		if (offset) {
			p.offset[0] = -(int)(l % 8);
			p.offset[1] = (int)(l % 17);
		}
		sampled_at(&m, &s, lod[l], &p, l / 64.0, want);
		for (unsigned c = 0; c < 4; c++)        /* levels are in steps of 1/256 */
			expect_word(out[l][c], bits_of(want[c]), mip == 2 ? 5e-3 : 5e-5, chip, text, l, c);
	}
}

static void samples_take_levels_as_their_letters_say(void **state)
{
	for (unsigned place = PLAIN, turn = 0; place <= CD_CL; place++)
		for (unsigned letters = 0; letters < 4; letters++)
			for (unsigned mip = 0; mip < 3; mip++)
				variant(chips[turn++ % 4], place, letters & 1, letters & 2, mip);
}

/* ---- the others ---- */

static void gathers_take_four_texels(void **state)
{
	struct image m = { D2, 13, 9, 1, 1, 64, 10, UNORM, { 4, 5, 6, 7 } };
	struct sampler s = { .wrap = { BORDER, CLAMP }, .border = 2, .max_lod = 15 };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];
	static const int dx[4] = { 0, 1, 1, 0 }, dy[4] = { 1, 1, 0, 0 };

	for (unsigned l = 0; l < LANES; l++) {
		coords[l][0] = bits_of((l % 16) / 13.0 - 0.03);
		coords[l][1] = bits_of((l / 16) / 9.0 + 0.01);
	}
	for (unsigned i = 0; i < 4; i++) {
		run(chips[i], "image_gather4_lz v[4:7], v[8:9], s[16:23], s[24:27] dmask:4", &m, &s, coords, out);
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned k = 0; k < 4; k++) {
				int x = (int)floor(value_of(coords[l][0]) * 13 - 0.5) + dx[k];
				int y = (int)floor(value_of(coords[l][1]) * 9 - 0.5) + dy[k];
				uint32_t want = selected(&m, &s, place(&m, 0, walked(BORDER, x, 13, true),
								       walked(CLAMP, y, 9, true), 0), 2);
				expect_word(out[l][k], want, 1e-7, chips[i], "gather4", l, k);
			}
	}
}

static void sizes_and_levels_are_told(void **state)
{
	struct image m = { D2_ARRAY, 40, 20, 3, 4, 64, 10, UNORM, { 4, 5, 6, 7 } };
	struct sampler s = { .max_lod = 2, .bias = 1 };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];

	for (unsigned i = 0; i < 4; i++) {
		for (unsigned l = 0; l < LANES; l++)
			coords[l][0] = l % 5;
		run(chips[i], "image_get_resinfo v[4:7], v8, s[16:23] dmask:15 da", &m, NULL, coords, out);
		for (unsigned l = 0; l < LANES; l++) {
			assert_int_equal(out[l][0], l % 5 < 4 ? 40 >> l % 5 : 0);
			assert_int_equal(out[l][1], l % 5 < 4 ? 20 >> l % 5 : 0);
			assert_int_equal(out[l][2], 3);
			assert_int_equal(out[l][3], 4);
		}
		for (unsigned l = 0; l < LANES; l++)    /* 8 texels a lane, so 3 levels, and the bias */
			coords[l][0] = bits_of(l % 2 * 0.2);
		run(chips[i], "image_get_lod v[4:5], v[8:10], s[16:23], s[24:27] dmask:3 da", &m, &s, coords, out);
		for (unsigned l = 0; l < LANES; l++) {
			expect_word(out[l][0], bits_of(2), 0, chips[i], "lod", l, 0);
			expect_word(out[l][1], bits_of(4), 1.0 / 256, chips[i], "lod", l, 1);
		}
	}
}

/* Stores are the inverse of loads, for every format that has stores; neighbours stay. */
static void texels_are_stored(void **state)
{
	for (unsigned f = 0, turn = 0; f < FORMATS; f++)
		for (unsigned number = UNORM; number <= FLOAT; number++) {
			const char *chip = chips[turn++ % 4];
			struct image m = { D2, 5, 7, 1, 1, 64, formats[f].code, number, { 5, 6, 7, 4 } };
			uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];
			if (number == USCALED || number == SSCALED || number == 6 || !has_number(f, number))
				continue;
			for (unsigned l = 0; l < LANES; l++) {
				coords[l][0] = l % 8;   /* columns 5 to 7 and row 7 are outside */
				coords[l][1] = l / 8;
				for (unsigned c = 0; c < 4; c++)
					coords[l][4 + c] = number == UINT || number == SINT ? 1 + (l + c) % 3 / 2 :
							   bits_of((l + c) % 3 * 0.5);
			}
			run(chip, "image_store v[12:15], v[8:9], s[16:23] dmask:15 unorm\n" "s_waitcnt vmcnt(0)\n"
			    "image_load v[4:7], v[8:9], s[16:23] dmask:15 unorm", &m, NULL, coords, out);
			for (unsigned l = 0; l < LANES; l++)
				for (unsigned c = 0; c < 4; c++) {
					unsigned n = formats[f].bits[m.select[c] - 4];
					bool inside = l % 8 < 5 && l / 8 < 7, whole = number == UINT || number == SINT;
					double most = (double)((1ull << (n && number != UNORM ? n - 1 : n)) - 1);
					uint32_t want = coords[l][4 + c];
					if (!inside)
						want = 0;
					else if (!n)
						want = m.select[c] == 7 ? whole ? 1 : bits_of(1) : 0;
					else if (number == SINT && n == 1)
						want = want & 1 ? 0xffffffff : 0;
					else if (number == UINT && n == 1)
						want &= 1;
					else if (number == SINT && n == 2)
						want = want == 2 ? 0xfffffffe : want;
					else if (number == UNORM || number == SNORM)
						want = bits_of(nearbyint(value_of(want) * most) / most);
					expect_word(out[l][c], want, 1e-6, chip, "image_store", l, c);
				}
		}
}

static void atomics_work_on_texels(void **state)
{
	struct image m = { D2, 4, 4, 1, 1, 64, 4, UINT, { 4, 0, 0, 1 } };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4], first;

	memcpy(&first, texels + (2 * 64 + 1) * 4, 4);
	for (unsigned l = 0; l < LANES; l++) {
		coords[l][0] = l < 60 ? 1 : 4;
		coords[l][1] = 2;
		coords[l][4] = 3;
	}
	for (unsigned i = 0; i < 4; i++) {
		run(chips[i], "v_mov_b32 v5, v12\n" "image_atomic_add v5, v[8:9], s[16:23] dmask:1 unorm glc\n"
		    "s_waitcnt vmcnt(0)\n" "image_load v4, v[8:9], s[16:23] dmask:1 unorm", &m, NULL, coords, out);
		for (unsigned l = 0; l < 60; l++) {
			assert_int_equal(out[l][0], first + 180);
			assert_int_equal(out[l][1], first + 3 * l);
		}
		assert_int_equal(out[63][0], 0);
	}
}

/* Half addresses and half data of GFX9, two a register; of GFX8 a register each. */
static void halves_are_packed(void **state)
{
	struct image m = { D2, 8, 8, 1, 1, 64, 10, UINT, { 4, 5, 6, 7 } };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];

	for (unsigned l = 0; l < LANES; l++)
		coords[l][0] = l % 8 | (l / 8) << 16;
	run("gfx900", "image_load v[4:5], v8, s[16:23] dmask:15 unorm a16 d16", &m, NULL, coords, out);
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned c = 0; c < 4; c++)
			assert_int_equal(out[l][c / 2] >> c % 2 * 16 & 0xffff,
					 component(&m, (uint64_t)place(&m, 0, (int)(l % 8), (int)(l / 8), 0), c));
	for (unsigned l = 0; l < LANES; l++) {
		coords[l][0] = l % 8;
		coords[l][1] = l / 8;
	}
	run("tonga", "image_load v[4:6], v[8:9], s[16:23] dmask:13 unorm d16", &m, NULL, coords, out);
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned c = 0; c < 3; c++)
			assert_int_equal(out[l][c], component(&m, (uint64_t)place(&m, 0, (int)(l % 8), (int)(l / 8), 0),
							      c ? c + 1 : 0));
}

static void texels_are_loaded_as_bits(void **state)
{
	struct image m = { D2, 8, 8, 1, 1, 64, 3, UNORM, { 4, 5, 6, 7 } };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];

	for (unsigned l = 0; l < LANES; l++) {
		coords[l][0] = l % 8;
		coords[l][1] = l / 8;
	}
	run("tonga", "image_load_pck v4, v[8:9], s[16:23] unorm\n" "image_load_pck_sgn v5, v[8:9], s[16:23] unorm", &m,
	    NULL, coords, out);
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t v = (uint32_t)bits_at(8 * (uint64_t)place(&m, 0, (int)(l % 8), (int)(l / 8), 0), 16);
		assert_int_equal(out[l][0], v);
		assert_int_equal(out[l][1], (uint32_t)(int16_t)v);
	}
}

/* Descriptors of four words, and the word that says that all texels are there. */
static void narrow_descriptors_and_status(void **state)
{
	struct image m = { D2, 8, 8, 1, 1, 64, 10, UINT, { 4, 5, 6, 7 } };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];

	for (unsigned l = 0; l < LANES; l++) {
		coords[l][0] = l % 8;
		coords[l][1] = l / 8;
	}
	for (unsigned i = 0; i < 4; i++) {
		char text[160];
		snprintf(text, sizeof text, "v_mov_b32 v6, 7\n" "v_mov_b32 v7, 7\n"
			 "image_load v[4:6], v[8:9], %s tfe", i < 3 ? "s[16:19] dmask:3 unorm r128" :
			 "s[16:23] dmask:3 unorm");
		run(chips[i], text, &m, NULL, coords, out);
		for (unsigned l = 0; l < LANES; l++) {
			uint64_t at = (uint64_t)place(&m, 0, (int)(l % 8), (int)(l / 8), 0);
			assert_int_equal(out[l][0], component(&m, at, 0));
			assert_int_equal(out[l][1], component(&m, at, 1));
			assert_int_equal(out[l][2], 0);
			assert_int_equal(out[l][3], 7);
		}
	}
}

/* Lanes of two wavefronts store to one texel: a checker of memory has the access of an image's texel. */
static void checkers_see_texels(void **state)
{
	const struct setting settings[] = {
		{ "block", "64" }, { "grid", "2" }, { "check", "race,bounds" }, { NULL, NULL }
	};
	struct image m = { D2, 8, 8, 1, 1, 64, 4, UINT, { 4, 0, 0, 1 } };
	uint32_t words[12];
	char text[3000];
	struct wb_diag d = { 0 };
	struct wb_program *p;
	struct wb_launch *l;
	bool race = false, bounds = false;

	program("gfx900", "v_mov_b32 v9, 4\n" "image_store v0, v[8:9], s[16:23] dmask:1 unorm", text, sizeof text);
	p = load(text);
	l = launch(p, settings);
	descriptors("gfx900", &m, NULL, words);
	assert_int_equal(wb_launch_arg(l, "zero=1024", &d), WB_OK);     /* rows 0 to 3 */
	assert_int_equal(wb_launch_arg(l, "zero=2048", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=48", &d), WB_OK);
	assert_int_equal(wb_launch_arg(l, "zero=1024", &d), WB_OK);
	assert_int_equal(wb_launch_write_arg(l, 2, 0, words, sizeof words, &d), WB_OK);
	wb_launch_run(l, &d);
	for (unsigned i = 0; i < wb_launch_report(l)->nwarnings; i++) {
		const char *warning = wb_launch_report(l)->warnings[i];
		race = race || strstr(warning, "race:");
		bounds = bounds || strstr(warning, "bounds:");
	}
	assert_true(race);
	assert_true(bounds);
	wb_launch_free(l);
	wb_program_free(p);
}

/* A face and coordinates from 0 to 1, or from 1 to 2. */
static void cubes_have_faces(void **state)
{
	struct image m = { CUBE, 8, 8, 6, 1, 64, 10, UNORM, { 4, 5, 6, 7 } };
	struct sampler s = { .wrap = { CLAMP, CLAMP }, .mag = 1, .min = 1, .max_lod = 15 };
	uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];

	for (unsigned i = 0; i < 4; i++) {
		for (unsigned l = 0; l < LANES; l++) {
			coords[l][0] = bits_of(i % 2 + (l + 0.5) / 64);
			coords[l][1] = bits_of(i % 2 + (l * 7 % 64 + 0.5) / 64);
			coords[l][2] = bits_of(l % 6);
		}
		run(chips[i], "image_sample_lz v[4:7], v[8:10], s[16:23], s[24:27] dmask:15 da", &m, &s, coords, out);
		for (unsigned l = 0; l < LANES; l++) {
			struct point p = { .layer = (int)(l % 6) };
			double want[4];
			p.position[0] = (l + 0.5) / 64;
			p.position[1] = (l * 7 % 64 + 0.5) / 64;
			sampled_at(&m, &s, 0, &p, 0, want);
			for (unsigned c = 0; c < 4; c++)
				expect_word(out[l][c], bits_of(want[c]), 1e-5, chips[i], "cube", l, c);
		}
	}
}

static void the_least_and_the_largest_texel(void **state)
{
	for (unsigned reduce = 1; reduce < 3; reduce++) {
		struct image m = { D2, 8, 8, 1, 1, 64, 10, UNORM, { 4, 5, 6, 7 } };
		struct sampler s = { .mag = 1, .min = 1, .reduce = reduce, .max_lod = 15 };
		uint32_t coords[LANES][COORDS] = { { 0 } }, out[LANES][4];
		for (unsigned l = 0; l < LANES; l++) {
			coords[l][0] = bits_of(l / 63.0);
			coords[l][1] = bits_of(l / 31.0);
		}
		run("tonga", "image_sample_lz v[4:7], v[8:9], s[16:23], s[24:27] dmask:15", &m, &s, coords, out);
		for (unsigned l = 0; l < LANES; l++) {
			struct point p = { .position = { value_of(coords[l][0]), value_of(coords[l][1]) } };
			double want[4];
			sampled_at(&m, &s, 0, &p, 0, want);
			for (unsigned c = 0; c < 4; c++)
				expect_word(out[l][c], bits_of(want[c]), 1e-6, "tonga", "least, largest", l, c);
		}
	}
}

static void expect_fault(const char *chip, const char *instruction, const struct image *m, const struct sampler *s,
			 uint32_t x, const char *kind)
{
	uint32_t coords[LANES][COORDS] = { { 0 } };
	struct wb_program *p;
	struct wb_launch *l;
	struct wb_diag d = { 0 };

	coords[5][0] = x;
	l = launch_of(chip, instruction, m, s, coords, false, &p);
	assert_int_not_equal(wb_launch_run(l, &d), WB_OK);
	if (!strstr(d.text, kind))
		fail_msg("%s, %s: \"%s\", expected %s", chip, instruction, d.text, kind);
	wb_launch_free(l);
	wb_program_free(p);
}

static void what_is_not_there_is_refused(void **state)
{
	struct image m = { D2, 8, 8, 1, 1, 64, 10, UNORM, { 4, 5, 6, 7 } }, far = m, odd = m, multi = m;
	struct sampler table = { .wrap = { BORDER, BORDER }, .border = 3, .max_lod = 15 };
	const char *away = "s_mov_b32 s17, 0x00a000ff\n" "image_load v[4:7], v[8:9], s[16:23] dmask:15";
	const char *load = "image_load v[4:7], v[8:9], s[16:23] dmask:15 unorm";

	far.width = far.pitch = 1 << 14;
	far.height = 1 << 14;
	odd.data = 35;          /* BC1 */
	multi.type = 14;
	for (unsigned i = 0; i < 4; i++) {
		char tiled[200];
		snprintf(tiled, sizeof tiled, "s_xor_b32 s19, s19, 0x00500000\n%s", load);
		expect_fault(chips[i], tiled, &m, NULL, 0, "an image in tiles");
		expect_fault(chips[i], load, &odd, NULL, 0, "format or types");
		expect_fault(chips[i], load, &multi, NULL, 0, "unknown to the texture's type");
		expect_fault(chips[i], away, &far, NULL, 7, "not mapped");
		expect_fault(chips[i], "image_sample_lz v[4:7], v[8:9], s[16:23], s[24:27] dmask:15", &m, &table,
			     bits_of(-3), "not executed");
		expect_fault(chips[i], "image_load v[4:7], v15, s[16:23] dmask:15", &m, NULL, 0, "no such instruction");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texels_are_read_by_their_format),
		cmocka_unit_test(samples_filter_and_wrap),
		cmocka_unit_test(samples_take_levels_as_their_letters_say),
		cmocka_unit_test(gathers_take_four_texels),
		cmocka_unit_test(sizes_and_levels_are_told),
		cmocka_unit_test(texels_are_stored),
		cmocka_unit_test(atomics_work_on_texels),
		cmocka_unit_test(halves_are_packed),
		cmocka_unit_test(texels_are_loaded_as_bits),
		cmocka_unit_test(narrow_descriptors_and_status),
		cmocka_unit_test(checkers_see_texels),
		cmocka_unit_test(cubes_have_faces),
		cmocka_unit_test(the_least_and_the_largest_texel),
		cmocka_unit_test(what_is_not_there_is_refused),
	};

	fill();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
