/* The commands of command.def: each name has a function do_NAME, found by name in one table for help, completion and
 * the page of keys as well. Commands that move build a struct wb_goal and leave the search to the player. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/view/app.h"
#include "frontends/view/pane.h"
#include "frontends/view/picture.h"

enum { BUDGET = 1 << 20 }; /* issues that one command may walk */

typedef void command_fn(struct app *a, const char *argument);

#define COMMAND(name, arguments, help) static command_fn do_##name;
#include "frontends/view/command.def"
#undef COMMAND

static const struct command {
	const char *name, *arguments, *help;
	command_fn *run;
} commands[] = {
#define COMMAND(name, arguments, help) {#name, arguments, help, do_##name},
#include "frontends/view/command.def"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const char *command_name(unsigned index, const char **arguments, const char **help)
{
	if (index >= COMMANDS)
		return NULL;
	if (arguments)
		*arguments = commands[index].arguments;
	if (help)
		*help = commands[index].help;
	return commands[index].name;
}

void app_command(struct app *a, const char *text)
{
	enum { LONGEST = 600 };         /* a state string with the command before */
	char copy[LONGEST];
	const char *line = copy;
	size_t length = strlen(text), n;
	while (length && text[length - 1] == ' ') /* completion leaves a space behind */
		length--;
	snprintf(copy, sizeof copy, "%.*s", (int)length, text);
	n = strcspn(line, " ");
	app_refresh(a);
	a->view.message[0] = '\0';
	a->dirty = a->stale = true;
	for (unsigned i = 0; i < COMMANDS; i++)
		if (strlen(commands[i].name) == n && !strncmp(commands[i].name, line, n)) {
			line += n;
			commands[i].run(a, line + strspn(line, " "));
			return;
		}
	app_message(a, "there is no command '%.*s'; Tab completes, ? lists the keys", (int)n, line);
}

static bool is(const char *argument, const char *word)
{
	return !strcmp(argument, word);
}

static void report(struct app *a, enum wb_status status, const struct wb_diag *d)
{
	if (status != WB_OK)
		app_message(a, "%s", d->text);
}

/* ---- moving ---- */

static void go(struct app *a, uint64_t issue)
{
	struct wb_diag d;
	a->view.running = false;
	report(a, player_goto(a->player, issue, &d), &d);
}

/* A search that finds nothing stays, unless the end itself has something to say. */
static void forward(struct app *a, const struct wb_goal *g)
{
	struct wb_diag d;
	uint64_t here = a->player->where.issue;
	a->view.running = false;
	if (a->player->where.over) {
		app_message(a, "this is the end");
		return;
	}
	struct wb_goal all = *g;
	all.stops |= WB_STOP_BREAK;
	enum wb_status status = player_forward(a->player, &all, BUDGET, &d);
	report(a, status, &d);
	if (status == WB_OK && a->player->where.stops & WB_STOP_BREAK) {
		app_message_break(a);
	} else if (status == WB_OK && a->player->where.over && (g->stops || g->when)) {
		if (is(a->player->where.result, "ok"))
			go(a, here);
		app_message(a, "none from here on");
	} else if (status == WB_OK && !a->player->where.stops) {
		app_message(a, "not within %d issues; again goes on", BUDGET);
	}
}

static void backward(struct app *a, const struct wb_goal *g)
{
	struct wb_diag d;
	struct wb_goal all = *g;
	a->view.running = false;
	if (!a->player->where.issue) {
		app_message(a, "this is the start");
		return;
	}
	all.stops |= WB_STOP_BREAK;
	enum wb_status status = player_back(a->player, &all, &d);
	report(a, status, &d);
	if (status == WB_OK && a->player->where.stops & WB_STOP_BREAK)
		app_message_break(a);
	else if (status == WB_OK && a->player->where.stops & WB_STOP_START && a->player->where.issue)
		app_message(a, "nothing earlier; Home is the start");
}

/* The pc at the cursor: the selected instruction, else the selected warp's next instruction. */
static bool cursor(struct app *a, uint32_t *pc)
{
	if (a->view.pc < 0 && !a->model.selected) {
		app_message(a, "no instruction is selected");
		return false;
	}
	*pc = a->view.pc >= 0 ? (uint32_t)a->view.pc : a->model.selected->pc;
	return true;
}

/* Walk until a warp is about to execute the instruction at pc. */
static void to_pc(struct app *a, uint32_t pc, bool back)
{
	struct wb_diag d;
	char place[16];
	int id;
	snprintf(place, sizeof place, "%#x", pc);
	enum wb_status status = wb_launch_break(a->player->launch, WB_STOP_BREAK, place, 0, 0, &id, &d);
	report(a, status, &d);
	if (status != WB_OK)
		return;
	(back ? backward : forward)(a, &(struct wb_goal){.stops = WB_STOP_BREAK});
	if (a->player->where.stops & WB_STOP_BREAK && a->player->where.id == id)
		a->view.message[0] = '\0';
	wb_launch_unbreak(a->player->launch, id);
}

static void do_run(struct app *a, const char *argument)
{
	(void)argument;
	a->view.running = !a->view.running && !a->player->where.over;
	a->owed = 0;
	if (a->player->where.over)
		app_message(a, "this is the end; Home goes to the start");
}

/* The goals of step and back. False: `what` names none. */
static bool goal_of(const struct app *a, const char *what, struct wb_goal *g)
{
	static const struct {
		const char *name;
		struct wb_goal goal;
	} goals[] = {{"", {.issues = 1}},
		     {"issue", {.issues = 1}},
		     {"cycle", {.cycles = 1}},
		     {"warp", {.issues = 1, .one_warp = true}},
		     {"divergence", {.stops = WB_STOP_DIVERGED}},
		     {"rejoin", {.stops = WB_STOP_REJOINED}},
		     {"barrier", {.stops = WB_STOP_BARRIER}},
		     {"lock", {.stops = WB_STOP_LOCK}},
		     {"break", {.stops = WB_STOP_BREAK}}};
	const struct wb_warp *w = a->model.selected;
	for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
		if (is(what, goals[i].name)) {
			*g = goals[i].goal;
			g->block = w ? w->block : 0;
			g->warp = w ? w->warp : 0;
			if (!g->one_warp && g->stops != WB_STOP_BREAK)
				app_own(a, g);
			return true;
		}
	*g = (struct wb_goal){.stops = WB_STOP_WHEN, .when = what + 3};
	return !strncmp(what, "if ", 3) && *g->when;
}

static void walk(struct app *a, const char *what, bool back)
{
	struct wb_break first;
	struct wb_goal g;
	uint32_t pc;
	if (is(what, "cursor")) {
		if (cursor(a, &pc))
			to_pc(a, pc, back);
	} else if (!goal_of(a, what, &g)) {
		app_message(a,
			"%s expects issue, cycle, warp, divergence, rejoin, barrier, lock, break, cursor or \"if "
			"CONDITION\"; found '%s'",
			back ? "back" : "step", what);
	} else if (g.stops == WB_STOP_BREAK && !wb_launch_breaks(a->player->launch, 0, &first)) {
		app_message(a, "there are no breakpoints; b sets one at the cursor");
	} else {
		(back ? backward : forward)(a, &g);
	}
}

static void do_step(struct app *a, const char *what)
{
	walk(a, what, false);
}

static void do_back(struct app *a, const char *what)
{
	walk(a, what, true);
}

/* A number, or a label. */
static bool address(struct app *a, const char *text, uint32_t *pc)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);
	*pc = (uint32_t)n;
	if (*text && !*end && model_code(&a->model, *pc))
		return true;
	if (*text && wb_launch_label(a->player->launch, text, pc))
		return true;
	app_message(a, "there is no instruction at '%s'", text);
	return false;
}

