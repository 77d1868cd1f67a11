/* Colours by role, and how lane states look. */
#ifndef WB_FRONTENDS_VIEW_THEME_H
#define WB_FRONTENDS_VIEW_THEME_H

#include <stdbool.h>
#include <stdint.h>

enum role {
#define ROLE(id, dark, light, contrast, print) ROLE_##id,
#include "frontends/view/theme.def"
#undef ROLE
	ROLES
};

struct theme {
	const char *name;
	uint32_t role[ROLES]; /* ARGB */
};

enum { THEMES = 4, RAMP = 33 };

/* dark, light, high-contrast, print. */
extern const struct theme themes[THEMES];
/* NULL: unknown name. */
const struct theme *theme_find(const char *name);

enum lane_state {
#define STATE(id, letter, colour, shape, name, text) LANE_##id,
#include "frontends/view/state.def"
#undef STATE
	LANE_STATES
};

enum shape { SHAPE_SOLID, SHAPE_BOTTOM, SHAPE_RING, SHAPE_TOP, SHAPE_RIGHT, SHAPE_LEFT, SHAPE_DOT, SHAPE_STRIPES };

struct lane_look {
	char letter;
	uint32_t colour; /* ARGB */
	enum shape shape;
	const char *name, *text;
};
extern const struct lane_look lane_looks[LANE_STATES];

/* Waits of a warp as a whole: colours of frames and of the timeline. */
#define COLOUR_BARRIER 0xffd55e00u
#define COLOUR_LOCK 0xfff0e442u

/* A quantity from 0 to 1 on the cividis ramp in 33 steps. */
uint32_t ramp_colour(double share);
/* `share` of a over b. */
uint32_t mix(uint32_t a, uint32_t b, double share);
/* Black or white, whichever reads better on a colour. */
uint32_t ink_on(uint32_t colour);
/* Relative luminance, 0 … 1 (WCAG 2). */
double luminance(uint32_t colour);
/* Contrast of two colours, 1 … 21 (WCAG 2). */
double contrast(uint32_t a, uint32_t b);
/* A colour, made darker or lighter until distinct from the grounds of a theme's marks: a pane, and a selection in a
 * pane. */
enum { MARK_CONTRAST = 3 }; /* WCAG 2.1, 1.4.11: of graphics required for understanding */
uint32_t mark_on(const struct theme *t, uint32_t colour);
/* As mark_on, over a single colour. */
uint32_t mark_over(uint32_t colour, uint32_t ground);
/* The same of a text in a pane. */
#define TEXT_CONTRAST 4.5 /* WCAG 2.1, 1.4.3 */
uint32_t text_on(const struct theme *t, uint32_t colour);

#endif
