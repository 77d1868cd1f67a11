/* Fragments of a scene: the covered pixels of a rectangle, the order in which their quads fill warps, and the planes of
 * interpolated attributes. The set-up of a triangle is in binary64, its planes are rounded to float (spec
 * tesla-graphics 4 and 6). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/scene.h"
#include "core/base/bits.h"
#include "core/base/rng.h"

enum { WINDOW = 8192, FACE_PLANE = FRAGMENT_PLANES - 1, POSITION_W = 8 };

enum mode { MODE_PERSPECTIVE, MODE_LINEAR, MODE_FLAT };

struct triangle {
	double x[3], y[3], z[3], w[3];
	double area;                    /* twice the area in pixels, positive for clockwise corners with y down */
	unsigned attributes;
	double attribute[3][ATTRIBUTES][4];
	uint32_t word[3][ATTRIBUTES][4];        /* attributes as the scene's words */
};

struct setup {
	const struct scene *s;
	const struct scene_at *path;
	struct scene_fp fp;
	uint32_t rect[4];
	struct plane *planes;
	bool has_triangle;
	struct triangle t;
};

/* ---- the rectangle and its covered pixels ---- */

static bool read_rect(struct setup *u)
{
	const struct scene_at *at = AT_KEY(u->path, "rect");
	const json_t *v = u->fp.rect;

	for (unsigned i = 0; i < 4; i++) {
		int64_t n, most = i < 2 ? WINDOW - 1 : WINDOW - u->rect[i - 2];
		if (!scene_integer(u->s, AT_INDEX(at, i), json_array_get(v, i), i / 2, most, &n))
			return false;
		u->rect[i] = (uint32_t)n;
	}
	return true;
}

static bool read_cover(struct setup *u)
{
	const struct scene_at *at = AT_KEY(u->path, "cover");
	const json_t *v = u->fp.cover;
	uint32_t width = u->rect[2];

	if (!v)
		return true;
	if (!scene_list(u->s, at, v, u->rect[3], u->rect[3]))
		return false;
	for (uint32_t y = 0; y < u->rect[3]; y++) {
		const char *row = json_string_value(json_array_get(v, y));
		if (!row || strlen(row) != width || strspn(row, "01") != width)
			return scene_refuse(u->s, AT_INDEX(at, y), json_array_get(v, y),
					    "a text of %u times 0 or 1", width);
	}
	return true;
}

/* Whether a point is inside of the edge from corner i to the next, or on a top or left edge. */
static bool inside(const struct triangle *t, unsigned i, double x, double y)
{
	unsigned k = (i + 1) % 3;
	double turn = t->area < 0 ? -1 : 1, dx = turn * (t->x[k] - t->x[i]), dy = turn * (t->y[k] - t->y[i]);
	double side = dx * (y - t->y[i]) - dy * (x - t->x[i]);
	bool top_left = dy < 0 || (dy == 0 && dx > 0);

	return side > 0 || (side == 0 && top_left);
}

/* Whether a pixel is covered: asked of the scene each time, for a refused rectangle takes no storage. */
static bool covered(const struct setup *u, uint32_t x, uint32_t y)
{
	const uint32_t *r = u->rect;

	if (x < r[0] || y < r[1] || x - r[0] >= r[2] || y - r[1] >= r[3])
		return false;
	if (u->fp.cover)
		return json_string_value(json_array_get(u->fp.cover, y - r[1]))[x - r[0]] == '1';
	return !u->has_triangle || (inside(&u->t, 0, x + 0.5, y + 0.5) && inside(&u->t, 1, x + 0.5, y + 0.5) &&
				    inside(&u->t, 2, x + 0.5, y + 0.5));
}

/* ---- a triangle ---- */

static bool read_corner(struct setup *u, const struct scene_at *at, const json_t *v, unsigned i)
{
	const struct scene_at *attr_at = AT_KEY(at, "attr");
	struct scene_corner c = { 0 };

	if (!scene_read(u->s, at, v, OF_corner, &c))
		return false;
	if (!isfinite(1 / c.pos[3]))
		return scene_refuse(u->s, AT_INDEX(AT_KEY(at, "pos"), 3),
				    json_array_get(json_object_get(v, "pos"), 3), "a W other than 0");
	u->t.x[i] = c.pos[0], u->t.y[i] = c.pos[1], u->t.z[i] = c.pos[2], u->t.w[i] = c.pos[3];
	if (json_array_size(c.attr) > u->t.attributes)
		u->t.attributes = (unsigned)json_array_size(c.attr);
	for (unsigned a = 0; a < json_array_size(c.attr); a++) {
		const json_t *list = json_array_get(c.attr, a);
		if (!scene_list(u->s, AT_INDEX(attr_at, a), list, 0, 4))
			return false;
		for (unsigned k = 0; k < json_array_size(list); k++) {
			const json_t *word = json_array_get(list, k);
			float f;
			if (!scene_word(u->s, AT_INDEX(AT_INDEX(attr_at, a), k), word, &u->t.word[i][a][k]))
				return false;
			memcpy(&f, &u->t.word[i][a][k], sizeof f);
			u->t.attribute[i][a][k] = json_is_number(word) ? json_number_value(word) : (double)f;
		}
	}
	return true;
}

