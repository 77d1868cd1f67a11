/* The gallery's list by a host without a screen: typing narrows, keys move, a click opens, and the choice at the cursor
 * gets its picture after a moment without a key. */
#include <stdlib.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"
#include "frontends/view/host.h"

static const struct choice choices[] = {
	{ "ifelse", "one branch", "// text\n// more\n//\n// end\n" },
	{ "nested", "an if inside an if", "// text\n" },
	{ "quads", "a geometry shader", "" },
	{ "mandelbrot", "neighbours leave the loop", NULL },
};
enum { N = sizeof choices / sizeof *choices };

/* Inputs to come: keys between blanks, "." for a moment without one, "@y" for a press at unit y. */
struct script {
	const char *rest;
	struct canvas canvas;
	int pictures, pictured; /* number of drawn pictures; the latest choice with a picture */
};

static struct canvas *canvas(void *self)
{
	return &((struct script *)self)->canvas;
}

static void present(void *self)
{
	(void)self;
}

static void input(void *self, double seconds, struct input *out)
{
	struct script *s = self;
	size_t n = strcspn(s->rest, " ");

	if (!n) /* the script is over */
		*out = (struct input){ .kind = INPUT_CLOSE };
	else if (*s->rest == '@')
		*out = (struct input){ .kind = INPUT_PRESS, .x = 5, .y = atoi(s->rest + 1) };
	else if (*s->rest == '.')
		*out = (struct input){ .kind = seconds < 0 ? INPUT_POINT : INPUT_NONE };
	else
		*out = (struct input){ .kind = INPUT_KEY };
	if (out->kind == INPUT_KEY)
		snprintf(out->key, sizeof out->key, "%.*s", (int)n, s->rest);
	s->rest += n + (s->rest[n] == ' ');
}

static bool draw(void *context, int choice, struct canvas *c)
{
	struct script *s = context;

	s->pictures++;
	s->pictured = choice;
	canvas_fill(c, (struct rect){ 0, 0, c->w, c->h }, 0xff336699);
	return choice != 1;
}

static int choose(const char *keys, struct script *s)
{
	const struct host h = { .self = s, .canvas = canvas, .present = present, .input = input };
	const struct thumbnails t = { s, draw };
	int chosen;

	*s = (struct script){ .rest = keys, .pictured = -1 };
	assert_true(canvas_pixels(&s->canvas, 1280, 800, 1, &themes[0]));
	chosen = host_choose(&h, "all", choices, N, 1, 0, &t);
	canvas_free(&s->canvas);
	return chosen;
}

static void typing_searches(void **state)
{
	struct script s;

	(void)state;
	assert_int_equal(choose("m a Enter", &s), 3);
	assert_int_equal(choose("q Enter", &s), 2);
	assert_int_equal(choose("I F Enter", &s), 0);         /* a name before a text, whatever the letters' case */
	assert_int_equal(choose("i f Down Enter", &s), 1);
	assert_int_equal(choose("l o o p Enter", &s), 3);     /* in the text */
	assert_int_equal(choose("z Enter", &s), -1);
	assert_int_equal(choose("z Backspace Enter", &s), 0);
	assert_int_equal(choose("m Esc Enter", &s), 3);       /* Esc shows all again, with the cursor where it was */
	assert_int_equal(choose("m Esc Esc Enter", &s), -1);
}

static void keys_and_clicks_choose(void **state)
{
	struct script s;

	(void)state;
	assert_int_equal(choose("Enter", &s), 1);
	assert_int_equal(choose("End Enter", &s), 3);
	assert_int_equal(choose("PageUp Up Enter", &s), 0);
	assert_int_equal(choose("@60", &s), 2);
	assert_int_equal(choose("@700", &s), -1);
}

static void the_choice_at_the_cursor_has_a_picture(void **state)
{
	struct script s;

	(void)state;
	choose("Down Down Up", &s);
	assert_int_equal(s.pictures, 0);
	choose("Down . . .", &s);
	assert_int_equal(s.pictures, 1);
	assert_int_equal(s.pictured, 2);
	choose(". . m .", &s);
	assert_int_equal(s.pictures, 2);
	assert_int_equal(s.pictured, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typing_searches),
		cmocka_unit_test(keys_and_clicks_choose),
		cmocka_unit_test(the_choice_at_the_cursor_has_a_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
