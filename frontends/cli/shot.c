/* shot: the window's picture as a PNG or SVG, or as an animated PNG of a stretch of cycles, without a display. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/scene.h"
#include "frontends/cli/verbs.h"
#include "frontends/view/picture.h"

const struct opt shot_options[] = {
	{"output", 'o', OPT_OUTPUT, "PNG|SVG", "warpbeam.png", "Picture",
	 "the file to write, as its name says; - is standard output, a PNG", false},
	{"size", 0, OPT_VALUE, "WxH", "1280x800", "Picture", "pixels of the picture; of a pane alone, what it needs",
	 false},
	{"frames", 0, OPT_VALUE, "A:B", NULL, "Picture",
	 "an animated PNG of the cycles from A to B, a frame for each issue", false},
	{"fps", 0, OPT_VALUE, "N", "4", "Picture", "--frames: frames a second, 1 to 60", false},
	{"window", 0, OPT_SWITCH, NULL, NULL, "Picture",
	 "with the bar of keys, to the pixel what the window shows", false},
	SCALE_OPTION("Picture"),
	SCENE_OPTIONS,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static bool picture_size(const struct cli *c, int *w, int *h, int *scale)
{
	const char *text = cli_value(c, "size");
	char end;
	if (sscanf(text, "%dx%d%c", w, h, &end) != 2 || *w < 64 || *h < 64 || *w > 16384 || *h > 16384) {
		complain(WB_USAGE, "option '--size' expects WIDTHxHEIGHT, 64 to 16384; found '%s'", text);
		return false;
	}
	if (!scene_scale(c, scale))
		return false;
	*scale = *scale ? *scale : canvas_scale(*w, *h);
	return true;
}

/* A stretch of cycles, issue by issue, as an animated PNG. */
static bool write_frames(const struct cli *c, struct scene *s, struct canvas *picture, FILE *f, const char *state)
{
	enum { MOST = 2000 };
	unsigned long long from, to;
	unsigned long fps = 4;
	struct wb_goal one = {.issues = 1};
	struct wb_diag d;
	struct animation a;
	sscanf(cli_value(c, "frames"), "%llu:%llu", &from, &to);
	cli_number(c, "fps", 60, &fps);
	bool ok = player_goto_cycle(&s->player, s->view.mp, from, &d) == WB_OK;
	animation_begin(&a, state, (unsigned)fps);
	while (ok && a.frames < MOST) {
		ok = model_read(&s->model, &s->view, &d) == WB_OK;
		frame_draw(picture, &s->model, &s->view);
		ok = ok && animation_add(&a, picture);
		if (s->player.where.over || player_forward(&s->player, &one, 1, &d) != WB_OK ||
		    s->player.where.last.cycle > to)
			break;
	}
	return animation_end(&a, ok ? f : NULL);
}

/* Whether the name says what is written: a picture in another format would be a PNG under a wrong name. */
static bool is_picture(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	static const char *const endings[] = {".png", ".apng", ".svg"};
	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcasecmp(dot, endings[i]))
			return true;
	if (dot && dot[1])
		complain(WB_USAGE, "option '--output' expects a name that ends in .png or .svg; found '%s'", path);
	return !dot || !dot[1];
}

static bool is_svg(const char *path)
{
	size_t n = strlen(path);
	return n > 4 && !strcmp(path + n - 4, ".svg");
}

/* Draw, and write what is drawn as what the file's name says. */
static bool write_frame(struct scene *s, struct canvas *picture, FILE *f, bool vector, const char *state)
{
	struct svg svg;
	if (vector)
		svg_begin(picture, &svg, f, state);
	frame_draw(picture, &s->model, &s->view);
	if (!vector)
		return png_write(f, picture, state);
	svg_end(picture);
	return !ferror(f);
}

static enum wb_status write_picture(const struct cli *c, struct scene *s, struct canvas *picture)
{
	const char *path = cli_value(c, "output");
	char state[512];
	struct wb_output *o;
	FILE *f = stream_open(path, &o);
	state_format(state, sizeof state, &s->model, &s->view);
	bool drawn = f && (cli_given(c, "frames") ? write_frames(c, s, picture, f, state)
						  : write_frame(s, picture, f, is_svg(path), state));
	if (f && !drawn)
		complain(WB_ENV, "%s: cannot write the picture", path);
	enum wb_status status = f && stream_close(f, o, drawn) && drawn ? WB_OK : WB_ENV;
	if (status == WB_OK && !c->quiet && strcmp(path, "-"))
		printf("%s\n", shown(state));
	if (status == WB_OK && !c->quiet && !cli_given(c, "output"))
		fprintf(stderr, "warpbeam: written to %s; -o writes it elsewhere\n", path);
	return status;
}

static enum wb_status draw(const struct cli *c, struct scene *s, int w, int h, int scale)
{
	struct canvas picture;
	if (s->view.alone && !cli_given(c, "size"))
		frame_fit(&s->model, &s->view, scale, &w, &h);
	if (!canvas_pixels(&picture, w, h, scale, &themes[s->view.theme]))
		return complain(WB_ENV, "out of memory for a picture of %dx%d", w, h);
	enum wb_status status = write_picture(c, s, &picture);
	canvas_free(&picture);
	return status;
}

/* The options of an animation are right, if there are any. */
static bool frames_given(const struct cli *c)
{
	const char *text = cli_value(c, "frames");
	unsigned long long from, to;
	unsigned long fps;
	char end;
	if (!cli_number(c, "fps", 60, &fps) || !fps)
		return complain(WB_USAGE, "option '--fps' expects a number from 1 to 60"), false;
	if (!text)
		return true;
	if (sscanf(text, "%llu:%llu%c", &from, &to, &end) != 2 || from > to)
		return complain(WB_USAGE, "option '--frames' expects two cycles A:B; found '%s'", text), false;
	if (is_svg(cli_value(c, "output")))
		return complain(WB_USAGE, "--frames writes an animated PNG; found '%s'", cli_value(c, "output")), false;
	return true;
}

enum wb_status verb_shot(struct cli *c)
{
	const char *path = cli_operand(c, "FILE");
	int w, h, scale;
	struct scene s;
	if (!path || !is_picture(cli_value(c, "output")) || !picture_size(c, &w, &h, &scale) || !frames_given(c))
		return WB_USAGE;
	enum wb_status status = scene_open(&s, c, path);
	s.view.still = !cli_on(c, "window");
	if (status == WB_OK)
		status = draw(c, &s, w, h, scale);
	scene_close(&s);
	return status;
}
