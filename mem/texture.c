/* The texture unit: levels of detail, coordinates, wraps, filters (spec tesla-graphics 5.1 to 5.3). A request is worked
 * off quad by quad, since the level of detail is a quad's, and lane by lane, since all else is a lane's. */
#include "mem/texture.h"

#include "core/base/log2.h"
#include "mem/bounds.h"
#include "mem/texture_texel.h"

const struct sampler texture_default_sampler = {
	.mip = MIP_NONE, .srgb = true, .max_lod = 15 * 256,
};

enum { LOD_ONE = 256, LOD_LOWEST = -(1 << 24), LOD_HIGHEST = 1 << 24, WEIGHT_ONE = 256, BORDER = -1, NOTED = 32 };

/* The state of a request. */
struct work {
	const struct texture *t;
	const struct sampler *s;
	const struct texture_rules *rules;
	const struct texture_request *r;
	struct texture_lines *lines;
	bool srgb, compares, layered, bytes;    /* bytes: sample_bytes can do the request */
	unsigned dims;                  /* coordinates of the request */
	uint32_t border[4];             /* x, y, z, w */
	unsigned lane;                  /* at work */
	uint64_t noted[NOTED];          /* lines known to `lines`, by their lowest bits, plus 1 */
	enum texture_status status;
	struct texture_fault fault;
};

/* The sample point of a lane: u, v, p in the texture's coordinates (of a face, for a direction), the layer, the
 * reference. */
struct place {
	double u[3];
	uint32_t layer;
	float reference;
};

/* ---- numbers ---- */

static inline double float_at(const uint32_t *row, unsigned lane)
{
	return row ? (double)f32_value(row[lane]) : 0;
}

static inline int64_t floor_of(double x)
{
	int64_t i = (int64_t)x;

	return i - ((double)i > x);
}

/* Round to nearest, halves up. x is at most about 2^40. */
static inline int64_t nearest(double x)
{
	return floor_of(x + 0.5);
}

static inline double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/* Clamp a coordinate in texels to the range of an integer. NaN is 0 (chosen). */
static inline double in_range(double x)
{
	const double most = (double)(1ull << 40);

	return x == x ? clamp(x, -most, most) : 0;
}

/* A level of detail in 1/256. NaN is the lowest (chosen). */
static inline int32_t lod_of(double lod)
{
	return lod != lod ? LOD_LOWEST : (int32_t)nearest(clamp(lod * LOD_ONE, LOD_LOWEST, LOD_HIGHEST));
}

static inline uint32_t float_word(double v)
{
	return v != v ? 0x7fffffff : f32_bits((float)v);
}

/* ---- texels ---- */

static void note_line(struct work *w, uint64_t at)
{
	struct texture_lines *l = w->lines;
	uint64_t line = (w->t->address + at) / TEXTURE_LINE, *noted = &w->noted[line % NOTED];

	if (*noted == line + 1)
		return;
	*noted = line + 1;
	for (unsigned i = l->n; i-- > 0;)
		if (l->line[i] == line)
			return;
	if (l->n < l->most)
		l->line[l->n++] = line;
}

/* The bytes of a texel inside the texture, or NULL. *sub as in texel_components. */
static inline const uint8_t *texel_at(struct work *w, unsigned level, uint32_t x, uint32_t y, uint32_t z,
				      uint32_t layer, unsigned *sub)
{
	const struct texture *t = w->t;
	const struct texture_level *l = &t->level[level];
	uint32_t bytes = t->format->bytes;
	uint64_t at = l->offset + layer * l->layer_bytes;

	*sub = 0;
	if (t->format->kind >= KIND_DXT1) {
		*sub = y % 4 * 4 + x % 4;
		x /= 4;
		y /= 4;
	}
	at += t->block_linear ? block_linear_offset(&l->block, x * bytes, y, z) :
				z * l->slice_bytes + y * l->row_bytes + (uint64_t)x * bytes;
	if (__builtin_expect(w->lines != NULL, 0))
		note_line(w, at);
	if (__builtin_expect(bytes_inside(at, bytes, t->size), 1))
		return t->bytes + at;
	if (w->status == TEXTURE_OK) {
		w->status = TEXTURE_UNMAPPED;
		w->fault = (struct texture_fault){ .lanes = 1ull << w->lane, .detail = t->address + at };
	}
	return NULL;
}

