/* A name is first a file, then an example or a lab that is built into the program (frontends/cli/gallery.h), with or
 * without its ending; "-" is standard input, read to its end. A file that is missing gives the nearest example's name
 * in its message. */
#include "frontends/cli/programs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/gallery.h"

const struct example *example_of(const char *name)
{
	if (access(name, F_OK) == 0)
		return NULL;
	const struct example *const lists[] = {gallery, lab_gallery};
	for (size_t i = 0; i < 2; i++)
		for (const struct example *e = lists[i]; e->name; e++)
			if (!strcmp(e->name, name) || !strcmp(e->file, name))
				return e;
	return NULL;
}

/* There is no such file: an example or a lab may have been meant. */
static void suggest(const char *name, struct wb_diag *d)
{
	enum { MOST = 255 };
	const char *names[MOST + 1] = {NULL};
	size_t n = 0;
	for (const struct example *e = gallery; n < MOST && e->name; e++)
		names[n++] = e->name;
	for (const struct example *e = lab_gallery; n < MOST && e->name; e++)
		names[n++] = e->name;
	if (strchr(name, '/') || access(name, F_OK) == 0)
		return;
	const char *near = wb_nearest(name, names);
	size_t used = strlen(d->text);
	if (near)
		snprintf(d->text + used, sizeof d->text - used, "; did you mean the example '%s'?", near);
	else
		snprintf(d->text + used, sizeof d->text - used,
			 ", and no example has that name ('warpbeam examples' lists them)");
}

enum wb_status named_program_open(const char *name, const struct wb_config *config, struct wb_program **out,
			    struct wb_diag *d)
{
	const struct example *e = example_of(name);
	char *bytes;
	size_t n;
	if (e)
		return wb_program_load(e->text, strlen(e->text), e->file, config, out, d);
	if (strcmp(name, "-")) {
		enum wb_status status = wb_program_open(name, config, out, d);
		if (status == WB_ENV)
			suggest(name, d);
		return status;
	}
	if (!try_read_all(name, &bytes, &n, d))
		return d->status;
	enum wb_status status = wb_program_load(bytes, n, source_name(name), config, out, d);
	free(bytes);
	return status;
}

const char *source_name(const char *name)
{
	const struct example *e = example_of(name);
	return e ? e->file : strcmp(name, "-") ? name : "standard input";
}

bool read_source(const char *name, char **out, size_t *n)
{
	const struct example *e = example_of(name);
	if (!e)
		return read_all(name, out, n);
	*n = strlen(e->text);
	*out = memcpy(grow(NULL, *n + 1), e->text, *n + 1);
	return true;
}
