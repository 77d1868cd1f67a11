/* Programs and their compilation. */
#include "frontends/rtc/rtc.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "warpbeam.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct rtc_program *programs;

/* ---- the life of a program ---- */

static void release(struct rtc_program *p)
{
	for (size_t i = 0; p->headers && i < p->nheaders; i++) {
		free(p->headers[i].name);
		free(p->headers[i].text);
	}
	for (size_t i = 0; i < p->nnames; i++) {
		free(p->names[i].expression);
		free(p->names[i].symbol);
	}
	free(p->headers);
	free(p->names);
	free(p->source);
	free(p->name);
	free(p->log);
	free(p->object);
	free(p);
}

static bool take_headers(struct rtc_program *p, const char *const *headers, const char *const *names)
{
	p->headers = calloc(p->nheaders + 1, sizeof *p->headers);
	for (size_t i = 0; p->headers && i < p->nheaders; i++) {
		p->headers[i] = (struct rtc_header){ strdup(names[i]), strdup(headers[i]) };
		if (!p->headers[i].name || !p->headers[i].text)
			return false;
	}
	return p->headers;
}

enum rtc_result rtc_create(struct rtc_program **out, const char *source, const char *name, int nheaders,
			   const char *const *headers, const char *const *header_names)
{
	struct rtc_program *p;

	if (!out || !source || nheaders < 0 || (nheaders && (!headers || !header_names)))
		return RTC_ERROR_INVALID_INPUT;
	for (int i = 0; i < nheaders; i++)
		if (!headers[i] || !header_names[i] || *header_names[i] == '/' || strstr(header_names[i], ".."))
			return RTC_ERROR_INVALID_INPUT;
	p = calloc(1, sizeof *p);
	if (!p)
		return RTC_ERROR_OUT_OF_MEMORY;
	p->source = strdup(source + (strncmp(source, "\xef\xbb\xbf", 3) ? 0 : 3));        /* without UTF-8's mark */
	p->name = strdup(name && *name ? name : "default_program");
	p->nheaders = (size_t)nheaders;
	if (!p->source || !p->name || !take_headers(p, headers, header_names)) {
		release(p);
		return RTC_ERROR_OUT_OF_MEMORY;
	}
	pthread_mutex_lock(&lock);
	p->next = programs;
	programs = p;
	pthread_mutex_unlock(&lock);
	*out = p;
	return RTC_SUCCESS;
}

struct rtc_program *rtc_find(const void *handle)
{
	struct rtc_program *p;

	pthread_mutex_lock(&lock);
	for (p = programs; p && p != handle; p = p->next)
		;
	pthread_mutex_unlock(&lock);
	return p;
}

enum rtc_result rtc_destroy(struct rtc_program **handle)
{
	struct rtc_program **p, *gone;

	if (!handle)
		return RTC_ERROR_INVALID_INPUT;
	pthread_mutex_lock(&lock);
	for (p = &programs; *p && *p != *handle; p = &(*p)->next)
		;
	gone = *p;
	if (gone)
		*p = gone->next;
	pthread_mutex_unlock(&lock);
	if (!gone)
		return RTC_ERROR_INVALID_PROGRAM;
	release(gone);
	*handle = NULL;
	return RTC_SUCCESS;
}

/* ---- the log ---- */

void rtc_log_add(struct rtc_program *p, const char *text, size_t n)
{
	char *more = realloc(p->log, p->log_bytes + n + 1);

	if (!more)
		return;
	p->log = more;
	memcpy(p->log + p->log_bytes, text, n);
	p->log_bytes += n;
	p->log[p->log_bytes] = '\0';
}

void rtc_say(struct rtc_program *p, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof text - 1, fmt, ap);
	va_end(ap);
	n = n < (int)sizeof text - 2 ? n : (int)sizeof text - 2;
	text[n] = '\n';
	rtc_log_add(p, text, (size_t)n + 1);
}

