/* Either `pixel` or `cell` is set, and each primitive clips its rectangle and draws to the set array. No line is
 * smoothed and the font is built in, so that equal calls give equal bytes on every host; tests compare hashes of
 * pictures. */
#include "frontends/view/canvas.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/font.h"

enum { UNITS_MAX = 1 << 14, SCALE_MAX = 16 };

static bool sensible(int w, int h, int scale)
{
	return w > 0 && h > 0 && scale > 0 && w <= UNITS_MAX && h <= UNITS_MAX && scale <= SCALE_MAX &&
	       w * scale <= UNITS_MAX && h * scale <= UNITS_MAX;
}

bool canvas_onto(struct canvas *c, uint32_t *pixel, int stride, int width, int height, int scale,
		 const struct theme *t)
{
	*c = (struct canvas){.w = width / (scale > 0 ? scale : 1),
			     .h = height / (scale > 0 ? scale : 1),
			     .cw = GLYPH_W,
			     .rh = GLYPH_H + 2,
			     .pad = 6,
			     .hair = 1,
			     .scale = scale,
			     .stride = stride,
			     .pixel = pixel,
			     .theme = t};
	c->clip = (struct rect){0, 0, c->w, c->h};
	return pixel && sensible(c->w, c->h, scale);
}

bool canvas_pixels(struct canvas *c, int width, int height, int scale, const struct theme *t)
{
	int w = scale > 0 ? width - width % scale : 0, h = scale > 0 ? height - height % scale : 0;
	bool made = w > 0 && h > 0 && sensible(w / scale, h / scale, scale);
	uint32_t *pixel = made ? calloc((size_t)w * h, sizeof *pixel) : NULL;
	return canvas_onto(c, pixel, w, width, height, scale, t);
}

int canvas_scale(int width, int height)
{
	enum { WIDE = 1600, HIGH = 900 };
	int across = width / WIDE, down = height / HIGH, scale = across < down ? across : down;
	return scale < 1 ? 1 : scale > SCALE_MAX ? SCALE_MAX : scale;
}

bool canvas_cells(struct canvas *c, int columns, int rows, const struct theme *t)
{
	*c = (struct canvas){
		.w = columns, .h = rows, .cw = 1, .rh = 1, .scale = 1, .theme = t, .clip = {0, 0, columns, rows}};
	if (!sensible(columns, rows, 1))
		return false;
	c->cell = calloc((size_t)columns * rows, sizeof *c->cell);
	return c->cell != NULL;
}

void canvas_free(struct canvas *c)
{
	free(c->pixel);
	free(c->cell);
	c->pixel = NULL;
	c->cell = NULL;
}

struct canvas canvas_doubled(const struct canvas *c)
{
	struct canvas d = *c;
	d.w /= 2;
	d.h /= 2;
	d.scale *= 2;
	d.clip = (struct rect){0, 0, d.w, d.h};
	return d;
}

static struct rect common(struct rect a, struct rect b)
{
	int left = a.x > b.x ? a.x : b.x, top = a.y > b.y ? a.y : b.y;
	int right = a.x + a.w < b.x + b.w ? a.x + a.w : b.x + b.w,
	    bottom = a.y + a.h < b.y + b.h ? a.y + a.h : b.y + b.h;
	return (struct rect){left, top, right > left ? right - left : 0, bottom > top ? bottom - top : 0};
}

struct rect canvas_clip(struct canvas *c, struct rect r)
{
	struct rect before = c->clip;
	c->clip = common(c->clip, r);
	return before;
}

uint32_t canvas_role(const struct canvas *c, enum role r)
{
	return c->theme->role[r];
}

/* ---- SVG ---- */

static void svg_text(struct svg *t, const char *text)
{
	for (; *text; text++)
		if (*text == '<' || *text == '>' || *text == '&' || *text == ' ')
			fputs(*text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : "\u00a0", t->f);
		else
			fputc(*text, t->f);
}

/* Write the pending text, before another shape covers the text. */
static void svg_flush(struct svg *t)
{
	enum { BASELINE = 11 };
	int blanks = (int)strspn(t->text, " "), chars = t->chars - blanks;
	for (; t->n && t->text[t->n - 1] == ' '; chars--)
		t->text[--t->n] = '\0';
	if (chars > 0) {
		fprintf(t->f, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" textLength=\"%d\"%s fill=\"#%06x\">",
			(t->x + blanks * GLYPH_W) * t->scale, (t->y + BASELINE) * t->scale, (GLYPH_H - 1) * t->scale,
			chars * GLYPH_W * t->scale, t->bold ? " font-weight=\"bold\"" : "", t->colour & 0xffffff);
		svg_text(t, t->text + blanks);
		fputs("</text>\n", t->f);
	}
	t->n = 0;
	t->chars = 0;
	t->text[0] = '\0';
}