static bool compare(enum texture_compare how, float reference, float texel)
{
	switch (how) {
	case COMPARE_LESS: return reference < texel;
	case COMPARE_EQUAL: return reference == texel;
	case COMPARE_LEQUAL: return reference <= texel;
	case COMPARE_GREATER: return reference > texel;
	case COMPARE_NOTEQUAL: return reference != texel;
	case COMPARE_GEQUAL: return reference >= texel;
	case COMPARE_ALWAYS: return true;
	default: return false;
	}
}

/* The result of a comparison is R, before the texture's swizzle. */
static void compared(const struct work *w, const struct place *at, float texel, uint32_t out[4])
{
	bool passes = compare((enum texture_compare)w->s->compare, at->reference, texel);
	const uint32_t rgba[4] = { passes ? 0x3f800000 : 0, 0, 0, 0x3f800000 };

	texel_swizzle(w->t, rgba, out);
}

/* The words of a texel, or of the border, where an index is BORDER. */
static inline void texel(struct work *w, const struct place *at, unsigned level, const int32_t i[3], uint32_t out[4])
{
	uint32_t rgba[4];
	const uint8_t *p;
	unsigned sub;

	if (__builtin_expect((i[0] | i[1] | i[2]) < 0, 0)) {
		if (w->compares)
			compared(w, at, f32_value(w->border[0]), out);
		else
			memcpy(out, w->border, sizeof w->border);
		return;
	}
	p = texel_at(w, level, (uint32_t)i[0], (uint32_t)i[1], (uint32_t)i[2], at->layer, &sub);
	if (!p) {
		memset(out, 0, 4 * sizeof *out);
		return;
	}
	if (w->t->kind == KIND_RGBA8 && !w->compares) {
		const double *colour = w->srgb ? w->t->from_srgb : texel_unorm8;
		for (int c = 0; c < 3; c++)
			out[c] = f32_bits((float)colour[p[c]]);
		out[3] = f32_bits((float)texel_unorm8[p[3]]);
		return;
	}
	texel_components(w->t, p, sub, w->srgb, rgba);
	if (w->compares)
		compared(w, at, f32_value(rgba[0]), out);
	else
		texel_swizzle(w->t, rgba, out);
}

/* ---- an axis of a level ---- */

/* Both texels of a filter along an axis, with weights of sum 1; for a single texel the weights are 1 and 0. */
struct taps {
	int32_t i[2];
	double weight[2];
};

static inline unsigned wrap_of(const struct work *w, unsigned axis)
{
	unsigned wrap = w->s->wrap[axis];

	return w->t->normalised || (wrap >= WRAP_CLAMP && wrap <= WRAP_CLAMP_OGL) ? wrap : WRAP_CLAMP;
}

/* Texel i of n, or BORDER. */
static int32_t wrapped(unsigned wrap, int64_t i, int64_t n)
{
	if (i >= 0 && i < n)
		return (int32_t)i;
	if (wrap >= WRAP_MIRROR_ONCE_CLAMP) {
		i = i < 0 ? -1 - i : i;
		wrap -= WRAP_MIRROR_ONCE_CLAMP - WRAP_CLAMP;
	}
	switch (wrap) {
	case WRAP_REPEAT:
		if (!(n & (n - 1)))
			return (int32_t)(i & (n - 1));
		i %= n;
		return (int32_t)(i < 0 ? i + n : i);
	case WRAP_MIRROR:
		i %= 2 * n;
		i = i < 0 ? i + 2 * n : i;
		return (int32_t)(i < n ? i : 2 * n - 1 - i);
	case WRAP_CLAMP:
		return (int32_t)(i < 0 ? 0 : i < n ? i : n - 1);
	default:
		return i >= 0 && i < n ? (int32_t)i : BORDER;
	}
}

/* x in texels. OpenGL's old clamp is of the coordinate: a nearest texel is always inside, and a filter takes at most
 * half of the border. */
static double clamped_ogl(unsigned wrap, double x, double n, bool linear)
{
	double low = wrap == WRAP_CLAMP_OGL ? 0 : -n;

	if (wrap != WRAP_CLAMP_OGL && wrap != WRAP_MIRROR_ONCE_CLAMP_OGL)
		return x;
	if (!linear && x >= n)
		return n - 0.5;
	return !linear && x < low ? low : clamp(x, low, n);
}

static inline void take(const struct work *w, unsigned wrap, double x, uint32_t n, int offset, bool linear,
			struct taps *out)
{
	int64_t i;