enum rtc_result rtc_log_size(const struct rtc_program *p, size_t *bytes)
{
	if (!bytes)
		return RTC_ERROR_INVALID_INPUT;
	*bytes = p->log_bytes + 1;
	return RTC_SUCCESS;
}

enum rtc_result rtc_log(const struct rtc_program *p, char *to)
{
	if (!to)
		return RTC_ERROR_INVALID_INPUT;
	memcpy(to, p->log ? p->log : "", p->log_bytes + 1);
	return RTC_SUCCESS;
}

static void take_log(void *context, const char *text, size_t n) { rtc_log_add(context, text, n); }

/* ---- headers by name: files of a temporary folder ---- */

struct folder { char path[256]; };

static bool write_header(const struct folder *f, const struct rtc_header *h)
{
	char path[512];
	int n = snprintf(path, sizeof path, "%s/%s", f->path, h->name);
	FILE *to;

	if (n >= (int)sizeof path)
		return false;
	for (char *slash = path + strlen(f->path) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	to = fopen(path, "w");
	if (!to)
		return false;
	fputs(h->text, to);
	return !fclose(to);
}

static bool write_headers(const struct rtc_program *p, struct folder *f)
{
	const char *below = getenv("TMPDIR");
	int n = snprintf(f->path, sizeof f->path, "%s/warpbeam-XXXXXX", below && *below == '/' ? below : "/tmp");

	if (!p->nheaders || n >= (int)sizeof f->path || !mkdtemp(f->path)) {
		f->path[0] = '\0';
		return !p->nheaders;
	}
	for (size_t i = 0; i < p->nheaders; i++)
		if (!write_header(f, &p->headers[i]))
			return false;
	return true;
}

static void remove_headers(const struct rtc_program *p, const struct folder *f)
{
	char path[512];

	if (!*f->path)
		return;
	for (size_t i = 0; i < p->nheaders; i++) {
		snprintf(path, sizeof path, "%s/%s", f->path, p->headers[i].name);
		unlink(path);
		for (char *slash = strrchr(path, '/'); slash > path + strlen(f->path); slash = strrchr(path, '/')) {
			*slash = '\0';
			rmdir(path);
		}
	}
	rmdir(f->path);
}

/* ---- compilation ---- */

/* The source for the compiler: assert and printf are known without a header, functions without a word for a side
 * are both sides', and a variable has the address of each name. */
static char *make_text(const struct rtc_program *p, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);

	if (!f)
		return NULL;
	fprintf(f, "#include <assert.h>\n#include <stdio.h>\n#pragma clang force_cuda_host_device begin\n#line 1\n%s\n",
		p->source);
	for (size_t i = 0; i < p->nnames; i++)
		fprintf(f, "#line 1 \"name expression %zu\"\nextern \"C\" __attribute__((used)) __device__ "
			"const volatile void *" RTC_VARIABLE "%zu = (const volatile void *)(%s);\n", i, i,
			p->names[i].expression);
	fputs("#pragma clang force_cuda_host_device end\n", f);
	return fclose(f) ? NULL : text;
}

static bool take_object(struct rtc_program *p, const struct rtc_language *l, const struct wb_program *from)
{
	struct wb_file file;
	size_t ending = strlen(l->ending);

	for (unsigned i = 0; wb_program_file(from, i, &file); i++) {
		size_t n = strlen(file.name);
		if (n <= ending || strcmp(file.name + n - ending, l->ending))
			continue;
		p->object = malloc(file.size + 1);
		if (!p->object)
			return false;
		memcpy(p->object, file.bytes, file.size);
		p->object[file.size] = '\0';
		p->object_bytes = file.size;
		return true;
	}
	return false;
}

static enum rtc_result load(struct rtc_program *p, const struct rtc_language *l, const struct wb_config *c)
{
	struct wb_program *loaded = NULL;
	struct wb_diag d = { 0 };
	size_t size;
	char *text = make_text(p, &size);
	enum wb_status s;

