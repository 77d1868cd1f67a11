/* The command line's memory: a failed allocation ends the program with exit 3 and a line, wherever the call is. The
 * linker leads every call of the front end's own objects here (--wrap in meson.build), jansson's calls come by a hook;
 * allocations of the library stay with the library, which answers with a diagnostic. A file in the middle of a write
 * has no name yet and goes with the process. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "frontends/cli/cli.h"

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
FILE *__real_open_memstream(char **text, size_t *n);
struct wb_config *__real_wb_config_new(void);
struct wb_config *__real_wb_config_copy(const struct wb_config *c);
enum wb_status __real_wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *d);
const struct wb_report *__real_wb_launch_report(struct wb_launch *l);
/* Sanitizers' libraries are led here as well, which hidden symbols would not allow. */
#pragma GCC visibility push(default)
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);
int __wrap_asprintf(char **text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
FILE *__wrap_open_memstream(char **text, size_t *n);
struct wb_config *__wrap_wb_config_new(void);
struct wb_config *__wrap_wb_config_copy(const struct wb_config *c);
enum wb_status __wrap_wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *d);
const struct wb_report *__wrap_wb_launch_report(struct wb_launch *l);
#pragma GCC visibility pop

_Noreturn void no_memory(void)
{
	static const char line[] = "warpbeam: out of memory\n";
	(void)!write(STDERR_FILENO, line, sizeof line - 1);
	_exit(WB_ENV);
}

static void *have(void *p)
{
	if (!p)
		no_memory();
	return p;
}

void *__wrap_malloc(size_t n)
{
	return have(__real_malloc(n + !n));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return have(__real_calloc(n + !n, size + !size));
}

void *__wrap_realloc(void *p, size_t n)
{
	return have(__real_realloc(p, n + !n));
}

char *__wrap_strdup(const char *text)
{
	return have(__real_strdup(text));
}

char *__wrap_strndup(const char *text, size_t n)
{
	return have(__real_strndup(text, n));
}

int __wrap_asprintf(char **text, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	int n = vasprintf(text, fmt, ap);
	va_end(ap);
	if (n < 0)
		no_memory();
	return n;
}

FILE *__wrap_open_memstream(char **text, size_t *n)
{
	return have(__real_open_memstream(text, n));
}

struct wb_config *__wrap_wb_config_new(void)
{
	return have(__real_wb_config_new());
}

struct wb_config *__wrap_wb_config_copy(const struct wb_config *c)
{
	return have(__real_wb_config_copy(c));
}

/* No memory is the only failure of this status. */
enum wb_status __wrap_wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *d)
{
	enum wb_status status = __real_wb_config_set(c, name, value, d);
	if (status == WB_ENV)
		no_memory();
	return status;
}

const struct wb_report *__wrap_wb_launch_report(struct wb_launch *l)
{
	const struct wb_report *r = __real_wb_launch_report(l);
	if (!r)
		no_memory();
	return r;
}

void memory_begin(void)
{
	json_set_alloc_funcs(__wrap_malloc, free);
}