static void to_pc_either_way(struct app *a, uint32_t pc)
{
	uint64_t here = a->player->where.issue;
	if (!a->player->where.over)
		to_pc(a, pc, false);
	if (!a->player->where.over && a->player->where.issue != here)
		return;
	go(a, here);
	a->view.message[0] = '\0';
	to_pc(a, pc, true);
}

static void do_until(struct app *a, const char *condition)
{
	char what[LINE + 4];
	snprintf(what, sizeof what, "if %s", *condition ? condition : "");
	walk(a, what, false);
}

static void do_goto(struct app *a, const char *place)
{
	struct wb_diag d;
	char *end;
	uint64_t n = strtoull(place, &end, 0);
	uint32_t pc;
	a->view.running = false;
	if (*place && !*end)
		report(a,
		       n ? player_goto_cycle(a->player, (int)a->model.mp.number, n, &d) : player_goto(a->player, 0, &d),
		       &d);
	else if (!strncmp(place, "issue ", 6))
		go(a, strtoull(place + 6, NULL, 0));
	else if (address(a, strncmp(place, "pc ", 3) ? place : place + 3, &pc))
		to_pc_either_way(a, pc);
}

static void do_start(struct app *a, const char *argument)
{
	(void)argument;
	go(a, 0);
}

static void do_end(struct app *a, const char *argument)
{
	(void)argument;
	if (!a->player->where.over)
		forward(a, &(struct wb_goal){.stops = 0});
}