	if (!text)
		return RTC_ERROR_OUT_OF_MEMORY;
	s = wb_program_load(text, size, p->name, c, &loaded, &d);
	free(text);
	if (s != WB_OK && !(p->log && strstr(p->log, d.text)))
		rtc_say(p, "%s(%d): error: %s", p->name, (int)d.line, d.text);
	bool taken = s == WB_OK && take_object(p, l, loaded);
	wb_program_free(loaded);
	if (taken && (!p->nnames || l->find_names(p)))
		return RTC_SUCCESS;
	free(p->object);
	p->object = NULL;
	return s != WB_OK ? RTC_ERROR_COMPILATION : taken ? RTC_ERROR_NAME_EXPRESSION_NOT_VALID
							     : RTC_ERROR_INTERNAL_ERROR;
}

enum rtc_result rtc_compile(struct rtc_program *p, const struct rtc_language *l, int noptions,
			    const char *const *options)
{
	struct wb_config *c;
	struct wb_diag d;
	struct folder f;
	enum rtc_result e = RTC_SUCCESS;

	if (noptions < 0 || (noptions && !options))
		return RTC_ERROR_INVALID_INPUT;
	c = wb_config_new();
	if (!c)
		return RTC_ERROR_OUT_OF_MEMORY;
	free(p->log);
	free(p->object);
	p->log = NULL;
	p->object = NULL;
	p->log_bytes = 0;
	p->tried = true;
	p->machine = false;
	wb_config_log(c, take_log, p);
	wb_config_set(c, "define", "__WARPBEAM_RTC__", &d);
	if (!rtc_options(p, l, c, noptions, options))
		e = RTC_ERROR_INVALID_OPTION;
	else if (!write_headers(p, &f) || (*f.path && wb_config_set(c, "include", f.path, &d) != WB_OK))
		e = RTC_ERROR_OUT_OF_MEMORY;
	if (e != RTC_ERROR_INVALID_OPTION) {
		e = e == RTC_SUCCESS ? load(p, l, c) : e;
		remove_headers(p, &f);
	}
	wb_config_free(c);
	return e;
}

enum rtc_result rtc_object_size(const struct rtc_program *p, const struct rtc_language *l, size_t *bytes)
{
	if (!bytes)
		return RTC_ERROR_INVALID_INPUT;
	*bytes = p->object ? p->object_bytes + l->nul : 0;
	return p->object ? RTC_SUCCESS : RTC_ERROR_INVALID_PROGRAM;
}

enum rtc_result rtc_object(const struct rtc_program *p, const struct rtc_language *l, char *to)
{
	if (!to || !p->object)
		return to ? RTC_ERROR_INVALID_PROGRAM : RTC_ERROR_INVALID_INPUT;
	memcpy(to, p->object, p->object_bytes + l->nul);
	return RTC_SUCCESS;
}

/* ---- names ---- */

enum rtc_result rtc_add_name(struct rtc_program *p, const char *expression)
{
	struct rtc_name *more;

	if (!expression || !*expression)
		return RTC_ERROR_INVALID_INPUT;
	if (p->tried)
		return RTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
	more = realloc(p->names, (p->nnames + 1) * sizeof *more);
	if (!more)
		return RTC_ERROR_OUT_OF_MEMORY;
	p->names = more;
	more[p->nnames] = (struct rtc_name){ strdup(expression), NULL };
	p->nnames += more[p->nnames].expression != NULL;
	return RTC_SUCCESS;
}

enum rtc_result rtc_symbol(struct rtc_program *p, const char *expression, const char **symbol)
{
	if (!expression || !symbol)
		return RTC_ERROR_INVALID_INPUT;
	if (!p->object)
		return RTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
	for (size_t i = 0; i < p->nnames; i++)
		if (!strcmp(p->names[i].expression, expression)) {
			*symbol = p->names[i].symbol;
			return RTC_SUCCESS;
		}
	return RTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
