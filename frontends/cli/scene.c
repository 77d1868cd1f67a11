/* Options become settings of a state string, so that shot, view and tui share the parser of view/view.h. A program is
 * launched twice: once to be run and recorded, for totals and the timeline, and once to be stepped, from the start to
 * the wanted cycle or issue. */
#include "frontends/cli/scene.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/cli/wait.h"

/* Watches come with their pane in front, unless a state says which pane is. */
static bool add_watches(const struct cli *c, struct view *v)
{
	const char *text;
	struct wb_diag d;
	struct state_place place;
	for (size_t at = 0; (text = cli_next(c, "watch", &at));) {
		char state[128];
		snprintf(state, sizeof state, "wb1:watch=%s", text);
		if (!state_parse(state, v, &place, &d)) {
			complain_diag(&d);
			return false;
		}
		v->front[0] = cli_value(c, "state") ? v->front[0] : PANE_watch;
	}
	return true;
}

static bool read_view(const struct cli *c, struct view *v, struct state_place *place)
{
	struct wb_diag d;
	const char *state = cli_value(c, "state"), *pane = cli_value(c, "pane"), *theme = cli_value(c, "theme");
	char text[160];
	struct state_place none;
	if (state && !state_parse(state, v, place, &d)) {
		complain_diag(&d);
		return false;
	}
	if (pane) {
		snprintf(text, sizeof text, "wb1:pane=%s;alone=1", pane);
		if (!state_parse(text, v, &none, &d)) {
			complain_diag(&d);
			return false;
		}
	}
	if (cli_given(c, "theme")) {
		snprintf(text, sizeof text, "wb1:theme=%s", theme);
		if (!state_parse(text, v, &none, &d)) {
			complain_diag(&d);
			return false;
		}
	}
	return add_watches(c, v);
}

bool scene_scale(const struct cli *c, int *scale)
{
	enum { MOST = 8 };
	const char *text = cli_value(c, "scale");
	unsigned long n;
	*scale = 0;
	if (!strcmp(text, "auto"))
		return true;
	if (!cli_number(c, "scale", MOST, &n))
		return false;
	*scale = (int)n;
	if (!n)
		complain(WB_USAGE, "option '--scale' expects a number from 1 to %d, or auto; found '%s'", MOST, text);
	return n > 0;
}

static enum wb_status go(struct scene *s, const struct cli *c, const struct state_place *place, struct wb_diag *d)
{
	struct player *p = &s->player;
	unsigned long cycle = 0;
	bool at = cli_given(c, "at");
	if (at && !cli_number(c, "at", UINT32_MAX, &cycle))
		return WB_USAGE;
	if (!at && place->has_issue)
		return player_goto_place(p, place->issue, place->cycle, d);
	if (!at && !place->has_cycle)
		return player_goto(p, player_interesting(p), d);
	cycle = at ? cycle : place->cycle;
	enum wb_status status = cycle ? player_goto_cycle(p, s->view.mp, cycle, d) : player_goto(p, 0, d);
	if (status == WB_OK && p->where.over && p->where.last.cycle < cycle && !c->quiet)
		fprintf(stderr, "warpbeam: cycle %lu is past the end; this is the last, %llu\n", cycle,
			(unsigned long long)p->where.last.cycle);
	return status;
}

struct surveying {
	struct player *player;
	enum wb_status status;
	struct wb_diag *diag;
};

static void survey_player(void *context)
{
	struct surveying *s = context;
	s->status = player_survey(s->player, RECORD_MAX, s->diag);
}

/* Load, and run the program once. */
static enum wb_status survey(struct scene *s, const struct cli *c, const char *path, struct wb_diag *d)
{
	if (!session_load(&s->session, path, c->config) || !session_wants_causes(&s->session, c->config) ||
	    !session_launch(&s->session, cli_value(c, "kernel"), c->config, s->args) || !session_rewind(&s->session, c))
		return s->session.status;
	enum wb_status status = wb_launch_prepare(s->session.launch, d);
	if (status != WB_OK)
		return complain_diag(d);
	struct wb_launch *recorded = session_again(&s->session);
	if (!recorded)
		return s->session.status;
	status = player_begin(&s->player, s->session.launch, recorded, d);
	s->session.launch = NULL; /* the player's now */
	struct surveying work = {.player = &s->player, .status = status, .diag = d};
	const struct waiting shown = {.what = s->view.title, .theme = theme_find(cli_value(c, "theme")),
		.launch = recorded, .most = RECORD_MAX, .work = survey_player, .context = &work};
	if (status == WB_OK && s->host)
		s->abandoned = !wait_shown(s->host, &shown);
	else if (status == WB_OK)
		session_beside(&s->session, c, recorded, RECORD_MAX, survey_player, &work);
	return s->abandoned ? WB_INTERRUPTED : work.status == WB_OK ? WB_OK : complain_diag(d);
}