	x = clamped_ogl(wrap, in_range(x), n, linear);
	if (!linear) {
		out->i[0] = wrapped(wrap, floor_of(x) + offset, n);
		out->weight[0] = 1;
		out->weight[1] = 0;
		return;
	}
	if (w->rules->exact_weights) {
		i = floor_of(x - 0.5);
		out->weight[1] = x - 0.5 - (double)i;
	} else {
		int64_t f = nearest((x - 0.5) * WEIGHT_ONE);
		i = f >> 8;
		out->weight[1] = (double)(f & (WEIGHT_ONE - 1)) / WEIGHT_ONE;
	}
	out->weight[0] = 1 - out->weight[1];
	out->i[0] = wrapped(wrap, i + offset, n);
	out->i[1] = wrapped(wrap, i + 1 + offset, n);
}

static inline uint32_t size_of(const struct texture_level *l, unsigned axis)
{
	return axis == 0 ? l->width : axis == 1 ? l->height : l->depth;
}

/* ---- cubes ---- */

/* The face of a direction, and the point on the face (0 to 1). Ties go to x, then y. */
static unsigned cube_face(const double d[3], double st[2])
{
	double m[3], s, t;
	unsigned axis, face;

	for (int c = 0; c < 3; c++)
		m[c] = d[c] < 0 ? -d[c] : d[c];
	axis = m[0] >= m[1] && m[0] >= m[2] ? 0 : m[1] >= m[2] ? 1 : 2;
	face = 2 * axis + (d[axis] < 0);
	s = axis == 0 ? (face & 1 ? d[2] : -d[2]) : axis == 1 ? d[0] : face & 1 ? -d[0] : d[0];
	t = axis != 1 ? -d[1] : face & 1 ? -d[2] : d[2];
	st[0] = (s / m[axis] + 1) / 2;
	st[1] = (t / m[axis] + 1) / 2;
	return face;
}

/* The direction of a point of a face, possibly beside the face. */
static void cube_direction(unsigned face, double s, double t, double d[3])
{
	double sc = 2 * s - 1, tc = 2 * t - 1;

	switch (face) {
	case 0: d[0] = 1, d[1] = -tc, d[2] = -sc; break;
	case 1: d[0] = -1, d[1] = -tc, d[2] = sc; break;
	case 2: d[0] = sc, d[1] = 1, d[2] = tc; break;
	case 3: d[0] = sc, d[1] = -1, d[2] = -tc; break;
	case 4: d[0] = sc, d[1] = -tc, d[2] = 1; break;
	default: d[0] = -sc, d[1] = -tc, d[2] = -1; break;
	}
}

/* A texel beside a face belongs to the neighbouring face. */
static void seamless_texel(struct work *w, const struct place *at, unsigned level, int64_t i, int64_t j,
			   uint32_t out[4])
{
	uint32_t n = w->t->level[level].width;
	unsigned face = at->layer % 6;
	struct place there = *at;
	double d[3], st[2];

	cube_direction(face, ((double)i + 0.5) / n, ((double)j + 0.5) / n, d);
	there.layer = at->layer - face + cube_face(d, st);
	texel(w, &there, level, (int32_t[3]){ wrapped(WRAP_CLAMP, floor_of(st[0] * n), n),
					      wrapped(WRAP_CLAMP, floor_of(st[1] * n), n), 0 }, out);
}

/* The linear filter over the edges of a cube. Where three faces meet, the fourth texel is the mean of the others. */
static void seamless(struct work *w, const struct place *at, unsigned level, double out[4])
{
	uint32_t n = w->t->level[level].width;
	double weight[4], a[2];
	int64_t first[2];
	int corner = -1;

	for (int c = 0; c < 2; c++) {
		int64_t f = nearest((in_range(at->u[c] * n) - 0.5) * WEIGHT_ONE);
		first[c] = w->rules->exact_weights ? floor_of(in_range(at->u[c] * n) - 0.5) : f >> 8;
		a[c] = w->rules->exact_weights ? in_range(at->u[c] * n) - 0.5 - (double)first[c] :
						 (double)(f & (WEIGHT_ONE - 1)) / WEIGHT_ONE;
	}
	for (int k = 0; k < 4; k++) {
		int64_t i = first[0] + (k & 1), j = first[1] + (k >> 1);
		weight[k] = (k & 1 ? a[0] : 1 - a[0]) * (k >> 1 ? a[1] : 1 - a[1]);
		if ((i < 0 || i >= n) && (j < 0 || j >= n))
			corner = k;
	}
	for (int k = 0; k < 4 && corner >= 0; k++)
		if (k != corner)
			weight[k] += weight[corner] / 3;
	for (int k = 0; k < 4; k++) {
		uint32_t words[4];
		if (k == corner || weight[k] == 0)
			continue;
		seamless_texel(w, at, level, first[0] + (k & 1), first[1] + (k >> 1), words);
		for (int c = 0; c < 4; c++)
			out[c] += weight[k] * (double)f32_value(words[c]);
	}
}

