/* The map of cost: the instructions that each thread of the launch executed, at the thread's place in the grid or the
 * fragment's place in the picture, from the record of the run; and the history of the selected thread. Threads are
 * numbered by the lanes of all warps. A page has a map of its own, in its report, and none of these functions. */
#ifndef WB_FRONTENDS_VIEW_MAP_H
#define WB_FRONTENDS_VIEW_MAP_H

#include "frontends/view/pane.h"
#include "frontends/view/plane.h"

struct map {
	bool whole;           /* there is a plane, and a count for each lane */
	struct plane plane;
	uint64_t events;      /* counted events of the record */
	uint64_t lanes;       /* of all warps */
	uint32_t *count;      /* instructions by lane */
	uint32_t *pixel;      /* by place: number of the fragment's lane + 1, 0: none; NULL: no fragments */
	uint32_t least, most; /* instructions of a thread */
	uint64_t dearest;     /* a thread with the most */
	/* Issues of the warp of one thread, as indices of the record's events. */
	uint64_t warp;        /* number of the warp + 1 in the launch; 0: none yet */
	uint32_t *issue;
	uint32_t issues, capacity;
};

/* False: the host has no memory. */
bool map_new(struct map **map);
void map_free(struct map *map);
/* The model's map, counted anew after the record has grown; NULL: no map, and `why` says the reason. */
struct map *map_read(const struct model *m, const char **why);
/* Gather the issues of a thread's warp. False: the host has no memory. */
bool map_history(const struct model *m, struct map *map, uint64_t thread);
/* The thread, and the cell in words, at a point of the pane. */
void map_hit(const struct canvas *c, const struct rect *body, const struct model *m, const struct view *v, int x,
	     int y, struct hit *out);
/* The thread of the cell some columns and rows beside the selected thread's cell, as the canvas shows the pane; without
 * a selected thread the dearest. Numbers are 1 higher; 0: no map. */
uint64_t map_beside(const struct canvas *c, const struct model *m, const struct view *v, int columns, int rows);
/* "block 3 warp 1 lane 5". */
const char *map_thread(char text[64], const struct model *m, uint64_t thread);
/* The lane of the selected thread where the thread belongs to a warp; LANES: it does not. */
unsigned map_lane(const struct model *m, const struct view *v, const struct wb_warp *w);

#endif