/* Explain has the advice at the end of the run. */
static void advise(struct scene *s)
{
	struct advice a[ADVICE_MOST];
	unsigned n = s->player.whole.known ? advice_of(s->player.whole.report, a) : 0;

	for (unsigned i = 0; i < n; i++) {
		snprintf(s->advice[i], sizeof s->advice[i], "Up to %.0f %% of the %s: %s; %s.", 100 * a[i].gain,
			 a[i].of, a[i].cause, a[i].remedy);
		s->view.advice[i] = s->advice[i];
	}
}

/* Open the run for comparison. */
static enum wb_status open_against(struct scene *s, const struct cli *c, const char *path)
{
	struct wb_diag d;
	const char *name = strrchr(path, '/');
	s->against = calloc(1, sizeof *s->against);
	if (!s->against)
		return complain(WB_ENV, "out of memory");
	s->view.against = name ? name + 1 : path;
	s->against->session.vertices = cli_value(c, "in");
	s->against->args = cli_list(c, "arg");
	enum wb_status status = survey(s->against, c, path, &d);
	if (status == WB_OK && !model_open(&s->against->model, &s->against->player))
		return complain(WB_ENV, "out of memory");
	return status;
}

/* A watch with a value nowhere, as its name is none of the program, is a mistake; a variable out of scope is not. */
static enum wb_status watches_known(const struct scene *s, const struct cli *c)
{
	const struct model *m = &s->model;
	uint64_t value[LANES];
	struct wb_diag d;
	for (unsigned i = 0; cli_given(c, "watch") && m->selected && i < m->watch.n; i++) {
		const struct watched *w = &m->watch.entry[i];
		if (!w->valid && !w->note[0] && wb_launch_value(s->player.launch, w->row.name, m->selected->block,
							       m->selected->warp, value, &d) == WB_USAGE)
			return complain(WB_USAGE, "--watch %s: %s", w->row.name, d.text);
	}
	return WB_OK;
}

static enum wb_status open_scene(struct scene *s, const struct cli *c, const char *path)
{
	struct state_place place = {.has_cycle = false};
	struct wb_diag d;
	const char *name = strrchr(path, '/');
	view_init(&s->view, name ? name + 1 : path);
	if (!read_view(c, &s->view, &place))
		return WB_USAGE;
	enum wb_status status = survey(s, c, path, &d);
	if (status != WB_OK)
		return status;
	if (cli_value(c, "against"))
		status = open_against(s, c, cli_value(c, "against"));
	if (status != WB_OK)
		return status;
	if (s->player.whole.known)
		session_compare(&s->session, s->player.whole.report);
	if (status == WB_OK)
		status = go(s, c, &place, &d);
	if (status == WB_USAGE)
		return status;
	if (status == WB_OK && !model_open(&s->model, &s->player))
		return complain(WB_ENV, "out of memory");
	advise(s);
	s->view.compiled = status == WB_OK && s->model.listing.compiled && s->model.listing.nlines;
	if (status == WB_OK && s->view.mp >= (int)s->model.machine.mps)
		return complain(WB_USAGE, "state: there are %u multiprocessors; found mp=%d", s->model.machine.mps,
				s->view.mp);
	if (status == WB_OK)
		status = model_read(&s->model, &s->view, &d);
	if (status == WB_OK && watches_known(s, c) != WB_OK)
		return WB_USAGE;
	if (status == WB_OK && s->against && s->view.focus == PANE_board)
		view_focus(&s->view, PANE_timeline);
	if (status == WB_OK && s->against)
		status = model_compare(&s->model, &s->against->model, &s->view, &d);
	return status == WB_OK ? status : complain_diag(&d);
}

enum wb_status scene_open(struct scene *s, const struct cli *c, const char *path)
{
	return scene_open_text(s, c, path, NULL);
}

enum wb_status scene_open_text(struct scene *s, const struct cli *c, const char *path, const char *text)
{
	*s = (struct scene){.session = {.vertices = cli_value(c, "in"), .text = text}, .args = cli_list(c, "arg")};
	return open_scene(s, c, path);
}

enum wb_status scene_open_on(struct scene *s, const struct cli *c, const char *path, const struct host *h)
{
	*s = (struct scene){.session = {.vertices = cli_value(c, "in")}, .args = cli_list(c, "arg"), .host = h};
	return open_scene(s, c, path);
}

void scene_close(struct scene *s)
{
	model_close(&s->model);
	player_close(&s->player);
	session_close(&s->session);
	free(s->args);
	if (s->against)
		scene_close(s->against);
	free(s->against);
	s->against = NULL;
}