/* ---- a level ---- */

/* Axes that a texture is filtered along. */
static unsigned axes_of(const struct texture *t)
{
	switch (t->type) {
	case TEXTURE_1D: case TEXTURE_1D_ARRAY: case TEXTURE_BUFFER: return 1;
	case TEXTURE_3D: return 3;
	default: return 2;
	}
}

static inline void all_taps(const struct work *w, const struct place *at, unsigned level, bool linear, unsigned axes,
			    struct taps tap[3])
{
	const struct texture_level *l = &w->t->level[level];

	for (unsigned c = 0; c < axes; c++) {
		uint32_t n = size_of(l, c);
		take(w, w->r->cube ? WRAP_CLAMP : wrap_of(w, c), w->t->normalised ? at->u[c] * n : at->u[c], n,
		     w->r->offset[c], linear, &tap[c]);
	}
}

/* Texels without weight do not count, whatever their value. */
static void filter_level(struct work *w, const struct place *at, unsigned level, double out[4])
{
	unsigned axes = axes_of(w->t);
	struct taps tap[3] = { { .weight = { 1 } }, { .weight = { 1 } }, { .weight = { 1 } } };

	if (w->r->cube && w->rules->seamless) {
		seamless(w, at, level, out);
		return;
	}
	all_taps(w, at, level, true, axes, tap);
	for (int k = 0; k < 8; k++) {
		int32_t i[3] = { tap[0].i[k & 1], tap[1].i[k >> 1 & 1], tap[2].i[k >> 2] };
		double weight = tap[0].weight[k & 1] * tap[1].weight[k >> 1 & 1] * tap[2].weight[k >> 2];
		uint32_t words[4];
		if (weight == 0)
			continue;
		texel(w, at, level, i, words);
		for (int c = 0; c < 4; c++)
			out[c] += weight * (double)f32_value(words[c]);
	}
}

static void nearest_texel(struct work *w, const struct place *at, unsigned level, uint32_t out[4])
{
	struct taps tap[3] = { 0 };

	all_taps(w, at, level, false, axes_of(w->t), tap);
	texel(w, at, level, (int32_t[3]){ tap[0].i[0], tap[1].i[0], tap[2].i[0] }, out);
}

static void add_level(struct work *w, const struct place *at, unsigned level, bool linear, double weight, double sum[4])
{
	double v[4] = { 0 };
	uint32_t words[4];

	if (linear) {
		filter_level(w, at, level, v);
	} else {
		nearest_texel(w, at, level, words);
		for (int c = 0; c < 4; c++)
			v[c] = (double)f32_value(words[c]);
	}
	for (int c = 0; c < 4; c++)
		sum[c] += weight * v[c];
}

/* ---- levels of detail ---- */

static int32_t lod_clamped(const struct work *w, int32_t lod)
{
	int32_t low = w->s->min_lod > w->t->min_lod ? w->s->min_lod : w->t->min_lod;

	lod = lod < low ? low : lod;
	return lod > w->s->max_lod ? w->s->max_lod : lod;
}

/* Levels for a level of detail: one, or two with `weight` for the second. */
struct levels {
	unsigned fine, second;
	bool linear;
	double weight;
};

static struct levels levels_of(const struct work *w, int32_t lod)
{
	unsigned last = w->t->levels - 1u, mip = w->s->mip;
	struct levels v = { 0 };

	lod = lod_clamped(w, lod);
	v.linear = (lod <= 0 ? w->s->mag_linear : w->s->min_linear) && !w->t->integer;
	if (lod > 0 && mip >= MIP_NEAREST) {
		bool blends = mip == MIP_LINEAR && !w->t->integer;
		unsigned level = (unsigned)(blends ? lod >> 8 : (lod + LOD_ONE / 2 - 1) >> 8);
		v.fine = v.second = level < last ? level : last;
		v.second += blends && lod & (LOD_ONE - 1) && v.fine < last;
		v.weight = (double)(lod & (LOD_ONE - 1)) / LOD_ONE;
	}
	return v;
}

