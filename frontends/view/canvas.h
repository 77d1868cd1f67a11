/* Where panes are drawn: pixels for the window and for pictures, or character cells for a terminal. Coordinates are
 * units of the canvas: unscaled pixels, or cells; panes take their measures from `cw` and `rh`, so that the same code
 * serves both. Drawing is clipped, and is the same bytes for the same calls on every machine. */
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

/* over: on marks of several colours; what does not stand out in its own is black or white. */
enum { TEXT_BOLD = 1, TEXT_OVER = 2 };

struct cell {
	uint32_t code; /* 0: the right part of nothing, drawn as a blank */
	uint32_t fore, back;
	bool bold;
};

/* Elements of an SVG picture whose units are pixels, and the text that the next character may belong to. */
struct svg {
	FILE *f;
	int x, y, scale, chars;
	uint32_t colour;
	bool bold;
	size_t n;
	char text[512];
};

/* What the mouse is on, in words: the last that is said of it while a picture is drawn. */
struct tip {
	int x, y;
	char text[200];
};
/* For tests: text that is drawn over text, and text that does not stand out from what is behind it. */
struct overlaps {
	uint16_t *owner; /* w by h: which text has ink there; 0: none */
	uint16_t texts;
	int found;
	char text[64]; /* the first that is drawn over another */
	double least;  /* contrast of ink and ground; 0: no text yet */
	char faint[64]; /* its text */
	uint32_t ink, ground; /* its colours */
	uint32_t last[2];     /* the last colours: most pixels have those again */
};

struct canvas {
	int w, h;          /* in units */
	int cw, rh;        /* width of a character, height of a row of text */
	int pad;           /* between a pane's edge and its content */
	int hair;          /* thickness of a hairline: 0 where cells are too coarse for one */
	int scale;         /* pixels of a unit */
	int stride;        /* pixels of a line in memory: at least w × scale */
	uint32_t *pixel;   /* ARGB, w × scale by h × scale, or NULL */
	struct cell *cell; /* w by h, or NULL */
	struct rect clip;
	const struct theme *theme;
	struct svg *svg;   /* beside pixels: where what is drawn is written as elements of an SVG picture; or NULL */
	bool dry;                  /* nothing is drawn: for tips alone */
	struct tip *tip;           /* NULL: not asked for */
	struct overlaps *overlaps; /* likewise */
};

/* False: the host has no memory, or the size is not sensible. */
bool canvas_pixels(struct canvas *c, int width, int height, int scale, const struct theme *t);
/* The same on pixels of the caller's, `stride` of them a line: not to be freed. */
bool canvas_onto(struct canvas *c, uint32_t *pixel, int stride, int width, int height, int scale,
		 const struct theme *t);
/* The scale at which a picture of that many pixels can be read from a chair. */
int canvas_scale(int width, int height);
bool canvas_cells(struct canvas *c, int columns, int rows, const struct theme *t);
void canvas_free(struct canvas *c);
/* The same pixels in units of twice the size: not to be freed. */
struct canvas canvas_doubled(const struct canvas *c);

/* Narrow the clip to what it has in common with r; returns the clip before, to be put back. */
struct rect canvas_clip(struct canvas *c, struct rect r);
uint32_t canvas_role(const struct canvas *c, enum role r);

void canvas_fill(struct canvas *c, struct rect r, uint32_t colour);
/* A rectangle whose columns have a colour each, colour[0] … colour[r.w − 1]; 0: what is there stays. */
void canvas_columns(struct canvas *c, struct rect r, const uint32_t *colour);
/* Lines of one hairline; nothing on cells. */
void canvas_line_h(struct canvas *c, int x, int y, int w, uint32_t colour);
void canvas_line_v(struct canvas *c, int x, int y, int h, uint32_t colour);
void canvas_ring(struct canvas *c, struct rect r, uint32_t colour);
/* Diagonal stripes. */
void canvas_hatch(struct canvas *c, struct rect r, uint32_t colour, uint32_t back);

/* One row of text in at most w units from x (w < 0: as it comes), cut with an ellipsis; returns the x behind it. */
int canvas_text(struct canvas *c, int x, int y, int w, uint32_t colour, unsigned flags, const char *text);
int canvas_printf(struct canvas *c, int x, int y, int w, uint32_t colour, unsigned flags, const char *fmt, ...)
	__attribute__((format(printf, 7, 8)));
/* The same so that it ends at `right`. */
void canvas_right(struct canvas *c, int right, int y, uint32_t colour, unsigned flags, const char *fmt, ...)
	__attribute__((format(printf, 6, 7)));
int canvas_text_width(const struct canvas *c, const char *text);

/* A bar that fills `share` (0 … 1) of a row's rectangle; anything above 0 shows. */
void canvas_bar(struct canvas *c, struct rect r, double share, uint32_t colour);
/* A lane: its state's colour and shape, and its letter where it fits. */
void canvas_tile(struct canvas *c, struct rect r, enum lane_state s, bool letter);

/* Say what a rectangle shows, for the mouse. */
void canvas_tip(struct canvas *c, struct rect r, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A hash of what is drawn, for tests. */
uint64_t canvas_hash(const struct canvas *c);

/* Write the picture that a canvas begins with what is drawn from now on; a text for programs that read it. */
void svg_begin(struct canvas *c, struct svg *svg, FILE *f, const char *description);
void svg_end(struct canvas *c);

/* The cells as lines of UTF-8, without blanks at their ends. */
void page_print(const struct canvas *c, FILE *f);

#endif
