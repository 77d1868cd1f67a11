/* The surface of all panes: pixels for the window and for pictures, or character cells for a terminal. Coordinates are
 * units of the canvas: unscaled pixels, or cells; panes take their measures from `cw` and `rh`, so that one code serves
 * both. Drawing is clipped, and equal calls give equal bytes on every machine. */
#ifndef WB_FRONTENDS_VIEW_CANVAS_H
#define WB_FRONTENDS_VIEW_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "frontends/view/theme.h"

struct rect {
	int x, y, w, h;
};

/* over: text on marks of several colours, black or white where its own colour has too little contrast */
enum { TEXT_BOLD = 1, TEXT_OVER = 2 };

struct cell {
	uint32_t code; /* code point; 0: drawn as a blank */
	uint32_t fore, back;
	bool bold;
};

/* Elements of an SVG picture in pixels, and the text to append the next character to. */
struct svg {
	FILE *f;
	int x, y, scale, chars;
	uint32_t colour;
	bool bold;
	size_t n;
	char text[512];
};

/* The object under the mouse, in words: the last tip of a picture. */
struct tip {
	int x, y;
	char text[200];
};
/* For tests: text drawn over text, and text with too little contrast to its ground. */
struct overlaps {
	uint16_t *owner; /* w by h: number of the text with ink at the unit; 0: none */
	uint16_t texts;
	int found;
	char text[64]; /* the first text drawn over another */
	double least;  /* least contrast of ink and ground; 0: no text yet */
	char faint[64]; /* text of the least contrast */
	uint32_t ink, ground; /* colours of the least contrast */
	uint32_t recent[2];   /* previous colours: most pixels repeat the pair */
};

struct canvas {
	int w, h;          /* in units */
	int cw, rh;        /* width of a character, height of a row of text */
	int pad;           /* between a pane's edge and its content */
	int hair;          /* thickness of a hairline; 0 on cells */
	int scale;         /* pixels of a unit */
	int stride;        /* pixels of a line in memory: at least w × scale */
	uint32_t *pixel;   /* ARGB, w × scale by h × scale, or NULL */
	struct cell *cell; /* w by h, or NULL */
	struct rect clip;
	const struct theme *theme;
	struct svg *svg;   /* output of SVG elements, beside pixels; NULL: none */
	bool dry;                  /* draw nothing: for tips alone */
	struct tip *tip;           /* NULL: no tip wanted */
	struct overlaps *overlaps; /* NULL: no search for overlaps */
};

/* False: the host has no memory, or the size is not sensible. */
bool canvas_pixels(struct canvas *c, int width, int height, int scale, const struct theme *t);
/* A canvas on the caller's pixels, `stride` pixels a line: not to be freed. */
bool canvas_onto(struct canvas *c, uint32_t *pixel, int stride, int width, int height, int scale,
		 const struct theme *t);
/* The scale at which a picture of this size in pixels is readable from a chair. */
int canvas_scale(int width, int height);
bool canvas_cells(struct canvas *c, int columns, int rows, const struct theme *t);
void canvas_free(struct canvas *c);
/* The same pixels in units of twice the size: not to be freed. */
struct canvas canvas_doubled(const struct canvas *c);

/* Narrow the clip to its intersection with r; returns the old clip, to be restored. */
struct rect canvas_clip(struct canvas *c, struct rect r);
uint32_t canvas_role(const struct canvas *c, enum role r);

void canvas_fill(struct canvas *c, struct rect r, uint32_t colour);
/* A rectangle with a colour for each column, colour[0] … colour[r.w − 1]; 0: unchanged. */
void canvas_columns(struct canvas *c, struct rect r, const uint32_t *colour);
/* Lines of a hairline's thickness; nothing on cells. */
void canvas_line_h(struct canvas *c, int x, int y, int w, uint32_t colour);
void canvas_line_v(struct canvas *c, int x, int y, int h, uint32_t colour);
void canvas_ring(struct canvas *c, struct rect r, uint32_t colour);
/* Diagonal stripes. */
void canvas_hatch(struct canvas *c, struct rect r, uint32_t colour, uint32_t back);

/* A row of text in at most w units from x (w < 0: no limit), cut with an ellipsis; returns the x behind the text. */
int canvas_text(struct canvas *c, int x, int y, int w, uint32_t colour, unsigned flags, const char *text);
int canvas_printf(struct canvas *c, int x, int y, int w, uint32_t colour, unsigned flags, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
/* A row of text that ends at `right`. */
void canvas_right(struct canvas *c, int right, int y, uint32_t colour, unsigned flags, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
int canvas_text_width(const struct canvas *c, const char *text);

/* A bar that fills `share` (0 … 1) of a row's rectangle; any share above 0 is visible. */
void canvas_bar(struct canvas *c, struct rect r, double share, uint32_t colour);
/* A lane: its state's colour and shape, and its letter if the tile is large enough. */
void canvas_tile(struct canvas *c, struct rect r, enum lane_state s, bool letter);

/* Set the tip of a rectangle, for the mouse. */
void canvas_tip(struct canvas *c, struct rect r, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A hash of the picture, for tests. */
uint64_t canvas_hash(const struct canvas *c);

/* Begin an SVG picture of all later drawing; `description` is text for screen readers. */
void svg_begin(struct canvas *c, struct svg *svg, FILE *f, const char *description);
void svg_end(struct canvas *c);

/* The cells as lines of UTF-8, without blanks at their ends. */
void page_print(const struct canvas *c, FILE *f);

#endif