static void sample(struct work *w, const struct place *at, const struct levels *v, uint32_t out[4])
{
	double sum[4] = { 0 };

	if (v->fine == v->second && !v->linear) {
		nearest_texel(w, at, v->fine, out);
		return;
	}
	if (v->fine == v->second) {
		filter_level(w, at, v->fine, sum);
	} else {
		add_level(w, at, v->fine, v->linear, 1 - v->weight, sum);
		add_level(w, at, v->second, v->linear, v->weight, sum);
	}
	for (int c = 0; c < 4; c++)
		out[c] = float_word(sum[c]);
}

/* ---- most quads: two dimensions, four bytes a texel, linear filters, no comparison ---- */

static inline bool clamps_coordinate(unsigned wrap)
{
	return wrap == WRAP_CLAMP_OGL || wrap == WRAP_MIRROR_ONCE_CLAMP_OGL;
}

/* Can requests of the kind be done in bytes? Wraps that clamp the coordinate, not the texel, are left to sample. */
static bool are_bytes(const struct work *w)
{
	return w->t->kind == KIND_RGBA8 && axes_of(w->t) == 2 && !w->compares && !w->rules->exact_weights &&
	       !(w->r->cube && w->rules->seamless) && !clamps_coordinate(wrap_of(w, 0)) &&
	       !clamps_coordinate(wrap_of(w, 1)) && w->r->op != TEXTURE_QUERY_LOD;
}

typedef double two_doubles __attribute__((vector_size(16)));

/* The two texels of each lane along an axis, and 256 times the weight of the second. */
struct quad_axis {
	int32_t i[2][4], weight[4];
};

/* Returns the lanes with texels outside: of the border, or too far off for 32 bits. */
static inline unsigned quad_axis(const struct work *w, const struct place at[4], unsigned axis, uint32_t n,
				 struct quad_axis *q)
{
	const double far = 1 << 22, scale = w->t->normalised ? n : 1;
	unsigned wrap = w->r->cube ? WRAP_CLAMP : wrap_of(w, axis), off = 0;
	int32_t offset = w->r->offset[axis];

	for (unsigned k = 0; k < 4; k++) {
		double x = at[k].u[axis] * scale;
		bool near = x > -far && x < far;
		int32_t f;
		x = ((near ? x : 0) - 0.5) * WEIGHT_ONE + 0.5;
		f = (int32_t)x;
		f -= (double)f > x;
		q->weight[k] = f & (WEIGHT_ONE - 1);
		q->i[0][k] = (f >> 8) + offset;
		q->i[1][k] = (f >> 8) + offset + 1;
		off |= (unsigned)!near << k;
	}
	for (unsigned k = 0; k < 8; k++) {
		int32_t i = q->i[k / 4][k % 4];
		if (__builtin_expect((uint32_t)i < n, 1))
			continue;
		i = wrapped(wrap, i, n);
		q->i[k / 4][k % 4] = i;
		off |= (unsigned)(i < 0) << k % 4;
	}
	return off;
}

/* Blend one level in one lane. All products and sums are exact, so their order does not matter; nor do texels without
 * weight, since all are finite. False: a texel is not mapped. */
static inline bool blend_bytes(struct work *w, unsigned k, uint32_t layer, unsigned level, const struct quad_axis q[2],
			       two_doubles out[2])
{
	const struct texture *t = w->t;
	const struct texture_level *l = &t->level[level];
	const double *colour = w->srgb ? t->from_srgb : texel_unorm8, part = 1.0 / (WEIGHT_ONE * WEIGHT_ONE);
	double wx[2] = { WEIGHT_ONE - q[0].weight[k], q[0].weight[k] };
	double wy[2] = { (WEIGHT_ONE - q[1].weight[k]) * part, q[1].weight[k] * part };
	uint64_t base = l->offset + layer * l->layer_bytes, column[2], row[2], last;

	for (int i = 0; i < 2; i++) {   /* the offset is the sum of the offsets of x and y */
		uint32_t x = 4 * (uint32_t)q[0].i[i][k], y = (uint32_t)q[1].i[i][k];
		column[i] = t->block_linear ? block_linear_offset(&l->block, x, 0, 0) : x;
		row[i] = base + (t->block_linear ? block_linear_offset(&l->block, 0, y, 0) : y * l->row_bytes);
	}
	last = (row[0] > row[1] ? row[0] : row[1]) + (column[0] > column[1] ? column[0] : column[1]);
	if (__builtin_expect(!bytes_inside(last, 4, t->size), 0))
		return false;
	out[0] = out[1] = (two_doubles){ 0, 0 };
#pragma GCC unroll 4
	for (int i = 0; i < 4; i++) {
		double weight = wx[i & 1] * wy[i >> 1];
		const uint8_t *p = t->bytes + row[i >> 1] + column[i & 1];
		out[0] += (two_doubles){ weight, weight } * (two_doubles){ colour[p[0]], colour[p[1]] };
		out[1] += (two_doubles){ weight, weight } * (two_doubles){ colour[p[2]], texel_unorm8[p[3]] };
	}
	for (int i = 0; w->lines && i < 4; i++)
		if (wx[i & 1] * wy[i >> 1] > 0)
			note_line(w, row[i >> 1] + column[i & 1]);
	return true;
}