static bool read_triangle(struct setup *u)
{
	const struct scene_at *at = AT_KEY(u->path, "vertices");
	const json_t *v = u->fp.vertices;
	struct triangle *t = &u->t;

	if (!v)
		return true;
	for (unsigned i = 0; i < 3; i++)
		if (!read_corner(u, AT_INDEX(at, i), json_array_get(v, i), i))
			return false;
	t->area = (t->x[1] - t->x[0]) * (t->y[2] - t->y[0]) - (t->x[2] - t->x[0]) * (t->y[1] - t->y[0]);
	if (!(fabs(t->area) > 0) || !isfinite(t->area))
		return scene_refuse(u->s, at, v, "three corners that do not lie on a line");
	u->has_triangle = true;
	return true;
}

/* The plane through a value at each corner. */
static struct plane through(const struct triangle *t, const double v[3])
{
	double v1 = v[1] - v[0], v2 = v[2] - v[0], x1 = t->x[1] - t->x[0], x2 = t->x[2] - t->x[0];
	double y1 = t->y[1] - t->y[0], y2 = t->y[2] - t->y[0];
	double dx = (v1 * y2 - v2 * y1) / t->area, dy = (v2 * x1 - v1 * x2) / t->area;

	return (struct plane){ .base = f32_bits((float)(v[0] - dx * t->x[0] - dy * t->y[0])),
			       .dx = f32_bits((float)dx), .dy = f32_bits((float)dy) };
}

static void put_plane(struct setup *u, unsigned *n, struct plane p)
{
	p.kind = p.kind ? p.kind : PLANE_GIVEN;
	if (*n < FACE_PLANE)
		u->planes[(*n)++] = p;
}

/* Write the planes of the position that the program reads, in the order x y z w; w is always present. */
static void position_planes(struct setup *u, unsigned mask, bool perspective, unsigned *n)
{
	const struct triangle *t = &u->t;
	double w[3] = { 1 / t->w[0], 1 / t->w[1], 1 / t->w[2] };
	struct plane plane = through(t, w);

	if (mask & 1)
		put_plane(u, n, (struct plane){ .dx = f32_bits(1) });
	if (mask & 2)
		put_plane(u, n, (struct plane){ .dy = f32_bits(1) });
	if (mask & 4)
		put_plane(u, n, through(t, t->z));
	plane.kind = perspective ? PLANE_GIVEN : PLANE_W_UNUSED;
	put_plane(u, n, plane);
}

static void attribute_planes(struct setup *u, unsigned a, enum mode mode, unsigned mask, unsigned *n)
{
	const struct triangle *t = &u->t;

	for (unsigned k = 0; k < 4; k++) {
		double v[3];
		if (!(mask >> k & 1))
			continue;
		if (mode == MODE_FLAT) {
			put_plane(u, n, (struct plane){ .base = t->word[2][a][k] });
			continue;
		}
		for (unsigned i = 0; i < 3; i++)
			v[i] = t->attribute[i][a][k] / (mode == MODE_PERSPECTIVE ? t->w[i] : 1);
		put_plane(u, n, through(t, v));
	}
}

static bool triangle_planes(struct setup *u)
{
	static const char letters[] = "xyzw";
	const char *text = json_string_value(u->fp.position);
	const uint8_t *mode = u->fp.mode, *mask = u->fp.mask;
	unsigned position = 0, n = 0;
	bool perspective = false;

	if (u->fp.position && (!text || strspn(text, letters) != strlen(text)))
		return scene_refuse(u->s, AT_KEY(u->path, "position"), u->fp.position,
				    "a text of the letters xyzw: the components that the program reads");
	for (; text && *text; text++)
		position |= 1u << (strchr(letters, *text) - letters);
	if (!u->has_triangle)
		return true;
	for (unsigned a = 0; a < u->t.attributes; a++)
		perspective |= mode[a] == MODE_PERSPECTIVE;
	position_planes(u, position, perspective || !u->t.attributes, &n);
	for (unsigned flat = 0; flat < 2; flat++)
		for (unsigned a = 0; a < u->t.attributes; a++)
			if ((mode[a] == MODE_FLAT) == flat)
				attribute_planes(u, a, (enum mode)mode[a], mask[a], &n);
	return true;
}

