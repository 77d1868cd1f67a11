/* Drawing helpers of the panes. */
#ifndef WB_FRONTENDS_VIEW_PANE_H
#define WB_FRONTENDS_VIEW_PANE_H

#include "frontends/view/view.h"

struct box {
	struct rect title, body; /* body: without padding */
};

#define PANE(id, key, title, shows) \
	void pane_##id(struct canvas *c, const struct box *b, const struct model *m, const struct view *v);
#include "frontends/view/pane.def"
#undef PANE

/* Right-aligned in the title strip: units, range, the warp. A long note is cut from its last " · " on. */
void pane_note(struct canvas *c, const struct box *b, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* A sentence in the middle of an empty pane. */
void pane_empty(struct canvas *c, const struct box *b, const char *text);
/* A text over several rows, broken at blanks, from row y on; returns the y below it. */
int pane_wrap(struct canvas *c, struct rect r, int y, uint32_t colour, unsigned flags, const char *text);
/* The rows of a text broken at `chars` characters. */
int pane_wrapped(const char *text, int chars);
/* The number of n rows to draw in `space` rows; the last drawn row tells the number of hidden rows. */
int pane_rows(int space, int n);
void pane_more(struct canvas *c, const struct rect *body, int y, int hidden, const char *what);
/* "a half-warp", "the groups of 16 lanes": lanes that access a memory together. */
const char *access_groups(const struct wb_access *a, bool several, char *text, size_t size);
/* "MP 2 of 16": the shown multiprocessor. */
const char *pane_mp(char text[24], const struct model *m);
/* A warp for people: "b2 w0", or in full "block 2 warp 0"; in a shader, whose blocks are warps, "w2" and "warp 2". */
const char *pane_warp(char text[32], const struct model *m, uint32_t block, uint32_t warp);
const char *pane_warp_full(char text[32], const struct model *m, uint32_t block, uint32_t warp);
/* 1234567 as "1,234,567"; size ≥ 32. */
const char *pane_number(char text[32], uint64_t n);
/* Colour of a reason of wb_stall_name, equal in every pane, with contrast to the theme's panes. */
uint32_t stall_colour(const struct theme *t, unsigned reason);
/* A reason's name for people: "not selected". */
const char *stall_words(char text[32], unsigned reason);
/* A mask as ticks, a tick a lane, in at most w units; returns the width. */
int pane_ticks(struct canvas *c, struct rect r, uint64_t mask, unsigned lanes, uint32_t colour);
/* The letter of a part of a bar: in its middle, or in all its cells. */
void pane_letter(struct canvas *c, struct rect r, uint32_t colour, const char *letter);
/* Tile, letter and name of states, from x on; stops at `right`. */
int pane_legend(struct canvas *c, int x, int y, int right, enum lane_state s);

/* The same of the source. */
void source_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
		int y, struct hit *out);
/* A slot's warp at the present cycle in words: action, or wait with start and cause; false: nothing. */
bool timeline_why(const struct model *m, unsigned slot, char *text, size_t size);
/* The object at a point of the timeline in words, and the selection of a click. */
void timeline_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
		  int y, struct hit *out);
/* First visible rows of listing and board, also for the mouse. */
int annotate_first(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v);
int board_row(const struct canvas *c, const struct rect *body, const struct model *m); /* height */
/* y: in its warp's row; LANES: none */
unsigned board_lane(const struct canvas *c, const struct rect *body, const struct model *m, int x, int y);
/* The object at a point of the stack or of shared memory in words; false: nothing. */
bool stack_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int y,
	       char *text, size_t size);
/* The state of a fragment program's lane under the mouse, and its pixel. */
enum lane_state board_state(const struct model *m, const struct wb_warp *w, unsigned lane);
void board_fragment(const struct model *m, const struct wb_warp *w, unsigned lane, char *text, size_t size);
/* The pixels finished by a fragment program, and the selected warp (pane_board_picture.c). */
int board_picture_width(const struct canvas *c, const struct rect *body, const struct model *m);
void board_picture(struct canvas *c, struct rect r, const struct model *m);
int board_first(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v);
/* Why fewer warps were resident on average than fit, without a capital and a full stop; false: as many as fit were, or
 * no average is known. */
bool occupancy_why(const struct wb_report *r, char *text, size_t size);
/* The sentence about the last step; also in the terminal and at the prompt. */
void explain_text(char *text, size_t size, const struct model *m);

#endif