/* As sample, for lanes of a quad that read the same levels with a linear filter. False: another request; the lanes of a
 * quad are left to sample together, since lines are noted in order. */
static bool sample_bytes(struct work *w, const struct place at[4], lane_mask on, unsigned quad, const struct levels *v,
			 uint32_t *const out[4])
{
	const struct texture_level *first = &w->t->level[v->fine], *second = &w->t->level[v->second];
	struct quad_axis q[2][2];
	unsigned off = quad_axis(w, at, 0, first->width, &q[0][0]) | quad_axis(w, at, 1, first->height, &q[0][1]);

	if (first != second)
		off |= quad_axis(w, at, 0, second->width, &q[1][0]) | quad_axis(w, at, 1, second->height, &q[1][1]);
	if (on & off)
		return false;
	for (unsigned k = 0; k < 4; k++) {
		two_doubles sum[2], more[2];
		if (!(on >> k & 1))
			continue;
		if (!blend_bytes(w, k, at[k].layer, v->fine, q[0], sum) ||
		    (first != second && !blend_bytes(w, k, at[k].layer, v->second, q[1], more)))
			return false;
		for (int h = 0; h < 2 && first != second; h++)
			sum[h] = (1 - v->weight) * sum[h] + v->weight * more[h];
		for (int c = 0; c < 4; c++)
			out[c][quad + k] = f32_bits((float)sum[c / 2][c % 2]);
	}
	return true;
}

/* The square of the longest of a quad's derivatives, in texels of level 0. NaN: not known. */
static double longest(const struct work *w, const struct place at[4])
{
	static const uint8_t pair[4][2] = { { 0, 1 }, { 0, 2 }, { 2, 3 }, { 1, 3 } };
	unsigned axes = axes_of(w->t);
	double most = 0;

	for (int k = 0; k < (w->t->low_lod_quality ? 2 : 4); k++) {
		double sum = 0;
		for (unsigned c = 0; c < axes; c++) {
			double d = at[pair[k][1]].u[c] - at[pair[k][0]].u[c];
			d *= w->t->normalised ? size_of(&w->t->level[0], c) : 1;
			sum += d * d;
		}
		if (!(sum <= most))
			most = sum;
		if (most != most)
			break;
	}
	return most;
}

/* Does any level of detail give the same? */
static bool lod_matters(const struct work *w)
{
	return w->t->levels > 1 || w->s->min_linear != w->s->mag_linear || w->r->op == TEXTURE_QUERY_LOD;
}

/* Without the operand's bias. */
static double quad_lod(const struct work *w, const struct place at[4])
{
	double square = longest(w, at);

	return square > 0 ? log2_series(square) / 2 + (double)(w->s->lod_bias + w->t->lod_bias) / LOD_ONE :
			    (double)LOD_LOWEST;
}

/* ---- requests ---- */

static const uint32_t *input(const struct work *w, unsigned i)
{
	return i < w->r->inputs ? w->r->in[i] : NULL;
}

/* Layers that a request can choose; the six faces of a cube for directions count once. */
static uint32_t layers_of(const struct work *w)
{
	return w->r->cube ? w->t->layers / 6 : w->t->layers;
}

static void place_of(const struct work *w, unsigned lane, struct place *at)
{
	const uint32_t *layer = w->layered ? input(w, w->dims) : NULL, *reference;
	uint32_t n = layers_of(w);

	*at = (struct place){ 0 };
	for (unsigned c = 0; c < w->dims; c++)
		at->u[c] = float_at(input(w, c), lane);
	if (layer)
		at->layer = layer[lane] < n ? layer[lane] : n - 1;
	if (w->r->cube) {
		unsigned face = cube_face(at->u, at->u);
		at->layer = at->layer * 6 + face;
		at->u[2] = 0;
	}
	reference = w->compares ? input(w, w->dims + w->layered) : NULL;
	at->reference = (float)float_at(reference, lane);
	if (reference && w->t->depth && w->t->texel_type[0] != TEXEL_FLOAT)
		at->reference = (float)clamp((double)at->reference, 0, 1);
}