/* ---- places ---- */

/* "PLACE", "PLACE if EXPRESSION" or "if EXPRESSION"; the same text again removes the breakpoint. */
static void do_break(struct app *a, const char *argument)
{
	struct wb_launch *l = a->player->launch;
	struct wb_break b;
	struct wb_diag d;
	char place[16];
	uint32_t pc;
	int id;
	if (!*argument) {
		if (!cursor(a, &pc))
			return;
		snprintf(place, sizeof place, "%#x", pc);
		argument = place;
	}
	for (unsigned i = 0; wb_launch_breaks(l, i, &b); i++)
		if (!strcmp(b.text, argument)) {
			app_message(a, "breakpoint %d is gone", b.id);
			wb_launch_unbreak(l, b.id);
			return;
		}
	const struct wb_warp *w = a->model.selected;
	enum wb_status status =
		wb_launch_break(l, WB_STOP_BREAK, argument, w ? w->block : 0, w ? w->warp : 0, &id, &d);
	report(a, status, &d);
	if (status != WB_OK)
		return;
	char where[80];
	bool by_line = wb_launch_break_place(l, id, where, sizeof where) > 0;
	app_message(a, by_line ? "breakpoint %d: %s (%s)" : "breakpoint %d: %s%s", id, argument, by_line ? where : "");
}

static void do_breaks(struct app *a, const char *argument)
{
	char list[128] = "";
	size_t n = 0;
	struct wb_break b;
	(void)argument;
	for (unsigned i = 0; wb_launch_breaks(a->player->launch, i, &b) && n < sizeof list; i++)
		n += (size_t)snprintf(list + n, sizeof list - n, "  %d: %s (%llu)", b.id, b.text,
				      (unsigned long long)b.hits);
	app_message(a, *list ? "breakpoints%s" : "no breakpoints%s", list);
}

static void do_mark(struct app *a, const char *argument)
{
	uint64_t here = a->player->where.issue;
	(void)argument;
	for (unsigned i = 0; i < a->nmarks; i++)
		if (a->mark[i] == here) {
			memmove(&a->mark[i], &a->mark[i + 1], (--a->nmarks - i) * sizeof *a->mark);
			app_message(a, "bookmark forgotten");
			return;
		}
	if (a->nmarks == MARKS) {
		app_message(a, "there are %d bookmarks already", MARKS);
		return;
	}
	unsigned at = a->nmarks++;
	for (; at && a->mark[at - 1] > here; at--)
		a->mark[at] = a->mark[at - 1];
	a->mark[at] = here;
	app_message(a, "bookmark %u of %u", at + 1, a->nmarks);
}

