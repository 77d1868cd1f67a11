/* bench redraw: time of a picture while panning and zooming over a long record: reading the machine, drawing, and
 * showing in a window of SDL's software renderer, in processor time, so that other programs do not count. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/laboratory/bench.h"
#include "frontends/cli/beside.h"
#include "frontends/cli/report.h"
#include "frontends/sdl/window.h"
#include "frontends/view/app.h"

/* 32 warps that diverge and reconverge in every iteration of a loop: the densest record. */
static const char program[] = ".kernel busy\n.chip g200\n.grid 2\n.block 512\n"
			      "mov b32 $r2 0x1\n"
			      "mov b32 $r3 0x0\n"
			      "mov b32 $r5 0x%lx\n"
			      "and b32 $c1 # $r0 $r2\n"
			      "again:\n"
			      "joinat #meet\n"
			      "(lg $c1) bra #odd\n"
			      "add b32 $r4 $r4 $r0\n"
			      "bra #meet\n"
			      "odd:\n"
			      "add b32 $r4 $r4 $r2\n"
			      "meet:\n"
			      "join add b32 $r3 $r3 $r2\n"
			      "set $c0 # l u32 $r3 $r5\n"
			      "(lg $c0) bra #again\n"
			      "exit nop\n";
enum { WARPS = 32, TURN_ISSUES = 9, SAMPLES = 24 };

static const struct {
	const char *name;
	int w, h, scale;
} sizes[] = {{"1280x800", 1280, 800, 1}, {"3840x2160", 3840, 2160, 2}};
static const struct {
	const char *name, *keys[4]; /* pressed in turn, a picture after each */
	const char *before;         /* command */
} moves[] = {{"pan, all but the ends", {"Right", "Right", "Left", "Right"}, "state wb1:zoom=-9;alone=0"},
	     {"pan, every cycle wide", {"Right", "Right", "Left", "Right"}, "state wb1:zoom=3"},
	     {"zoom in and out", {"+", "+", "-", "-"}, "state wb1:zoom=-8"},
	     {"zoom out to all", {"=", "+", "=", "-"}, "state wb1:zoom=0"},
	     {"step", {"n", "n", "p", "n"}, "state wb1:zoom=0"},
	     {"step, the timeline alone", {"n", "n", "p", "n"}, "state wb1:pane=timeline;alone=1"}};
enum { SIZES = sizeof sizes / sizeof *sizes, MOVES = sizeof moves / sizeof *moves };

struct result {
	double median, worst; /* milliseconds */
};

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* h: host for the pictures; NULL: only draw, on `own`. */
static void draw(struct app *a, const struct host *h, struct canvas *own)
{
	app_draw(a, h ? h->canvas(h->self) : own);
	if (h)
		h->present(h->self);
}

static struct result measure(struct app *a, const struct host *h, struct canvas *own, unsigned move)
{
	double ms[SAMPLES];
	app_command(a, moves[move].before);
	draw(a, h, own); /* the first picture also touches the pixels' memory for the first time */
	for (int i = 0; i < SAMPLES; i++) {
		double from = now_ms();
		app_key(a, moves[move].keys[i % 4]);
		draw(a, h, own);
		ms[i] = now_ms() - from;
	}
	qsort(ms, SAMPLES, sizeof *ms, by_size);
	return (struct result){ms[SAMPLES / 2], ms[SAMPLES - 1]};
}

static void report(const struct cli *c, json_t *list, const char *size, const char *move, const struct result *r)
{
	if (c->json)
		json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f}", "size", size, "move", move, "median_ms",
						      r->median, "worst_ms", r->worst));
	else
		printf("%-10s %-24s median %6.2f ms  worst %6.2f ms\n", size, move, r->median, r->worst);
}

static enum wb_status all_moves(const struct cli *c, struct app *a, unsigned size, json_t *list)
{
	struct canvas own = {.w = 0};
	struct window *win = NULL;
	struct host *h = NULL;
	int w = sizes[size].w, t = sizes[size].h, scale = sizes[size].scale;
	struct host host;
	struct wb_diag d;
	setenv("SDL_VIDEODRIVER", "dummy", 0); /* with the software renderer, and no screen needed */
	setenv("SDL_RENDER_DRIVER", "software", 0);
	const struct window_calls *window =
		module_load("frontends/sdl", WINDOW_MODULE, "window_calls", &d);
	win = window ? window->open(w, t, scale, &d) : NULL;
	if (win) {
		host = window->host(win);
		h = &host;
	}
	if (!win && !canvas_pixels(&own, w, t, scale, &themes[0]))
		return complain(WB_ENV, "out of memory for a picture of %dx%d", w, t);
	for (unsigned move = 0; move < MOVES; move++) {
		struct result r = measure(a, h, &own, move);
		report(c, list, sizes[size].name, moves[move].name, &r);
	}
	if (win)
		window->close(win);
	canvas_free(&own);
	return WB_OK;
}

static enum wb_status on_record(const struct cli *c, struct player *p)
{
	struct wb_diag d;
	struct view v;
	struct app a;
	json_t *list = json_array();
	double mib = (double)record_bytes(&p->record) / (1 << 20);
	view_init(&v, "busy");
	enum wb_status status = player_goto(p, p->record.n / 2, &d);
	if (status == WB_OK)
		status = app_open(&a, p, &v, &d);
	if (status != WB_OK)
		return complain_diag(&d);
	if (!c->json)
		printf("%llu issues of %d warps recorded in %.1f MiB; processor time of a picture:\n",
		       (unsigned long long)p->record.n, WARPS, mib);
	for (unsigned size = 0; size < SIZES && status == WB_OK; size++)
		status = all_moves(c, &a, size, list);
	if (c->json && status == WB_OK)
		json_out(json_pack("{s:s, s:I, s:i, s:f, s:O}", "schema", "warpbeam.redraw/1", "issues",
				   (json_int_t)p->record.n, "warps", WARPS, "record_mib", mib, "redraws", list),
			 NULL);
	json_decref(list);
	app_close(&a);
	return status;
}

enum wb_status bench_redraw(const struct cli *c)
{
	enum { DEFAULT_ISSUES = 1 << 20 };
	char text[sizeof program + 16];
	unsigned long issues;
	struct wb_diag d;
	struct wb_program *p = NULL;
	struct player player = {.launch = NULL};
	struct wb_config *config = wb_config_new();
	if (!config || !cli_number(c, "issues", DEFAULT_ISSUES, &issues))
		return WB_USAGE;
	snprintf(text, sizeof text, program, issues / (WARPS * TURN_ISSUES) + 1);
	enum wb_status status = wb_config_set(config, "mps", "1", &d);
	if (status == WB_OK)
		status = wb_config_set(config, "format", "asm", &d);
	if (status == WB_OK)
		status = wb_config_set(config, "livelock", "1000000000", &d); /* cannot fail: the option only adds */
	if (status == WB_OK)
		status = wb_program_load(text, strlen(text), "busy", config, &p, &d);
	if (status == WB_OK)
		status = player_open(&player, p, NULL, config, &d);
	if (status == WB_OK)
		status = player_survey(&player, issues, &d);
	status = status == WB_OK ? on_record(c, &player) : complain_diag(&d);
	player_close(&player);
	wb_program_free(p);
	wb_config_free(config);
	return status;
}