static void give(uint32_t *const out[4], unsigned lane, const uint32_t words[4])
{
	for (int c = 0; c < 4; c++)
		out[c][lane] = words[c];
}

static void query_lod(const struct work *w, double lod, uint32_t words[4])
{
	int shift = 8 - w->rules->lod_query_bits, last = (w->t->levels - 1) * LOD_ONE;
	int32_t computed = lod_of(lod), clamped = lod_clamped(w, computed);

	clamped = clamped < 0 ? 0 : clamped > last ? last : clamped;
	computed = (int32_t)clamp(computed, -16 * LOD_ONE, 16 * LOD_ONE - 1);
	words[0] = (uint32_t)(clamped >> shift);
	words[1] = (uint32_t)(computed >> shift);
	words[2] = words[3] = 0;
}

/* Is a bias or a level the same in a quad's lanes? */
static bool one_operand(const uint32_t *operand, unsigned quad, lane_mask on)
{
	uint32_t first = operand ? operand[quad + (unsigned)__builtin_ctzll(on)] : 0;
	bool same = true;

	for (unsigned k = 0; operand && k < 4; k++)
		same &= operand[quad + k] == first || !(on >> k & 1);
	return same;
}

static void sample_quads(struct work *w, uint32_t *const out[4])
{
	const struct texture_request *r = w->r;
	const uint32_t *operand = r->op == TEXTURE_SAMPLE_BIAS || r->op == TEXTURE_SAMPLE_LOD ?
				  input(w, w->dims + w->layered + w->compares) : NULL;

	bool derived = r->op != TEXTURE_SAMPLE_LOD && r->derivatives && lod_matters(w);

	for (unsigned quad = 0; quad < r->lanes; quad += 4) {
		lane_mask on = r->on >> quad & 15;
		struct place at[4];
		struct levels v;
		double lod = 0;
		if (!on)
			continue;
		for (unsigned k = 0; k < 4; k++)
			place_of(w, quad + k, &at[k]);
		if (r->op != TEXTURE_SAMPLE_LOD)
			lod = derived ? quad_lod(w, at) : (double)LOD_LOWEST;
		else
			lod = (double)(w->s->lod_bias + w->t->lod_bias) / LOD_ONE;
		if (w->bytes && one_operand(operand, quad, on)) {
			v = levels_of(w, lod_of(lod + float_at(operand, quad + (unsigned)__builtin_ctzll(on))));
			if (v.linear && sample_bytes(w, at, on, quad, &v, out))
				continue;
		}
		for (unsigned k = 0; k < 4; k++) {
			double own = lod + float_at(operand, quad + k);
			uint32_t words[4];
			if (!(on >> k & 1))
				continue;
			w->lane = quad + k;
			if (r->op == TEXTURE_QUERY_LOD) {
				query_lod(w, own, words);
			} else {
				v = levels_of(w, lod_of(own));
				sample(w, &at[k], &v, words);
			}
			give(out, quad + k, words);
		}
	}
}

/* Texels (i0, j1), (i1, j1), (i1, j0), (i0, j0). */
static void gather(struct work *w, uint32_t *const out[4])
{
	static const uint8_t order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };

	FOR_SET_LANES(l, w->r->on) {
		struct place at;
		struct taps tap[3] = { 0 };
		w->lane = (unsigned)l;
		place_of(w, w->lane, &at);
		all_taps(w, &at, 0, true, 2, tap);
		for (int k = 0; k < 4; k++) {
			uint32_t words[4];
			texel(w, &at, 0, (int32_t[3]){ tap[0].i[order[k][0]], tap[1].i[order[k][1]], 0 }, words);
			out[k][l] = words[w->r->component];
		}
	}
}

/* Outside of the level is 0 in all components (chosen; Direct3D's load). */
static void fetch(struct work *w, uint32_t *const out[4])
{
	unsigned axes = axes_of(w->t);

	FOR_SET_LANES(l, w->r->on) {
		const uint32_t *layer = w->layered ? input(w, w->dims) : NULL, *lod = input(w, w->dims + w->layered);
		uint32_t level = lod && w->t->type != TEXTURE_BUFFER ? lod[l] : 0, words[4] = { 0 };
		struct place at = { .layer = layer ? layer[l] : 0 };
		bool inside = level < w->t->levels && at.layer < w->t->layers;
		int32_t i[3] = { 0 };
		w->lane = (unsigned)l;
		for (unsigned c = 0; c < axes && inside; c++) {
			const uint32_t *in = input(w, c);
			int64_t at_axis = (in ? (int64_t)(int32_t)in[l] : 0) + w->r->offset[c];
			inside &= at_axis >= 0 && at_axis < size_of(&w->t->level[level], c);
			i[c] = (int32_t)at_axis;
		}
		if (inside)
			texel(w, &at, level, i, words);
		give(out, (unsigned)l, words);
	}
}

