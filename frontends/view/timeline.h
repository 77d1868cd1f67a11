/* The timeline in parts: where things are, what each column holds, how it is drawn, what the mouse finds there. */
#ifndef WB_FRONTENDS_VIEW_TIMELINE_H
#define WB_FRONTENDS_VIEW_TIMELINE_H

#include "frontends/view/pane.h"

struct time_axis {
	struct rect map, lanes, warps; /* the whole run, all warps together; of no height where they are not shown */
	struct rect plot;              /* the warps' rows */
	uint64_t left;          /* cycle at plot.x */
	double per_unit;        /* cycles a unit */
	int row_h, rows, first; /* of a warp; first: slot of the first row */
	int open_slot, lane_h;
};
void timeline_axis(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v,
		   struct time_axis *out);
/* Units from plot.x on. */
int timeline_unit(const struct time_axis *a, uint64_t cycle);
/* The first cycle that is known, and the last one with what an issue takes of it; of two runs those of both. */
uint64_t timeline_first(const struct model *m);
uint64_t timeline_end(const struct model *m);
/* Where the two runs are that are compared. */
void timeline_halves(const struct canvas *c, const struct rect *body, struct rect half[2]);

enum { MARKED = 1 << 8 }; /* in tally.flow: one of the issues is of the selected instruction */

/* A column of all warps together. */
struct total {
	float cycles;       /* that the column stands for */
	float lanes;        /* executing in one of them */
	float issuing;      /* warps, on the average; */
	float wait[WAITS];  /* and those that wait, by reason */
};

struct columns {
	const struct tally *cell;  /* nslots rows of plot.w */
	const struct total *total; /* plot.w */
	const float *map;          /* map.w: lanes a cycle over the whole run; NULL: there is no map */
	uint32_t *colour;          /* plot.w, of a strip that is being drawn */
};
/* Gathered once for pictures that show the same part of a record; false: nothing is recorded, or the host has no
 * memory. */
bool timeline_columns(const struct time_axis *a, const struct model *m, const struct view *v, struct columns *out);

/* Colours of a picture, made once: bars and ribbons stand out from the pane and from what is selected in it. looks[0]:
 * of what has happened; [1]: of what has not. */
enum { WHEEL = 5 };
struct looks {
	uint32_t ramp[RAMP], wheel[WHEEL], off, predicated, issued, split, rejoin, marked;
	uint32_t wait[WAITS], tint[WAITS]; /* of ribbons; behind bars */
};
void timeline_looks(const struct theme *t, struct looks looks[2]);

/* The wait that ends with an event, or, with an index of record.n, in which the slot's warp stands at the end of what
 * is known: its pieces in time. */
struct wait_piece {
	uint64_t from, to;
	unsigned reason; /* of wb_stall_name */
};
unsigned timeline_waits(const struct model *m, uint64_t index, unsigned slot, struct wait_piece out[WAITS]);

#endif
