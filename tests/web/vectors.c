/* Vectors in the module's build of the machine, for tests alone: the laboratory's readers, and in place of its command
 * line the functions below. */
#include "bench/laboratory/vectors.h"

#include <stdarg.h>
#include <stdlib.h>

#define EXPORT(name) __attribute__((export_name(#name), visibility("default")))

enum { MOST_SHOWN = 20 };

static const struct vectors_format *const formats[] = {&vectors_shader, &vectors_words, &vectors_control, &vectors_gcn,
	&vectors_gcn_state};
static struct tally all; /* over all files */

/* No option is given. */
bool cli_given(const struct cli *c, const char *name)
{
	(void)c, (void)name;
	return false;
}

const char *cli_value(const struct cli *c, const char *name)
{
	(void)c, (void)name;
	return NULL;
}

void *grow(void *p, size_t n)
{
	void *q = realloc(p, n);

	if (!q)
		abort();
	return q;
}

enum wb_status complain(enum wb_status status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	return status;
}

void tally_show(struct tally *t, enum gate gate, unsigned long line, const char *fmt, va_list ap)
{
	if (gate == DOUBTFUL || t->shown++ >= MOST_SHOWN)
		return;
	printf("%s:%lu: ", t->path, line);
	vprintf(fmt, ap);
	putchar('\n');
}

void vectors_progress(struct tally *t, const char *unit, size_t done, size_t of)
{
	(void)t, (void)unit, (void)done, (void)of;
}

/* n bytes for the texts of `vectors_run`. */
EXPORT(vectors_memory) void *vectors_memory(size_t n);
void *vectors_memory(size_t n)
{
	return grow(NULL, n);
}

/* Run a file's vectors; both texts end in a 0 and are freed. Returns enum wb_status: bad texts have their message
 * printed, mismatches count. */
EXPORT(vectors_run) int vectors_run(char *path, char *text, size_t n);
int vectors_run(char *path, char *text, size_t n)
{
	struct wb_config *config = wb_config_new();
	const struct cli c = {.config = config};
	enum wb_status status = WB_INPUT;
	size_t i = 0;

	all.cli = &c;
	all.path = path;
	while (i < sizeof formats / sizeof *formats && !formats[i]->recognise(text, n))
		i++;
	if (i < sizeof formats / sizeof *formats)
		status = formats[i]->run(&all, text, n);
	else
		complain(status, "%s: no vectors of a known kind", path);
	wb_config_free(config);
	free(path);
	free(text);
	return (int)status;
}

/* Print the tally in the laboratory's words. Returns 0 if no vector failed. */
EXPORT(vectors_end) int vectors_end(void);
int vectors_end(void)
{
	printf("%lu doubtful (%lu differ)\n%lu passed, %lu failed, %lu skipped\n", all.doubtful, all.differ, all.passed,
	       all.failed, all.skipped);
	fflush(stdout);
	return all.failed != 0;
}