static void do_marks(struct app *a, const char *argument)
{
	unsigned at = 0;
	(void)argument;
	if (!a->nmarks) {
		app_message(a, "no bookmarks; k sets one");
		return;
	}
	while (at < a->nmarks && a->mark[at] <= a->player->where.issue)
		at++;
	at %= a->nmarks;
	go(a, a->mark[at]);
	app_message(a, "bookmark %u of %u", at + 1, a->nmarks);
}

/* ---- speed ---- */

static const int speeds[] = {1, 2, 5, 10, 20, 30, 60, 0};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

static void set_speed(struct app *a, int step)
{
	int at = 0;
	while (at < SPEEDS - 1 && speeds[at] != a->view.speed)
		at++;
	at += step;
	at = at < 0 ? 0 : at >= SPEEDS ? SPEEDS - 1 : at;
	a->view.speed = speeds[at];
	if (a->view.speed)
		app_message(a, "%d steps a second", a->view.speed);
	else
		app_message(a, "as fast as possible");
}

static void do_slower(struct app *a, const char *argument)
{
	(void)argument;
	set_speed(a, -1);
}

static void do_faster(struct app *a, const char *argument)
{
	(void)argument;
	set_speed(a, 1);
}

/* ---- panes ---- */

static void do_focus(struct app *a, const char *which)
{
	int step = is(which, "previous") ? PANES - 1 : 1;
	view_focus(&a->view, (enum pane)((a->view.focus + step) % PANES));
}

static void do_pane(struct app *a, const char *name)
{
	enum pane p = pane_find(name);
	if (p == PANES)
		app_message(a, "there is no pane '%s'", name);
	else if (p == PANE_source && a->view.focus == p) /* the same key again: back to the instructions */
		view_focus(&a->view, PANE_annotate);
	else
		view_focus(&a->view, p);
}

static void do_alone(struct app *a, const char *argument)
{
	(void)argument;
	a->view.alone = !a->view.alone;
}

static void select_warp(struct app *a, int step)
{
	const struct model *m = &a->model;
	int at = m->selected ? (int)m->selected->slot : 0;
	for (unsigned i = 0; i < m->mp.nslots; i++) {
		at = (at + step + (int)m->mp.nslots) % (int)m->mp.nslots;
		if (m->mp.present[at]) {
			a->view.slot = at;
			return;
		}
	}
}

static void select_code(struct app *a, int step)
{
	const struct model *m = &a->model;
	uint32_t pc = 0;
	const struct code_row *row = cursor(a, &pc) ? model_code(m, pc) : NULL;
	int at = (row ? (int)(row - m->listing.code) : 0) + step;
	at = at < 0 ? 0 : at >= (int)m->listing.ncode ? (int)m->listing.ncode - 1 : at;
	if (m->listing.ncode)
		a->view.pc = m->listing.code[at].pc;
}

/* Select the next line with instructions. */
static void select_line(struct app *a, int step)
{
	const struct model *m = &a->model;
	int at = model_line(m, &a->view), way = step < 0 ? -1 : 1, left = step < 0 ? -step : step, found = 0;
	for (at += way; left && at >= 1 && at <= m->listing.nlines; at += way)
		if (m->listing.line[at - 1].first_insn >= 0) {
			found = at;
			left--;
		}
	if (found)
		a->view.pc = m->listing.code[m->listing.line[found - 1].first_insn].pc;
}

