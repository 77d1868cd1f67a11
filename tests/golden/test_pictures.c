/* Pictures that were inspected once: a hash of every pane, and of the whole window, on gallery kernels in two themes
 * and two sizes. Timing is off except where the pane shows time, so that a better timing model does not change the
 * others.
 *
 *   test_pictures PICTURES EXAMPLES           compare
 *   test_pictures --write PICTURES EXAMPLES   write them anew; inspect them first (warpbeam shot)
 *
 * PICTURES: a line "hash kernel pane theme WIDTHxHEIGHT" each. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "frontends/view/view.h"

static const char *const kernels[] = {
	"ifelse", "nested", "loop-varying", "partial-warp", "barrier-in-divergence", "lock-ok", "bank-conflict"};
static const int sizes[][2] = {{800, 500}, {1280, 800}};
static const int used_themes[] = {0, 3};

enum {
	KERNELS = sizeof kernels / sizeof *kernels,
	SIZES = 2,
	USED = 2,
	LINES = KERNELS * (PANES + 1) * SIZES * USED
};

struct picture {
	uint64_t hash;
	char what[96];
};

static struct picture made[LINES];
static int nmade;

static void picture(const struct model *m, struct view *v, const char *kernel, const char *pane)
{
	for (int t = 0; t < USED; t++)
		for (int s = 0; s < SIZES; s++) {
			struct canvas c;
			v->theme = used_themes[t];
			if (nmade == LINES || !canvas_pixels(&c, sizes[s][0], sizes[s][1], 1, &themes[v->theme]))
				continue;
			frame_draw(&c, m, v);
			struct picture *p = &made[nmade++];
			p->hash = canvas_hash(&c);
			snprintf(p->what, sizeof p->what, "%s %s %s %dx%d", kernel, pane, themes[v->theme].name,
				 sizes[s][0], sizes[s][1]);
			canvas_free(&c);
		}
}

static bool wants_time(enum pane p)
{
	return p == PANE_timeline || p == PANE_why;
}

static void pictures(const struct model *m, const char *kernel, bool timing)
{
	struct view v;
	for (int p = 0; p < PANES; p++) {
		view_init(&v, kernel);
		view_focus(&v, (enum pane)p);
		v.alone = true;
		if (wants_time((enum pane)p) == timing)
			picture(m, &v, kernel, pane_name((enum pane)p));
	}
	view_init(&v, kernel);
	if (!timing)
		picture(m, &v, kernel, "window");
}

static enum wb_status make(const char *examples, const char *kernel, bool timing, struct wb_diag *d)
{
	char path[512];
	struct wb_config *c = wb_config_new();
	struct wb_program *program = NULL;
	struct player player = {.launch = NULL};
	struct model model = {.player = NULL};
	struct view v;
	snprintf(path, sizeof path, "%s/%s.s", examples, kernel);
	view_init(&v, kernel);
	enum wb_status status = wb_config_set(c, "timing", timing ? "on" : "off", d);
	if (status == WB_OK)
		status = wb_config_set(c, "slice", "1", d);     /* without timing, turns by instruction */
	if (status == WB_OK)
		status = wb_program_open(path, c, &program, d);
	if (status == WB_OK)
		status = player_open(&player, program, NULL, c, d);
	if (status == WB_OK)
		status = player_survey(&player, 1 << 16, d);
	if (status == WB_OK)
		status = player_goto(&player, player_interesting(&player), d);
	if (status == WB_OK && model_open(&model, &player))
		status = model_read(&model, &v, d);
	if (status == WB_OK)
		pictures(&model, kernel, timing);
	model_close(&model);
	player_close(&player);
	wb_program_free(program);
	wb_config_free(c);
	return status;
}

static int write_all(const char *path)
{
	FILE *f = fopen(path, "w");
	if (!f)
		return 1;
	for (int i = 0; i < nmade; i++)
		fprintf(f, "%016" PRIx64 " %s\n", made[i].hash, made[i].what);
	return fclose(f) != 0;
}

static int compare(const char *path)
{
	int passed = 0, failed = 0;
	char line[160];
	FILE *f = fopen(path, "r");
	for (int i = 0; f && i < nmade; i++) {
		char want[160];
		snprintf(want, sizeof want, "%016" PRIx64 " %s\n", made[i].hash, made[i].what);
		bool same = fgets(line, sizeof line, f) && !strcmp(line, want);
		passed += same;
		failed += !same;
		if (!same)
			printf("differs: %s (look at it: warpbeam shot KERNEL --pane PANE --theme THEME --size "
			       "SIZE)\n",
			       made[i].what);
	}
	failed += !f || fgets(line, sizeof line, f) || nmade != LINES;
	if (f)
		fclose(f);
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}

int main(int argc, char **argv)
{
	bool writes = argc == 4 && !strcmp(argv[1], "--write");
	struct wb_diag d = {.text = ""};
	if (argc != 3 + writes)
		return 2;
	for (int k = 0; k < KERNELS; k++)
		for (int timing = 0; timing < 2; timing++)
			if (make(argv[2 + writes], kernels[k], timing, &d) != WB_OK) {
				printf("%s: %s\n0 passed, 1 failed\n", kernels[k], d.text);
				return 1;
			}
	return writes ? write_all(argv[2]) : compare(argv[1]);
}