static void svg_rect(const struct canvas *c, struct rect r, uint32_t colour)
{
	int s = c->scale;
	if (!c->svg || c->dry || r.w <= 0 || r.h <= 0)
		return;
	svg_flush(c->svg);
	fprintf(c->svg->f, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", r.x * s,
		r.y * s, r.w * s, r.h * s, colour & 0xffffff);
}

/* Filled areas lose their text. */
static void forget_text(const struct canvas *c, struct rect r)
{
	for (int y = r.y; y < r.y + r.h; y++)
		memset(c->overlaps->owner + (size_t)y * c->w + r.x, 0, (size_t)r.w * sizeof *c->overlaps->owner);
}

static void fill_pixels(struct canvas *c, struct rect r, uint32_t colour)
{
	int s = c->scale;
	if (c->dry)
		return;
	for (int y = r.y * s; y < (r.y + r.h) * s; y++) {
		uint32_t *row = c->pixel + (size_t)y * c->stride + r.x * s;
		for (int x = 0; x < r.w * s; x++)
			row[x] = colour;
	}
}

void canvas_fill(struct canvas *c, struct rect r, uint32_t colour)
{
	r = common(r, c->clip);
	if (c->overlaps)
		forget_text(c, r);
	if (c->pixel) {
		fill_pixels(c, r, colour);
		svg_rect(c, r, colour);
		return;
	}
	for (int y = r.y; !c->dry && y < r.y + r.h; y++)
		for (int x = r.x; x < r.x + r.w; x++)
			c->cell[(size_t)y * c->w + x] = (struct cell){' ', ink_on(colour), colour, false};
}

/* A range of columns: the first line pixel by pixel, all others as copies of the first line. */
static void columns_pixels(struct canvas *c, struct rect r, const uint32_t *colour)
{
	int s = c->scale, w = r.w * s;
	uint32_t *first = c->pixel + (size_t)r.y * s * c->stride + r.x * s;
	for (int x = 0; x < w; x++)
		first[x] = colour[x / s];
	for (int y = 1; y < r.h * s; y++)
		memcpy(first + (size_t)y * c->stride, first, (size_t)w * sizeof *first);
	for (int x = 0, end; c->svg && !c->dry && x < r.w; x = end) {
		for (end = x + 1; end < r.w && colour[end] == colour[x]; end++)
			;
		svg_rect(c, (struct rect){r.x + x, r.y, end - x, r.h}, colour[x]);
	}
}

void canvas_columns(struct canvas *c, struct rect r, const uint32_t *colour)
{
	struct rect part = common(r, c->clip);
	int end = part.x + part.w, next;
	if (c->dry)
		return;
	colour += part.x - r.x;
	for (int x = part.x; part.h && x < end; colour += next - x, x = next) {
		next = x + 1;
		if (!*colour)
			continue;
		while (c->pixel && next < end && colour[next - x])
			next++;
		if (c->pixel)
			columns_pixels(c, (struct rect){x, part.y, next - x, part.h}, colour);
		else
			canvas_fill(c, (struct rect){x, part.y, 1, part.h}, *colour);
	}
}

void canvas_line_h(struct canvas *c, int x, int y, int w, uint32_t colour)
{
	canvas_fill(c, (struct rect){x, y, w, c->hair}, colour);
}

void canvas_line_v(struct canvas *c, int x, int y, int h, uint32_t colour)
{
	canvas_fill(c, (struct rect){x, y, c->hair, h}, colour);
}

void canvas_ring(struct canvas *c, struct rect r, uint32_t colour)
{
	canvas_line_h(c, r.x, r.y, r.w, colour);
	canvas_line_h(c, r.x, r.y + r.h - c->hair, r.w, colour);
	canvas_line_v(c, r.x, r.y, r.h, colour);
	canvas_line_v(c, r.x + r.w - c->hair, r.y, r.h, colour);
}