/* The meaning of up and down depends on the pane: panes with rows to select move the selection, others scroll. */
static void move_rows(struct app *a, int step)
{
	struct view *v = &a->view;
	if (v->help)
		v->scroll[PANE_explain] += step;
	else if (v->focus == PANE_map && (step == 1 || step == -1))
		app_map_move(a, 0, step);
	else if (v->focus == PANE_board || v->focus == PANE_timeline || v->focus == PANE_explain)
		select_warp(a, step < 0 ? -1 : 1);
	else if (v->focus == PANE_annotate)
		select_code(a, step);
	else if (v->focus == PANE_source)
		select_line(a, step);
	else
		v->scroll[v->focus] += step;
	if (v->scroll[v->focus] < 0)
		v->scroll[v->focus] = 0;
	if (v->scroll[PANE_explain] < 0)
		v->scroll[PANE_explain] = 0;
}

static int count_of(const char *argument)
{
	int n = atoi(argument);
	return n > 0 ? n : 1;
}

static void do_up(struct app *a, const char *argument)
{
	move_rows(a, -count_of(argument));
}

static void do_down(struct app *a, const char *argument)
{
	move_rows(a, count_of(argument));
}

/* ---- the timeline ---- */

static void pan(struct app *a, int direction)
{
	struct view *v = &a->view;
	int64_t span = v->zoom > 0 ? 256 >> (v->zoom - 1) : 256ll << -v->zoom;
	int64_t from = v->left_cycle >= 0 ? v->left_cycle
				    : (a->player->where.began ? (int64_t)a->player->where.last.cycle : 0) - 2 * span;
	if (!v->zoom) {
		app_message(a, "all cycles are shown; + zooms in");
		return;
	}
	from += direction * span;
	v->left_cycle = from < 0 ? 0 : from;
}

static void do_left(struct app *a, const char *argument)
{
	(void)argument;
	if (a->view.focus == PANE_map)
		app_map_move(a, -1, 0);
	else
		pan(a, -1);
}

static void do_right(struct app *a, const char *argument)
{
	(void)argument;
	if (a->view.focus == PANE_map)
		app_map_move(a, 1, 0);
	else
		pan(a, 1);
}

/* The zoom that shows nearly the whole run: zooming in begins here. */
static int fitting_zoom(const struct app *a)
{
	uint64_t cycles = a->model.mp.last_cycle - a->model.mp.first_cycle;
	int zoom = 1;
	while (zoom > ZOOM_MIN && (cycles >> (zoom < 0 ? -zoom : 0)) > 1024)
		zoom = zoom == 1 ? -1 : zoom - 1;
	return zoom;
}

static void do_zoom(struct app *a, const char *how)
{
	struct view *v = &a->view;
	int step = is(how, "in") ? 1 : is(how, "out") ? -1 : 0;
	if (!step) {
		v->zoom = 0;
		v->left_cycle = -1;
		return;
	}
	int from = v->zoom ? v->zoom : fitting_zoom(a), to = from + step;
	to = to == 0 ? to + step : to;
	v->zoom = to > ZOOM_MAX ? ZOOM_MAX : to < ZOOM_MIN ? ZOOM_MIN : to;
}

static void do_open(struct app *a, const char *argument)
{
	(void)argument;
	struct view *v = &a->view;
	bool open = a->drawn.w && v->open != OPEN_NO && frame_opened(&a->drawn, &a->model, v);
	v->open = open ? OPEN_NO : OPEN_YES;
	if (v->alone && v->focus != PANE_timeline)
		app_message(a, "the timeline %s the selected warp's lanes; 2 shows it", open ? "hides" : "shows");
}

static void do_colour(struct app *a, const char *name)
{
	for (int i = 0; i < COLOUR_BYS; i++)
		if (is(name, colour_by_name((enum colour_by)i))) {
			a->view.colour = (enum colour_by)i;
			return;
		}
	if (*name)
		app_message(a, "colour is lanes, state, pc, depth or block; found '%s'", name);
	else
		a->view.colour = (enum colour_by)((a->view.colour + 1) % COLOUR_BYS);
}

