/* Selections in the map of cost: a cell's thread, and the way to the thread's warp. */
#include <stdio.h>

#include "frontends/view/app.h"
#include "frontends/view/map.h"

void app_map_move(struct app *a, int columns, int rows)
{
	uint64_t thread = a->drawn.w ? map_beside(&a->drawn, &a->model, &a->view, columns, rows) : 0;

	if (!thread)
		return;
	a->view.thread = thread;
	a->view.scroll[PANE_map] = 0;
}

/* Select the warp of the selected thread; a warp that is not resident is shown at its first issue. */
static void go(struct app *a, struct map *map)
{
	struct model *m = &a->model;
	struct wb_warp w;
	struct wb_diag d;
	char name[64];
	uint64_t thread = a->view.thread - 1;

	map_thread(name, m, thread);
	if (!map_history(m, map, thread) || !map->issues) {
		app_message(a, "%s has issued nothing in this record", name);
		return;
	}
	const struct event *e = record_at(&a->player->record, map->issue[0]);
	a->view.mp = m->machine.mps > 1 ? e->mp : a->view.mp;
	a->view.slot = e->slot;
	a->view.scroll[PANE_map] = 0;
	a->stale = true;
	if (wb_launch_warp(a->player->launch, e->mp, e->slot, &w) && w.block == e->block && w.warp == e->warp) {
		app_message(a, "%s is selected", name);
		return;
	}
	a->view.running = false;
	if (player_goto(a->player, map->issue[0] + UINT64_C(1), &d) == WB_OK)
		app_message(a, "%s, at the first issue of its warp", name);
	else
		app_message(a, "%s", d.text);
}

void app_map_press(struct app *a, uint64_t thread)
{
	const char *why;
	struct map *map = map_read(&a->model, &why);

	if (!map || !thread)
		return;
	a->view.thread = thread;
	go(a, map);
}

void app_map_command(struct app *a, const char *argument)
{
	const char *why;
	struct map *map = map_read(&a->model, &why);
	unsigned block, thread;
	char behind;

	if (!map) {
		app_message(a, "%s", why);
	} else if (*argument) {
		if (sscanf(argument, "%u %u %c", &block, &thread, &behind) != 2 ||
		    block >= a->model.costs->launch.blocks || thread >= map->plane.threads) {
			app_message(a, "lane wants a block, 0 to %u, and a thread of it, 0 to %u; found '%s'",
				    a->model.costs->launch.blocks - 1, map->plane.threads - 1, argument);
			return;
		}
		app_map_press(a, (uint64_t)block * map->plane.lanes_of_block + thread + 1);
	} else if (a->view.focus == PANE_map || a->view.thread) {
		app_map_press(a, a->view.thread ? a->view.thread : map->dearest + 1);
	}
}