/* The lines x + y = 4 n within a rectangle. */
static void svg_stripes(const struct canvas *c, struct rect r, uint32_t colour)
{
	int s = c->scale, right = r.x + r.w, bottom = r.y + r.h;
	svg_flush(c->svg);
	fprintf(c->svg->f, "<path stroke=\"#%06x\" stroke-width=\"%d\" d=\"", colour & 0xffffff, s);
	for (int k = (r.x + r.y + 3) / 4 * 4; k < right + bottom; k += 4) {
		int y0 = k - r.x < bottom ? k - r.x : bottom, x1 = k - r.y < right ? k - r.y : right;
		fprintf(c->svg->f, "M%d %dL%d %d", (k - y0) * s, y0 * s, x1 * s, (k - x1) * s);
	}
	fputs("\"/>\n", c->svg->f);
}

void canvas_hatch(struct canvas *c, struct rect r, uint32_t colour, uint32_t back)
{
	canvas_fill(c, r, back);
	struct rect part = common(r, c->clip);
	for (int y = part.y; c->pixel && y < part.y + part.h; y++)
		for (int x = part.x; x < part.x + part.w; x++)
			if ((x + y) % 4 == 0)
				fill_pixels(c, (struct rect){x, y, 1, 1}, colour);
	if (c->svg && !c->dry && part.w && part.h)
		svg_stripes(c, part, colour);
}

/* ---- text ---- */

static bool inside(const struct rect *r, int x, int y)
{
	return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

/* Note ink of the present text, in units, and the colour below the ink. Block characters are marks, which need less
 * contrast. */
static void note_ink(struct canvas *c, int x, int y, uint32_t colour, uint32_t ground, uint32_t code)
{
	struct overlaps *o = c->overlaps;
	uint16_t *owner = &o->owner[(size_t)y * c->w + x];
	if (colour != o->recent[0] || ground != o->recent[1] || !o->least) {
		o->recent[0] = colour;
		o->recent[1] = ground;
		bool mark = code >= 0x2500 && code < 0x2600;
		double found = contrast(colour, ground) * (mark ? TEXT_CONTRAST / MARK_CONTRAST : 1);
		if (!o->least || found < o->least) {
			o->least = found;
			o->ink = colour;
			o->ground = ground;
		}
	}
	o->found += *owner && *owner != o->texts;
	*owner = o->texts;
}

/* Colours of a text. `over`: without enough contrast to the ground the text is black or white, `there` for the last
 * ground. */
struct ink {
	uint32_t colour;
	bool bold, over;
	uint32_t ground, there;
};

static uint32_t ink_at(struct ink *ink, uint32_t ground)
{
	if (!ink->over)
		return ink->colour;
	if (ground != ink->ground)
		ink->there = contrast(ink->colour, ground) < TEXT_CONTRAST ? ink_on(ground) : ink->colour;
	ink->ground = ground;
	return ink->there;
}

/* A square of n pixels, n at most the pixels of a unit. */
static void put_square(struct canvas *c, int x, int y, int n, struct ink *ink, uint32_t code)
{
	int s = c->scale, unit_x = x / s, unit_y = y / s;
	if (x < 0 || y < 0 || !inside(&c->clip, unit_x, unit_y) ||
	    !inside(&c->clip, (x + n - 1) / s, (y + n - 1) / s))
		return;
	uint32_t *row = c->pixel + (size_t)y * c->stride + x;
	uint32_t colour = ink_at(ink, *row);
	if (c->overlaps)
		note_ink(c, unit_x, unit_y, colour, *row, code);
	for (int j = 0; j < n; j++, row += c->stride)
		for (int i = 0; i < n; i++)
			row[i] = colour;
}

static void put_glyph(struct canvas *c, int x, int y, struct ink *ink, uint32_t code)
{
	struct bitmap b = font_glyph(code, ink->bold, c->scale);
	int left = x * c->scale + b.left_pixels, top = y * c->scale + b.top;
	for (int j = 0; j < b.h && !c->dry; j++)
		for (int i = 0; i < b.w && b.rows[j]; i++)
			if (b.rows[j] >> (b.left_bit - i) & 1)
				put_square(c, left + i * b.times, top + j * b.times, b.times, ink, code);
}

/* Collect neighbouring characters of a row in one text, drawn later. The ground of a character is the shape at the
 * middle of its cell. */
static void svg_put(const struct canvas *c, int x, int y, struct ink *ink, uint32_t code)
{
	struct svg *t = c->svg;
	int middle_x = x + c->cw / 2, middle_y = y + c->rh / 2;
	if (!inside(&c->clip, middle_x, middle_y))
		return;
	uint32_t colour = ink_at(ink, c->pixel[(size_t)middle_y * c->scale * c->stride + middle_x * c->scale]);
	bool follows = t->n && t->y == y && t->x + t->chars * c->cw == x && t->colour == colour &&
		       t->bold == ink->bold && t->scale == c->scale && t->n + UTF8_MAX < sizeof t->text;
	if (!follows) {
		svg_flush(t);
		t->x = x;
		t->y = y;
		t->scale = c->scale;
		t->colour = colour;
		t->bold = ink->bold;
	}
	utf8_put(code, t->text + t->n);
	t->n += strlen(t->text + t->n);
	t->chars++;
}

void svg_begin(struct canvas *c, struct svg *svg, FILE *f, const char *description)
{
	int w = c->w * c->scale, h = c->h * c->scale;
	*svg = (struct svg){.f = f};
	c->svg = svg;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
		"font-family=\"'DejaVu Sans Mono',Menlo,Consolas,monospace\" xml:space=\"preserve\" "
		"shape-rendering=\"crispEdges\">\n<desc>", w, h, w, h);
	svg_text(svg, description);
	fputs("</desc>\n", f);
}

