/* A page's one program: opened, run and recorded, then shown by the loop of keys, commands and pictures of the window.
 * A new program is a scene of its own until recorded: a wrong text never takes the picture away. */
#include "frontends/web/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/view/app.h"
#include "frontends/web/lab.h"
#include "frontends/web/scene.h"

/* The page: a module has no other state. */
static struct {
	struct web_scene *next;         /* scene of the pieces so far */
	struct web_scene *scene;        /* open scene, or NULL */
	bool shown;                     /* `app` shows the scene */
	struct app app;
	struct wb_diag error;
	struct canvas canvas;
	uint8_t *rgba;
	char *text;                     /* returned last */
} page;

void *page_memory(size_t n)
{
	return calloc(1, n + 1);
}

static struct web_scene *pieces(void)
{
	if (!page.next)
		page.next = web_scene_new();
	return page.next;
}

void page_file(char *name, void *bytes, size_t n)
{
	web_scene_file(pieces(), name, bytes, n);
}

void page_option(char *name, char *value)
{
	web_scene_option(pieces(), name, value);
	free(name);
	free(value);
}

void page_argument(char *text)
{
	web_scene_argument(pieces(), text);
}

void page_vertex(char *text)
{
	web_scene_vertex(pieces(), text);
}

/* ---- opening ---- */

/* Take the breakpoints, and the place, of the scene shown before. */
static void keep_from(struct web_scene *s)
{
	const struct app *a = &page.app;
	const char *title = s->view.title;      /* the scene before goes, and its names */
	struct wb_break b;
	int id;

	s->view = a->view;
	s->view.title = title;
	s->view.running = false;
	s->view.message[0] = '\0';
	s->position.has_cycle = a->model.mp.began;
	s->position.cycle = a->model.mp.cycle;
	for (unsigned i = 0; wb_launch_breaks(a->player->launch, i, &b); i++)
		wb_launch_break(s->player.launch, (unsigned)b.kind, b.text, 0, 0, &id, NULL);
}

/* Show a scene in place of the scene before. */
static enum wb_status show(struct web_scene *s)
{
	struct web_scene *before = page.scene;
	enum wb_status status;

	if (page.shown && before != s) {
		page.app.view = s->view;
		status = app_show(&page.app, &s->player, &page.error);
	} else {
		status = app_open(&page.app, &s->player, &s->view, &page.error);
	}
	page.app.view.compiled = page.app.model.listing.compiled && page.app.model.listing.nlines;
	page.app.stale = page.app.dirty = true;
	page.shown = true;
	page.scene = s;
	if (before != s)
		web_scene_free(before);
	return status;
}

int page_open(char *state, int keep)
{
	struct web_scene *s = pieces();
	enum wb_status status = web_scene_open(s, &page.error);

	page.next = NULL;
	s->kept = keep && page.shown;
	if (status == WB_OK && state && !state_parse(state, &s->view, &s->position, &page.error))
		s->state_error = true;
	free(state);
	if (status != WB_OK)
		web_scene_free(s);
	else if (page.shown && !page.scene->surveyed) {
		status = show(s);               /* the survey of the scene before ends here */
	} else if (page.shown) {
		page.next = NULL;
		web_scene_free(page.scene->successor);
		page.scene->successor = s;
	} else {
		status = show(s);
	}
	return status;
}

const char *page_error(void)
{
	free(page.text);
	return page.text = web_diag_json(&page.error);
}

const char *page_program(void)
{
	free(page.text);
	return page.text = page.scene ? web_scene_json(page.scene) : strdup("{}");
}

/* ---- input ---- */

/* Keys wait for the turn that runs the program. */
static bool ready(void)
{
	return page.shown && page.scene->surveyed;
}

void page_key(char *name)
{
	if (ready() && (strcmp(name, "q") || page.app.prompt[0]))
		app_key(&page.app, name);
	free(name);
}

void page_speed(int steps)
{
	page.app.view.speed = steps;
}

void page_command(char *line)
{
	if (ready()) {
		app_command(&page.app, line);
		page.app.dirty = page.app.stale = true;
	}
	free(line);
}

void page_point(int kind, int x, int y)
{
	const struct canvas *c = &page.canvas;

	if (!ready() || !c->w)
		return;
	x = x < 0 ? -1 : x / c->scale;
	y = y < 0 ? -1 : y / c->scale;
	if (kind == 0)
		app_point(&page.app, c, x, y);
	else if (kind == 1)
		app_press(&page.app, c, x, y);
	else
		app_release(&page.app, c, x, y);
}

void page_wheel(int x, int y, int rows)
{
	const struct canvas *c = &page.canvas;

	if (ready() && c->w)
		app_wheel(&page.app, c, x / c->scale, y / c->scale, rows);
}

