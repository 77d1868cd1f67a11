/* The timeline in parts: layout, contents of each column, drawing, tips for the mouse. */
#ifndef WB_FRONTENDS_VIEW_TIMELINE_H
#define WB_FRONTENDS_VIEW_TIMELINE_H

#include "frontends/view/pane.h"

struct time_axis {
	struct rect map, lanes, warps; /* strips of the whole run, of an open warp's lanes, of all warps together;
				        * height 0: not shown */
	struct rect plot;              /* the warps' rows */
	uint64_t left_cycle;    /* cycle at plot.x */
	double per_unit;        /* cycles a unit */
	int row_h, rows, first_slot; /* of a warp; first_slot: slot of the first row */
	int open_slot, lane_h;
};
void timeline_axis(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v,
		   struct time_axis *out);
/* Units from plot.x on. */
int timeline_unit(const struct time_axis *a, uint64_t cycle);
/* The first recorded cycle, and the last cycle with its issue's length; of two runs the extremes of both. */
uint64_t timeline_first(const struct model *m);
uint64_t timeline_end(const struct model *m);
/* Rectangles of the two compared runs. */
void timeline_halves(const struct canvas *c, const struct rect *body, struct rect half[2]);

enum { MARKED = 1 << 7 }; /* in tally.flow: the selected instruction issued in the span */
_Static_assert(MARKED < 1 << TALLY_FLOW, "tally.flow has a bit for MARKED");

/* A column of all warps together. */
struct total {
	float cycles;       /* cycles of the column */
	float lanes;        /* executing lanes in a cycle */
	float issuing;      /* issuing warps in a cycle, on average */
	float wait[WAITS];  /* waiting warps in a cycle, by reason */
};

struct columns {
	const struct tally *cell;  /* nslots rows of plot.w */
	const struct total *total; /* plot.w */
	const float *map;          /* map.w: lanes a cycle over the whole run; NULL: no map */
	uint32_t *colour;          /* plot.w, of the present strip */
};
/* Gather the columns once for all pictures of the same part of a record; false: an empty record, or no memory. */
bool timeline_columns(const struct time_axis *a, const struct model *m, const struct view *v, struct columns *out);

/* Colours of a picture, made once: bars and ribbons have contrast to the pane and to the selection. looks[0]: up to the
 * position; [1]: beyond. */
enum { WHEEL = 5 };
struct looks {
	uint32_t ramp[RAMP], wheel[WHEEL], off, predicated, issued, split, rejoin, marked;
	uint32_t wait[WAITS], tint[WAITS]; /* of ribbons; behind bars */
};
void timeline_looks(const struct theme *t, struct looks looks[2]);

/* The wait that ends with an event, or, with index record.n, the slot's wait at the end of the record: its pieces in
 * time. */
struct wait_piece {
	uint64_t from, to;
	unsigned reason; /* for wb_stall_name */
};
unsigned timeline_waits(const struct model *m, uint64_t index, unsigned slot, struct wait_piece out[WAITS]);

#endif