void svg_end(struct canvas *c)
{
	svg_flush(c->svg);
	fputs("</svg>\n", c->svg->f);
	c->svg = NULL;
}

static void put(struct canvas *c, int x, int y, struct ink *ink, uint32_t code)
{
	if (c->pixel) {
		if (c->svg && !c->dry)
			svg_put(c, x, y, ink, code);
		put_glyph(c, x, y + 1, ink, code);
	} else if (!c->dry && inside(&c->clip, x, y)) {
		struct cell *cell = &c->cell[(size_t)y * c->w + x];
		uint32_t colour = ink_at(ink, cell->back);
		if (c->overlaps && code != ' ')
			note_ink(c, x, y, colour, cell->back, code);
		cell->code = code;
		cell->fore = colour;
		cell->bold = ink->bold;
	}
}

int canvas_text_width(const struct canvas *c, const char *text)
{
	return utf8_length(text) * c->cw;
}

int canvas_text(struct canvas *c, int x, int y, int w, uint32_t colour, unsigned flags, const char *text)
{
	int space = w < 0 ? UNITS_MAX : w / c->cw, n = utf8_length(text);
	bool cut = n > space;
	struct ink ink = {.colour = colour, .bold = flags & TEXT_BOLD, .over = flags & TEXT_OVER};
	uint32_t code;
	struct overlaps *o = c->overlaps;
	int before = o ? o->found : 0;
	double least = o ? o->least : 0;
	const char *whole = text;
	if (o)
		o->texts++;
	for (int i = 0; i < space && (code = utf8_next(&text)); i++, x += c->cw)
		put(c, x, y, &ink, cut && i == space - 1 ? 0x2026 : code);
	if (o && !before && o->found)
		snprintf(o->text, sizeof o->text, "%s", whole);
	if (o && o->least != least)
		snprintf(o->faint, sizeof o->faint, "%s", whole);
	return x;
}

int canvas_printf(struct canvas *c, int x, int y, int w, uint32_t colour, unsigned flags, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return canvas_text(c, x, y, w, colour, flags, text);
}

void canvas_right(struct canvas *c, int right, int y, uint32_t colour, unsigned flags, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	canvas_text(c, right - canvas_text_width(c, text), y, -1, colour, flags, text);
}

/* ---- shapes with a meaning ---- */

void canvas_bar(struct canvas *c, struct rect r, double share, uint32_t colour)
{
	uint32_t bar = mark_over(colour, canvas_role(c, ROLE_TROUGH));
	share = share < 0 ? 0 : share > 1 ? 1 : share;
	canvas_fill(c, r, canvas_role(c, ROLE_TROUGH));
	if (c->pixel) {
		int w = (int)lround(share * r.w);
		canvas_fill(c, (struct rect){r.x, r.y, share > 0 && w < 1 ? 1 : w, r.h}, bar);
		return;
	}
	int eighths = (int)lround(share * r.w * 8);
	struct ink ink = {.colour = bar};
	eighths = share > 0 && eighths < 1 ? 1 : eighths;
	for (int i = 0; i < r.w && eighths > 0; i++, eighths -= 8)
		put(c, r.x + i, r.y, &ink, eighths >= 8 ? 0x2588 : 0x2590u - (uint32_t)eighths);
}

