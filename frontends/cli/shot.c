/* shot: the window's picture as a PNG, without a display. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/scene.h"
#include "frontends/cli/verbs.h"
#include "frontends/view/picture.h"

const struct opt shot_options[] = {
	{"output", 'o', OPT_VALUE, "PNG", "warpbeam.png", "Picture", "the file to write; - is standard output",
	 false},
	{"size", 0, OPT_VALUE, "WxH", "1280x800", "Picture", "pixels of the picture", false},
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

static enum wb_status write_picture(const struct cli *c, const struct canvas *picture, const char *state)
{
	const char *path = cli_value(c, "output");
	struct wb_output *o;
	FILE *f = stream_open(path, &o);
	bool drawn = f && png_write(f, picture, state);
	if (f && !drawn)
		complain(WB_ENV, "%s: cannot write the picture", path);
	return f && stream_close(f, o, drawn) && drawn ? WB_OK : WB_ENV;
}

static enum wb_status draw(const struct cli *c, struct scene *s, int w, int h, int scale)
{
	struct canvas picture;
	char state[512];
	if (!canvas_pixels(&picture, w, h, scale, &themes[s->view.theme]))
		return complain(WB_ENV, "out of memory for a picture of %dx%d", w, h);
	frame_draw(&picture, &s->model, &s->view);
	state_format(state, sizeof state, &s->model, &s->view);
	enum wb_status status = write_picture(c, &picture, state);
	if (status == WB_OK && !c->quiet && strcmp(cli_value(c, "output"), "-"))
		printf("%s\n", state);
	if (status == WB_OK && !c->quiet && !cli_given(c, "output"))
		fprintf(stderr, "warpbeam: written to %s; -o writes it elsewhere\n", cli_value(c, "output"));
	canvas_free(&picture);
	return status;
}

enum wb_status verb_shot(struct cli *c)
{
	const char *path = cli_operand(c, "FILE");
	int w, h, scale;
	struct scene s;
	if (!path || !picture_size(c, &w, &h, &scale))
		return WB_USAGE;
	enum wb_status status = scene_open(&s, c, path);
	if (status == WB_OK)
		status = draw(c, &s, w, h, scale);
	scene_close(&s);
	return status;
}