static void do_heat(struct app *a, const char *name)
{
	enum heat h = *name ? heat_find(name) : (enum heat)((heat_settled(a->view.heat, a->model.costs) + 1) % HEATS);
	if (h == HEATS) {
		app_message(a, "heat is auto, lost, issues or stalls; found '%s'", name);
		return;
	}
	a->view.heat = *name || h ? h : HEAT_LOST;
	app_message(a, "heat: %s", heat_text(heat_settled(a->view.heat, a->model.costs)));
}

static void do_theme(struct app *a, const char *name)
{
	const struct theme *t = theme_find(name);
	if (*name && !t)
		app_message(a, "theme is dark, light, high-contrast or print; found '%s'", name);
	else
		a->view.theme = t ? (int)(t - themes) : (a->view.theme + 1) % THEMES;
}

/* ---- selections ---- */

static bool number_below(const char *text, unsigned limit, unsigned *n)
{
	char *end;
	unsigned long value = strtoul(text, &end, 0);
	*n = (unsigned)value;
	return *text >= '0' && *text <= '9' && !*end && value < limit;
}

static void do_warp(struct app *a, const char *which)
{
	unsigned slot;
	if (is(which, "") || is(which, "next"))
		select_warp(a, 1);
	else if (is(which, "previous"))
		select_warp(a, -1);
	else if (number_below(which, a->model.mp.nslots, &slot))
		a->view.slot = (int)slot;
	else
		app_message(a, "slots are 0 to %u; found '%s'", a->model.mp.nslots - 1, which);
}

/* Show another multiprocessor, at the cycle of the multiprocessor shown before. */
static void show_mp(struct app *a, unsigned mp)
{
	struct wb_diag d;
	bool again = a->mp_issue && a->mp_issue == a->player->where.issue;
	uint64_t cycle = again ? a->mp_cycle : a->model.mp.cycle;
	a->view.mp = (int)mp;
	a->view.running = false;
	if (!again && (!a->model.mp.began || mp == a->model.mp.number))
		return;
	report(a, player_show_mp(a->player, mp, cycle, &d), &d);
	a->mp_issue = a->player->where.issue;
	a->mp_cycle = cycle;
}

static void do_mp(struct app *a, const char *which)
{
	unsigned mps = a->model.machine.mps, n;
	bool next = is(which, "") || is(which, "next"), previous = is(which, "previous");
	if (next || previous)
		n = (a->model.mp.number + (next ? 1 : mps - 1)) % mps;
	else if (!number_below(which, mps, &n)) {
		app_message(a, "multiprocessors are 0 to %u; found '%s'", mps - 1, which);
		return;
	}
	show_mp(a, n);
	if (mps == 1)
		app_message(a, "there is one multiprocessor");
}

static void do_lane(struct app *a, const char *argument)
{
	app_map_command(a, argument);
}

static void do_follow(struct app *a, const char *argument)
{
	(void)argument;
	a->view.mp = -1;
	a->view.slot = -1;
	a->view.pc = -1;
}

static uint64_t waited_at(const struct code_row *row)
{
	uint64_t cycles = 0;
	for (unsigned i = 1; i < wb_stalls() - 1; i++)
		cycles += row->cost.stalls[i];
	return cycles;
}

static uint64_t heat_at(const struct app *a, const struct code_row *row, bool stalls)
{
	return stalls ? waited_at(row) : heat_value(a->model.listing.heat, &row->cost);
}

/* Select the row after the selected row by stalls or by heat; the first if the selection was made in another way, or
 * after the last. *rank counts from 1, *ranks is the number of rows with any. NULL: no row has any. */
static const struct code_row *next_ranked(struct app *a, bool stalls, unsigned *rank, unsigned *ranks)
{
	const struct model *m = &a->model;
	bool goes_on = a->view.pc >= 0 && a->view.pc == a->ranked_pc;
	const struct code_row *now = goes_on ? model_code(m, (uint32_t)a->view.pc) : NULL, *best = NULL;
	for (int pass = 0; pass < 2 && !best; pass++) {
		*rank = *ranks = 0;
		for (unsigned i = 0; i < m->listing.ncode; i++) {
			const struct code_row *row = &m->listing.code[i];
			uint64_t n = heat_at(a, row, stalls), limit = now ? heat_at(a, now, stalls) : UINT64_MAX;
			bool below = n < limit || (n == limit && now && row > now);
			*ranks += n != 0;
			*rank += n && !below;
			if (n && below && (!best || n > heat_at(a, best, stalls)))
				best = row;
		}
		now = NULL;
	}
	++*rank;
	if (best)
		a->view.pc = a->ranked_pc = best->pc;
	return best;
}