static struct rect edge(struct rect r, enum shape s)
{
	int thick_h = r.h >= 9 ? r.h / 3 : r.h >= 3 ? 2 : 1, thick_w = r.w >= 9 ? r.w / 3 : r.w >= 4 ? 2 : 1;
	switch (s) {
	case SHAPE_BOTTOM: return (struct rect){r.x, r.y + r.h - thick_h, r.w, thick_h};
	case SHAPE_TOP: return (struct rect){r.x, r.y, r.w, thick_h};
	case SHAPE_RIGHT: return (struct rect){r.x + r.w - thick_w, r.y, thick_w, r.h};
	case SHAPE_LEFT: return (struct rect){r.x, r.y, r.w - thick_w, r.h};
	default: return (struct rect){r.x + r.w / 2 - 1, r.y + r.h / 2 - 1, 2, 2};
	}
}

/* `marked`: leave out lines across the mark in the tile's middle. */
static void tile_pixels(struct canvas *c, struct rect r, const struct lane_look *look, uint32_t tint, bool marked)
{
	if (look->shape == SHAPE_STRIPES) {
		canvas_hatch(c, r, canvas_role(c, ROLE_HATCH), canvas_role(c, ROLE_PANEL));
		return;
	}
	canvas_fill(c, r, tint);
	if (look->shape == SHAPE_RING) {
		canvas_ring(c, r, look->colour);
		if (r.w > 6)
			canvas_ring(c, (struct rect){r.x + 1, r.y + 1, r.w - 2, r.h - 2}, look->colour);
	} else if (look->shape != SHAPE_SOLID && (look->shape != SHAPE_DOT || marked)) {
		canvas_fill(c, edge(r, look->shape), look->colour);
	}
}

void canvas_tile(struct canvas *c, struct rect r, enum lane_state s, bool letter)
{
	const struct lane_look *look = &lane_looks[s];
	bool faint = look->shape == SHAPE_DOT || look->shape == SHAPE_STRIPES;
	uint32_t panel = canvas_role(c, ROLE_PANEL);
	uint32_t tint = look->shape == SHAPE_SOLID ? look->colour : mix(look->colour, panel, faint ? 0.12 : 0.3);
	int x = r.x + (r.w - c->cw) / 2, y = r.y + (r.h - c->rh) / 2;
	letter = letter && r.w + c->hair >= c->cw && !(c->pixel && look->shape == SHAPE_STRIPES);
	if (c->pixel)
		tile_pixels(c, r, look, tint, !letter);
	else
		canvas_fill(c, r, tint);
	if (letter)
		canvas_text(c, x, y, -1, faint ? canvas_role(c, ROLE_DIM) : ink_on(tint),
			    look->shape == SHAPE_SOLID ? TEXT_BOLD | TEXT_OVER : TEXT_OVER, (char[]){look->letter, 0});
}

void canvas_tip(struct canvas *c, struct rect r, const char *fmt, ...)
{
	va_list ap;
	if (!c->tip)
		return;
	r = common(r, c->clip);
	if (!inside(&r, c->tip->x, c->tip->y))
		return;
	va_start(ap, fmt);
	vsnprintf(c->tip->text, sizeof c->tip->text, fmt, ap);
	va_end(ap);
}

/* FNV-1a over visible pixels or cells. */
static uint64_t hash_in(uint64_t hash, uint32_t seen)
{
	return (hash ^ seen) * 0x100000001b3u;
}

uint64_t canvas_hash(const struct canvas *c)
{
	uint64_t hash = 0xcbf29ce484222325u;
	int w = c->w * c->scale, h = c->h * c->scale;
	for (int y = 0; c->pixel && y < h; y++)
		for (int x = 0; x < w; x++)
			hash = hash_in(hash, c->pixel[(size_t)y * c->stride + x]);
	for (size_t i = 0; c->cell && i < (size_t)w * h; i++)
		hash = hash_in(hash_in(hash_in(hash, c->cell[i].code), c->cell[i].fore), c->cell[i].back);
	return hash;
}

void page_print(const struct canvas *c, FILE *f)
{
	for (int y = 0; y < c->h; y++) {
		int end = c->w;
		while (end && (c->cell[(size_t)y * c->w + end - 1].code | ' ') == ' ')
			end--;
		for (int x = 0; x < end; x++) {
			char text[UTF8_MAX];
			uint32_t code = c->cell[(size_t)y * c->w + x].code;
			utf8_put(code ? code : ' ', text);
			fputs(text, f);
		}
		fputc('\n', f);
	}
}