static void sizes(const struct work *w, uint32_t *const out[4])
{
	const struct texture *t = w->t;
	bool flat = axes_of(t) == 1, array = t->type == TEXTURE_1D_ARRAY || t->type == TEXTURE_2D_ARRAY ||
					     t->type == TEXTURE_CUBE_ARRAY;
	uint32_t layers = t->type == TEXTURE_CUBE_ARRAY ? t->layers / 6 : t->layers;

	FOR_SET_LANES(lane, w->r->on) {
		const uint32_t *lod = input(w, 0);
		uint32_t level = lod ? lod[lane] : 0, words[4] = { 0, 0, 0, t->levels };
		if (level < t->levels) {
			const struct texture_level *l = &t->level[level];
			words[0] = l->width;
			words[1] = !flat ? l->height : array ? layers : 0;
			words[2] = t->type == TEXTURE_3D ? l->depth : array && !flat ? layers : 0;
		}
		give(out, (unsigned)lane, words);
	}
}

static void cube_prepare(const struct work *w, uint32_t *const out[4])
{
	FOR_SET_LANES(l, w->r->on) {
		struct place at;
		place_of(w, (unsigned)l, &at);
		give(out, (unsigned)l, (uint32_t[4]){ float_word(at.u[0]), float_word(at.u[1]), at.layer, 0 });
	}
}

static bool is_cube(const struct texture *t)
{
	return t->type == TEXTURE_CUBE || t->type == TEXTURE_CUBE_ARRAY;
}

/* Does the type of texture have the operation? */
static bool exists(const struct texture *t, const struct texture_request *r)
{
	if (r->cube && !is_cube(t))
		return false;
	switch (r->op) {
	case TEXTURE_FETCH: return !r->cube;
	case TEXTURE_SIZE: return true;
	case TEXTURE_CUBE_PREPARE: return r->cube;
	case TEXTURE_GATHER: return axes_of(t) == 2;
	default: return t->type != TEXTURE_BUFFER;
	}
}

static void set_border(struct work *w)
{
	memcpy(w->border, w->s->border, sizeof w->border);
	for (int c = 0; c < 3 && w->srgb; c++)
		w->border[c] = f32_bits(w->s->border_srgb[c]);
	for (int c = 1; c < 4 && w->t->depth; c++)
		w->border[c] = w->border[0];
}

enum texture_status texture_request(const struct texture *t, const struct sampler *s, const struct texture_rules *rules,
				    const struct texture_request *r, uint32_t *const out[4],
				    struct texture_lines *lines, struct texture_fault *fault)
{
	struct work w = { .t = t, .s = s, .rules = rules, .r = r, .lines = lines, .srgb = t->srgb && s->srgb };

	if (t->refused) {
		*fault = (struct texture_fault){ .lanes = r->on, .detail = t->code };
		return (enum texture_status)t->refused;
	}
	if (!exists(t, r)) {
		*fault = (struct texture_fault){ .lanes = r->on, .detail = t->type };
		return TEXTURE_BAD_OPERATION;
	}
	w.dims = r->cube ? 3 : axes_of(t);
	w.layered = t->type == TEXTURE_1D_ARRAY || t->type == TEXTURE_2D_ARRAY || t->type == TEXTURE_CUBE_ARRAY ||
		    (t->type == TEXTURE_CUBE && !r->cube);
	w.compares = s->compares && r->op <= TEXTURE_SAMPLE_LOD;
	w.compares |= s->compares && (r->op == TEXTURE_GATHER || r->op == TEXTURE_QUERY_LOD);
	w.bytes = are_bytes(&w);
	set_border(&w);
	switch (r->op) {
	case TEXTURE_FETCH: fetch(&w, out); break;
	case TEXTURE_SIZE: sizes(&w, out); break;
	case TEXTURE_CUBE_PREPARE: cube_prepare(&w, out); break;
	case TEXTURE_GATHER: gather(&w, out); break;
	default: sample_quads(&w, out); break;
	}
	*fault = w.fault;
	return w.status;
}