int page_size(int width, int height, int scale)
{
	canvas_free(&page.canvas);
	free(page.rgba);
	page.rgba = NULL;
	page.app.dirty = true;
	if (!canvas_pixels(&page.canvas, width, height, scale, &themes[0])) {
		page.canvas = (struct canvas){.w = 0};
		return 0;
	}
	page.rgba = malloc((size_t)width * (size_t)height * 4);
	return page.rgba != NULL;
}

/* ---- time ---- */

static void survey(struct web_scene *s)
{
	struct wb_diag d;

	if (web_scene_survey(s, &d) != WB_OK)
		page.error = d;
	if (s->kept && page.scene != s)
		keep_from(s);
	if (web_scene_go(s, &d) != WB_OK)
		page.error = d;
}

unsigned page_turn(double seconds)
{
	struct web_scene *s = page.scene, *next = s ? s->successor : NULL;

	if (!page.shown)
		return 0;
	if (next && !next->surveyed)
		survey(next);
	if (next) {
		s->successor = NULL;
		show(next);
		s = next;
	} else if (!s->surveyed) {
		survey(s);
		page.app.stale = page.app.dirty = true;
	} else {
		app_tick(&page.app, seconds);
	}
	page.app.quit = false;
	return (page.app.dirty ? PAGE_DIRTY : 0) | (page.app.view.running ? PAGE_RUNNING : 0) |
	       (s->player.where.over ? PAGE_OVER : 0) | (page.app.prompt[0] ? PAGE_PROMPT : 0);
}

const uint8_t *page_draw(void)
{
	const struct canvas *c = &page.canvas;

	if (!page.shown || !page.rgba)
		return NULL;
	app_draw(&page.app, &page.canvas);
	for (int y = 0; y < c->h * c->scale; y++) {
		const uint32_t *from = c->pixel + (size_t)y * (size_t)c->stride;
		uint32_t *to = (uint32_t *)(void *)page.rgba + (size_t)y * (size_t)(c->w * c->scale);
		for (int x = 0; x < c->w * c->scale; x++)
			to[x] = 0xff000000u | (from[x] & 0xff00u) | from[x] >> 16 << 24 >> 24 | (from[x] & 0xffu) << 16;
	}
	return page.rgba;
}

/* ---- texts ---- */

static void print_pane(FILE *f, enum pane p, int columns)
{
	enum { ROWS = 120 };
	struct canvas c;
	struct view v = page.app.view;

	v.alone = true;
	v.focus = p;
	v.help = false;
	v.prompt = NULL;
	v.mouse_x = -1;
	v.message[0] = '\0';
	if (!canvas_cells(&c, columns, ROWS, &themes[v.theme]))
		return;
	frame_draw(&c, &page.app.model, &v);
	page_print(&c, f);
	canvas_free(&c);
}

/* The text without empty lines at its end, and without the footer's line of keys. */
static void trim(char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	char *last = strrchr(text, '\n');
	if (last)
		*last = '\0';
	for (n = strlen(text); n && strchr("\n ", text[n - 1]);)
		text[--n] = '\0';
}

const char *page_text(char *name, int columns)
{
	enum pane p = pane_find(name);
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	free(name);
	free(page.text);
	page.text = NULL;
	if (!f || !page.shown)
		return "";
	app_refresh(&page.app);
	print_pane(f, p == PANES ? page.app.view.focus : p, columns);
	fclose(f);
	if (text)
		trim(text);
	return page.text = text;
}

static const char *kept_text(const char *text)
{
	free(page.text);
	return page.text = strdup(text);
}

const char *page_state(void)
{
	char text[512] = "";

	if (page.shown) {
		app_refresh(&page.app);
		state_format(text, sizeof text, &page.app.model, &page.app.view);
	}
	return kept_text(text);
}

const char *page_sentence(void)
{
	char text[1024] = "";

	if (page.shown) {
		app_refresh(&page.app);
		web_explain(text, sizeof text, &page.app.model);
	}
	return kept_text(text);
}

int page_line(void)
{
	return page.shown ? model_line(&page.app.model, &page.app.view) : 0;
}

const char *page_message(void)
{
	if (page.shown && page.scene->state_error) {
		page.scene->state_error = false;
		return kept_text(page.error.text);
	}
	return kept_text(page.shown ? page.app.view.message : "");
}

const char *page_report(void)
{
	free(page.text);
	page.text = page.scene ? web_scene_report(page.scene, &page.error) : NULL;
	return page.text;
}

const char *page_verdict(char *lab)
{
	const struct web_scene *s = page.scene && page.scene->successor ? page.scene->successor : page.scene;

	free(page.text);
	page.text = web_lab_verdict(s, lab, &page.error);
	free(lab);
	return page.text;
}