/* " (17: while (v != 1)": the line of C of an instruction; of a program in assembly nothing. */
static const char *line_of(char text[80], const struct app *a, int line)
{
	const struct model_listing *l = &a->model.listing;
	text[0] = '\0';
	if (l->compiled && line > 0 && line <= l->nlines) {
		const struct source_row *r = &l->line[line - 1];
		int blanks = (int)strspn(r->text, " \t"), n = r->n > blanks ? r->n - blanks : 0;
		for (n = n < 64 ? n : 64; n > 0 && n < r->n - blanks && (r->text[blanks + n] & 0xc0) == 0x80;)
			n--; /* not within a character */
		snprintf(text, 80, " (%d: %.*s)", line, n, r->text + (n ? blanks : 0));
	}
	return text;
}

static void do_hottest(struct app *a, const char *argument)
{
	unsigned rank, ranks;
	char number[32], where[80];
	const struct code_row *best = next_ranked(a, false, &rank, &ranks);
	(void)argument;
	if (!best)
		return;
	view_focus(&a->view, PANE_annotate);
	app_message(a, "%u of %u: %#x: %s, heat is %s%s", rank, ranks, best->pc,
		    pane_number(number, heat_at(a, best, false)), heat_text(a->model.listing.heat),
		    line_of(where, a, best->line));
}

static void do_stalled(struct app *a, const char *argument)
{
	unsigned rank, ranks, most = 1;
	char words[32], number[32], where[80];
	const struct code_row *best = next_ranked(a, true, &rank, &ranks);
	(void)argument;
	if (!best) {
		app_message(a, "nothing has waited, or the run is without timing");
		return;
	}
	for (unsigned i = 2; i < wb_stalls() - 1; i++)
		most = best->cost.stalls[i] > best->cost.stalls[most] ? i : most;
	view_focus(&a->view, a->view.focus == PANE_source ? PANE_source : PANE_annotate);
	app_message(a, "%u of %u: 0x%x waited %s cycles, mostly for %s: %.80s%s", rank, ranks, best->pc,
		    pane_number(number, waited_at(best)), stall_words(words, most), best->text,
		    line_of(where, a, best->line));
}

static void do_parting(struct app *a, const char *argument)
{
	struct wb_diag d;
	char cycle[32], where[80];
	(void)argument;
	if (!a->model.against) {
		app_message(a, "one run is shown; view A --against B shows two");
		return;
	}
	uint64_t index = model_parting(&a->model);
	if (index == UINT64_MAX) {
		app_message(a, "the two runs are the same, as far as they are recorded");
		return;
	}
	const struct event *e = record_at(&a->player->record, index);
	const struct code_row *code = model_code(&a->model, e->pc);
	a->view.mp = a->model.machine.mps > 1 ? e->mp : a->view.mp;
	a->view.slot = e->slot;
	a->view.pc = e->pc;
	a->view.running = false;
	if (a->view.zoom)
		a->view.left_cycle = -1;
	enum wb_status status = player_goto(a->player, index + 1, &d);
	report(a, status, &d);
	if (status == WB_OK)
		app_message(a, "the runs part at cycle %s: w%u issues 0x%x%s; the same until there",
			    pane_number(cycle, e->cycle), a->model.terms.blocks ? e->warp : e->block, e->pc,
			    line_of(where, a, code ? code->line : 0));
}