/* ---- explicit planes ---- */

static bool read_varying(struct setup *u, const struct scene_at *at, const json_t *v)
{
	struct scene_varying in = { 0 };

	if (!scene_read(u->s, at, v, OF_varying, &in))
		return false;
	if (in.address % 4)
		return scene_refuse(u->s, AT_KEY(at, "v"), json_object_get(v, "v"), "a multiple of 4");
	u->planes[in.address / 4] = (struct plane){ in.word[0], in.word[1], in.word[2], PLANE_GIVEN };
	return true;
}

static bool read_planes(struct setup *u)
{
	const json_t *v = u->fp.varyings;

	u->planes = scene_memory(u->s, FRAGMENT_PLANES, sizeof *u->planes, "planes");
	if (!u->planes || !triangle_planes(u))
		return false;
	u->planes[FACE_PLANE] = (struct plane){ .base = u->fp.front ? ~0u : 0, .kind = PLANE_GIVEN };
	for (size_t i = 0; i < json_array_size(v); i++)
		if (!read_varying(u, AT_INDEX(AT_KEY(u->path, "varyings"), i), json_array_get(v, i)))
			return false;
	return true;
}

/* ---- quads ---- */

struct quad {
	uint16_t x, y;                  /* the quad's first pixel, even */
	uint64_t key;
};

static int by_key(const void *a, const void *b)
{
	const struct quad *p = a, *q = b;

	if (p->key != q->key)
		return p->key < q->key ? -1 : 1;
	if (p->y != q->y)
		return p->y < q->y ? -1 : 1;
	return (p->x > q->x) - (p->x < q->x);
}

static uint64_t spread_bits(uint64_t v)
{
	uint64_t out = 0;

	for (unsigned i = 0; i < 16; i++)
		out |= (v >> i & 1) << 2 * i;
	return out;
}

/* Order quads by --quad-order: row by row, along Morton's curve, or at random. */
static bool order_quads(const struct scene *s, struct quad *q, size_t n)
{
	const char *text = config_text(s->l->inputs->config, OPT_QUAD_ORDER);
	bool morton = !strcmp(text, "morton");
	char *end = NULL;
	uint64_t seed = strtoull(text, &end, 0);

	if (!strcmp(text, "row"))
		return true;
	if (!morton && (*end || text[0] < '0' || text[0] > '9'))
		return diag_set(s->d, DIAG_USAGE, "--quad-order: found \"%s\", expected row, morton or a seed", text);
	for (size_t i = 0; i < n; i++)
		q[i].key = morton ? spread_bits(q[i].x / 2u) | spread_bits(q[i].y / 2u) << 1
				  : mix64(seed + 1 + ((uint64_t)q[i].y << 16 | q[i].x) * 0x9e3779b97f4a7c15ull);
	qsort(q, n, sizeof *q, by_key);
	return true;
}

/* Count all quads with a covered pixel, row by row, and write the quads to q unless q is NULL. */
static size_t find_quads(const struct setup *u, struct quad *q)
{
	const uint32_t *r = u->rect;
	size_t n = 0;

	for (uint32_t y = r[1] & ~1u; y < r[1] + r[3]; y += 2)
		for (uint32_t x = r[0] & ~1u; x < r[0] + r[2]; x += 2)
			if (covered(u, x, y) || covered(u, x + 1, y) || covered(u, x, y + 1) ||
			    covered(u, x + 1, y + 1)) {
				if (q)
					q[n] = (struct quad){ .x = (uint16_t)x, .y = (uint16_t)y };
				n++;
			}
	return n;
}

/* Read the sample's number and its position in the pixel. */
static bool read_sample(const struct setup *u, struct scene_sample *out)
{
	const struct scene_at *at = AT_KEY(u->path, "sample");

	*out = (struct scene_sample){ .position = { 0.5, 0.5 } };
	if (u->fp.sample && !scene_read(u->s, at, u->fp.sample, OF_sample, out))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (!(out->position[i] >= 0 && out->position[i] < 1))
			return scene_refuse(u->s, AT_INDEX(AT_KEY(at, "at"), i),
					    json_array_get(json_object_get(u->fp.sample, "at"), i),
					    "a place inside of the pixel, 0 to 1");
	return true;
}

