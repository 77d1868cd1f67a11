#include "frontends/view/map.h"

#include <stdlib.h>
#include <string.h>

bool map_new(struct map **map)
{
	*map = calloc(1, sizeof **map);
	return *map;
}

void map_free(struct map *map)
{
	if (map) {
		free(map->count);
		free(map->pixel);
		free(map->issue);
	}
	free(map);
}

/* Fragments lie where the picture has them; helpers have no place. */
static bool place_fragments(const struct model *m, struct map *map)
{
	const struct wb_launch *l = m->player->launch;
	struct wb_fragment f;
	uint32_t rect[4];

	if (!wb_launch_rect(l, rect) || (uint64_t)rect[2] * rect[3] > PLANE_THREADS)
		return true;
	map->pixel = calloc((size_t)rect[2] * rect[3] + 1, sizeof *map->pixel);
	if (!map->pixel)
		return false;
	map->plane.cut = false;
	map->plane.w = rect[2];
	map->plane.h = rect[3];
	for (uint32_t i = 0; i < map->lanes; i++)
		if (wb_launch_fragment(l, i, &f) && f.covered && f.x - rect[0] < rect[2] && f.y - rect[1] < rect[3])
			map->pixel[(size_t)(f.y - rect[1]) * rect[2] + (f.x - rect[0])] = i + 1;
	return true;
}

static bool begin(const struct model *m, struct map *map)
{
	if (map->count)
		return true;
	map->lanes = (uint64_t)m->costs->launch.blocks * map->plane.lanes_of_block;
	map->count = calloc(map->lanes + 1, sizeof *map->count);
	return map->count && place_fragments(m, map);
}

static void count(const struct record *r, struct map *map)
{
	const struct plane *p = &map->plane;

	for (; map->events < r->n; map->events++) {
		const struct event *e = record_at(r, map->events);
		uint64_t first = (uint64_t)e->block * p->lanes_of_block + (uint64_t)e->warp * p->l->warp_lanes;
		uint64_t rest = e->flow & WB_FLOW_REJOIN ? 0 : e->executed; /* an arrival executes nothing */
		for (; rest; rest &= rest - 1) {
			uint64_t lane = first + (unsigned)__builtin_ctzll(rest);
			map->count[lane < map->lanes ? lane : map->lanes]++; /* never the last */
		}
	}
}

static int64_t lane_at(const struct map *map, uint32_t x, uint32_t y)
{
	return map->pixel ? (int64_t)map->pixel[(size_t)y * map->plane.w + x] - 1 : plane_lane(&map->plane, x, y);
}

static void find_range(struct map *map)
{
	map->least = UINT32_MAX;
	map->most = 0;
	map->dearest = 0;
	for (uint32_t y = 0; y < map->plane.h; y++)
		for (uint32_t x = 0; x < map->plane.w; x++) {
			int64_t lane = lane_at(map, x, y);
			uint32_t n = lane < 0 ? 0 : map->count[lane];
			if (lane < 0)
				continue;
			map->least = n < map->least ? n : map->least;
			if (n > map->most) {
				map->most = n;
				map->dearest = (uint64_t)lane;
			}
		}
	map->least = map->least > map->most ? map->most : map->least;
}

struct map *map_read(const struct model *m, const char **why)
{
	const struct record *r = &m->player->record;
	struct map *map = m->map;
	bool anew = map->events > r->n || !map->count;

	*why = "Nothing has been issued yet, so nothing has a cost.";
	if (!r->n)
		return NULL;
	*why = "This launch has too many threads for a map: at most 1,048,576.";
	map->whole = map->whole || plane_make(&map->plane, &m->costs->launch, m->machine.warps_per_block);
	map->plane.l = &m->costs->launch;
	if (!map->whole)
		return NULL;
	*why = "out of memory";
	if (!begin(m, map))
		return NULL;
	if (map->events > r->n) {
		memset(map->count, 0, map->lanes * sizeof *map->count);
		map->events = map->warp = 0;
	}
	if (anew || map->events < r->n) {
		map->warp = 0;
		count(r, map);
		find_range(map);
	}
	return map;
}

bool map_history(const struct model *m, struct map *map, uint64_t thread)
{
	const struct record *r = &m->player->record;
	uint64_t block = thread / map->plane.lanes_of_block, warp = thread / m->machine.lanes;
	unsigned in_block = (unsigned)(thread % map->plane.lanes_of_block / m->machine.lanes);

	if (map->warp == warp + 1)
		return true;
	map->warp = 0;
	map->issues = 0;
	for (uint64_t i = 0; i < r->n; i++) {
		const struct event *e = record_at(r, i);
		if (e->block != block || e->warp != in_block)
			continue;
		if (map->issues == map->capacity) {
			uint32_t more = map->capacity ? 2 * map->capacity : 256;
			uint32_t *grown = realloc(map->issue, more * sizeof *grown);
			if (!grown)
				return false;
			map->issue = grown;
			map->capacity = more;
		}
		map->issue[map->issues++] = (uint32_t)i;
	}
	map->warp = warp + 1;
	return true;
}

const char *map_thread(char text[64], const struct model *m, uint64_t thread)
{
	unsigned lanes = m->machine.lanes, warps = m->machine.warps_per_block;
	char warp[32];

	snprintf(text, 64, "%s lane %u",
		 pane_warp_full(warp, m, (uint32_t)(thread / lanes / warps), (uint32_t)(thread / lanes % warps)),
		 (unsigned)(thread % lanes));
	return text;
}

unsigned map_lane(const struct model *m, const struct view *v, const struct wb_warp *w)
{
	uint64_t first = ((uint64_t)w->block * m->machine.warps_per_block + w->warp) * m->machine.lanes;
	uint64_t lane = v->thread > first ? v->thread - 1 - first : LANES;

	return lane < m->machine.lanes ? (unsigned)lane : LANES;
}