static void do_search(struct app *a, const char *text)
{
	const struct model *m = &a->model;
	uint32_t pc = 0;
	const struct code_row *row = cursor(a, &pc) ? model_code(m, pc) : NULL;
	unsigned from = row ? (unsigned)(row - m->listing.code) : 0;
	for (unsigned i = 1; i <= m->listing.ncode && *text; i++) {
		const struct code_row *at = &m->listing.code[(from + i) % m->listing.ncode];
		if (strstr(at->text, text) || (at->label && strstr(at->label, text))) {
			a->view.pc = at->pc;
			view_focus(&a->view, PANE_annotate);
			app_message(a, "%#x: %.100s", at->pc, at->text);
			return;
		}
	}
	app_message(a, "no instruction or label has '%s'", text);
}

static void do_watch(struct app *a, const char *argument)
{
	struct state_place place;
	struct wb_diag d;
	char state[96], name[WATCH_TEXT] = "", format = FORMAT_BY_TYPE;
	if (sscanf(argument, "%23s %c", name, &format) < 1) {
		app_message(a, "watch needs an expression: n, $r3 f, s[0x40]");
		return;
	}
	snprintf(state, sizeof state, "wb1:watch=%s/%c", name, format);
	if (!state_parse(state, &a->view, &place, &d))
		app_message(a, "%s", d.text);
	view_focus(&a->view, PANE_watch);
}

static void do_unwatch(struct app *a, const char *argument)
{
	(void)argument;
	memset(a->view.watch, 0, sizeof a->view.watch);
}

/* ---- the rest ---- */

static void do_state(struct app *a, const char *text)
{
	struct state_place place;
	struct wb_diag d;
	struct view v = a->view;
	view_begin(&v);
	if (!state_parse(text, &v, &place, &d)) {
		app_message(a, "%s", d.text);
		return;
	}
	a->view = v;
	if (place.has_issue)
		report(a, player_goto_place(a->player, place.issue, place.cycle, &d), &d);
	else if (place.has_cycle)
		report(a, player_goto_cycle(a->player, a->view.mp, place.cycle, &d), &d);
}

static void do_export(struct app *a, const char *path)
{
	struct canvas c;
	char state[512];
	struct view v = a->view;
	v.message[0] = '\0';
	v.prompt = NULL;
	v.help = false;
	v.mouse_x = v.mouse_y = -1;
	struct wb_diag d;
	struct wb_output *o = *path ? wb_output_open(path, &d) : NULL;
	FILE *f = o ? fdopen(dup(wb_output_fd(o)), "wb") : NULL;
	if (!f) {
		app_message(a, "cannot write '%s': %s", path,
			    o	    ? strerror(errno)
			    : *path ? d.text
				    : "export wants a file name");
		if (o)
			wb_output_close(o, false, NULL);
		return;
	}
	bool ok = canvas_pixels(&c, 1280, 800, 1, &themes[v.theme]);
	if (ok) {
		frame_draw(&c, &a->model, &v);
		state_format(state, sizeof state, &a->model, &v);
		ok = png_write(f, &c, state);
		canvas_free(&c);
	}
	ok = fclose(f) == 0 && ok;
	ok = wb_output_close(o, ok, NULL) == WB_OK && ok;
	app_message(a, ok ? "written: %s" : "cannot write %s", path);
}

static void do_copy(struct app *a, const char *argument)
{
	char state[512];
	(void)argument;
	state_format(state, sizeof state, &a->model, &a->view);
	bool copied = a->copy && a->copy(a->host, state);
	app_message(a, copied ? "copied: %.140s" : "%.150s", state);
}

static void do_help(struct app *a, const char *argument)
{
	(void)argument;
	a->view.help = !a->view.help;
	a->view.scroll[PANE_explain] = 0;
}

static void do_close(struct app *a, const char *argument)
{
	(void)argument;
	a->view.help = false;
}

static void do_quit(struct app *a, const char *argument)
{
	(void)argument;
	a->quit = true;
}