/* Read pixels with a centroid away from the centre: [pixel x, pixel y, centroid x, centroid y]. */
static bool read_centroids(const struct setup *u, uint32_t *in, const uint32_t *thread)
{
	const struct scene_at *at = AT_KEY(u->path, "centroids");
	const json_t *v = u->fp.centroids;
	const uint32_t *r = u->rect;

	if (v && !scene_list(u->s, at, v, 0, (size_t)r[2] * r[3]))
		return false;
	for (size_t i = 0; i < json_array_size(v); i++) {
		const struct scene_at *here = AT_INDEX(at, i);
		const json_t *list = json_array_get(v, i);
		int64_t pixel[2];
		double place;
		uint32_t t;
		if (!scene_list(u->s, here, list, 4, 4))
			return false;
		for (unsigned k = 0; k < 2; k++)
			if (!scene_integer(u->s, AT_INDEX(here, k), json_array_get(list, k), r[k],
					   (int64_t)r[k] + r[k + 2] - 1, &pixel[k]))
				return false;
		t = thread[(pixel[1] - r[1]) * r[2] + pixel[0] - r[0]];
		for (unsigned k = 0; k < 2; k++) {
			if (!scene_number(u->s, AT_INDEX(here, k + 2), json_array_get(list, k + 2), &place))
				return false;
			if (t)
				in[(size_t)(t - 1) * FRAGMENT_WORDS + FRAGMENT_CENTROID_X + k] = f32_bits((float)place);
		}
	}
	return true;
}

/* Lane L of a quad is the pixel L mod 2 to the right and L / 2 down. */
static bool place_quads(const struct setup *u, const struct quad *q, size_t n, struct stream *out)
{
	const uint32_t *r = u->rect;
	struct drawn *drawn = &u->s->l->inputs->drawn;
	uint32_t *in = NULL;
	struct scene_sample sample;

	in = scene_memory(u->s, 4 * (uint64_t)n * FRAGMENT_WORDS, 4, "fragments");
	drawn->thread = scene_memory(u->s, (uint64_t)r[2] * r[3], 4, "pixels");
	if (!in || !drawn->thread || !read_sample(u, &sample))
		return false;
	out->sample = sample.id;
	out->threads = 4 * (uint32_t)n;
	out->in = in;
	out->in_words = FRAGMENT_WORDS;
	for (uint32_t t = 0; t < out->threads; t++) {
		uint32_t x = q[t / 4].x + t % 2, y = q[t / 4].y + t / 2 % 2, *w = in + (size_t)t * FRAGMENT_WORDS;
		w[FRAGMENT_X] = f32_bits((float)(x + sample.position[0]));
		w[FRAGMENT_Y] = f32_bits((float)(y + sample.position[1]));
		w[FRAGMENT_CENTROID_X] = f32_bits((float)(x + 0.5));
		w[FRAGMENT_CENTROID_Y] = f32_bits((float)(y + 0.5));
		w[FRAGMENT_COVERED] = covered(u, x, y);
		if (w[FRAGMENT_COVERED])
			drawn->thread[(size_t)(y - r[1]) * r[2] + x - r[0]] = t + 1;
	}
	memcpy(drawn->rect, r, sizeof drawn->rect);
	return read_centroids(u, in, drawn->thread);
}

bool scene_fragments(struct scene *s, const struct scene_at *at, const json_t *fp, struct stream *out)
{
	struct setup u = { .s = s, .path = at, .fp = { .front = true, .results = 4 } };
	struct quad *q;
	size_t n;

	memset(u.fp.mask, 0xf, sizeof u.fp.mask);
	if (!scene_read(s, at, fp, OF_fp, &u.fp) || !read_rect(&u) || !read_triangle(&u) || !read_planes(&u) ||
	    !read_cover(&u))
		return false;
	n = find_quads(&u, NULL);
	if (!n)
		return scene_refuse(s, at, fp, "at least one covered pixel");
	if (!scene_fits(s, AT_KEY(at, "rect"), u.fp.rect, 4 * (uint64_t)n))
		return false;
	q = scene_memory(s, n, sizeof *q, "quads");
	if (!q)
		return false;
	find_quads(&u, q);
	out->planes = u.planes;
	out->out_words = u.fp.results;
	return order_quads(s, q, n) && place_quads(&u, q, n, out);
}
