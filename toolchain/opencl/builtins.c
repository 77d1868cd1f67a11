#include "toolchain/opencl/builtins.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "toolchain/build_options.h"

/* builtins.cl, line by line; NULL at the end (made by toolchain/opencl/builtins.sh). */
extern const char *const opencl_builtins_lines[];

struct buffer {
	struct arena *arena;
	char *text;
	size_t n, capacity;
	bool failed;
};

static void append(struct buffer *b, const char *text)
{
	size_t n = strlen(text);

	if (b->n + n + 1 > b->capacity) {
		char *grown = arena_alloc(b->arena, b->capacity = 2 * b->capacity + n + 4096, 1);
		b->failed |= !grown;
		if (b->failed)
			return;
		memcpy(grown, b->text ? b->text : "", b->n);
		b->text = grown;
	}
	memcpy(b->text + b->n, text, n + 1);
	b->n += n;
}

/* Whether a call "(0)", "(1)" or "(2)" begins at p. */
static bool usual_dimension(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return end - p >= 3 && p[0] == '(' && p[1] >= '0' && p[1] <= '2' && p[2] == ')';
}

/* Whether the identifier of n bytes at p is one of a section's names ("//: NAME NAME* NAME*PART NAME()"). */
static bool is_named(const char *names, const char *p, size_t n, const char *end)
{
	size_t length;

	for (; *names && *names != '\n'; names += length) {
		names += strspn(names, " ");
		length = strcspn(names, " \n");
		const char *star = memchr(names, '*', length);
		bool call = length > 2 && names[length - 1] == ')';
		size_t whole = call ? length - 2 : length;
		if (star) {     /* what begins like the part before the star and has the part between two stars */
			size_t head = (size_t)(star - names), tail = length - head - 1;
			tail -= tail && star[tail] == '*';
			if (n >= head && !memcmp(names, p, head) &&
			    (!tail || memmem(p + head, n - head, star + 1, tail)))
				return true;
		} else if (n == whole && !memcmp(names, p, n) && !(call && usual_dimension(p + n, end))) {
			return true;
		}
	}
	return false;
}

/* Behind a comment or a string that begins at p; p itself: none does. */
static const char *behind_words(const char *p, const char *end)
{
	const char *stop = p;

	if (end - p > 1 && p[0] == '/' && p[1] == '*')
		stop = memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
	else if (end - p > 1 && p[0] == '/' && p[1] == '/')
		stop = memchr(p, '\n', (size_t)(end - p));
	else if (*p == '"' || *p == '\'')
		for (stop = p + 1; stop < end && *stop != *p && *stop != '\n'; stop++)
			stop += *stop == '\\';
	return stop && stop < end ? stop : end;
}

static bool names_one(const char *names, const char *source, size_t size)
{
	const char *end = source + size;

	for (const char *p = source; p < end; p++) {
		const char *begin = p = behind_words(p, end);
		while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
			p++;
		if (p > begin && !isdigit((unsigned char)*begin) && is_named(names, begin, (size_t)(p - begin), end))
			return true;
	}
	return false;
}

/* An #undef for each #define of the prologue, so that no name of the prologue reaches the source. */
static void append_undefinitions(struct buffer *to, const char *const *preamble)
{
	for (; *preamble && strncmp(*preamble, "//: ", 4); preamble++)
		if (!strncmp(*preamble, "//> #define ", 12)) {
			char line[80];
			size_t n = strcspn(*preamble + 12, "( \n");
			snprintf(line, sizeof line, "#undef %.*s\n", (int)n, *preamble + 12);
			append(to, line);
		}
}

/* Names of the section that a line begins; NULL: the line begins none. */
static const char *section(const char *line, bool new_hidden, bool ptx, const struct build_options *o)
{
	if (!strncmp(line, "//C: ", 5))
		return o->checks_barriers ? line + 5 : "";
	if (!strncmp(line, "//B: ", 5))
		return o->checks_bounds ? line + 5 : "";
	if (!strncmp(line, "//5: ", 5))
		return new_hidden && !ptx ? line + 5 : "";
	if (!strncmp(line, "//4: ", 5))
		return !new_hidden && !ptx ? line + 5 : "";
	if (!strncmp(line, "//P: ", 5))
		return ptx ? line + 5 : "";
	if (!strncmp(line, "//A: ", 5))
		return ptx ? "" : line + 5;
	return strncmp(line, "//: ", 4) ? NULL : line + 4;
}

bool opencl_builtins(struct arena *a, const char *source, size_t size, bool new_hidden, bool ptx,
		     const struct build_options *o, struct opencl_builtins *out)
{
	struct buffer ours = { .arena = a }, before = { .arena = a };
	bool in = true, any = false, renamed = false;

	append(&ours, "#define WB_OURS\n");
	for (const char *const *line = opencl_builtins_lines; *line; line++) {
		bool both = !strncmp(*line, "//> ", 4);
		const char *names = section(*line, new_hidden, ptx, o);
		if (names) {
			in = names_one(names, source, size);
			any |= in;
		} else if (in) {
			append(&ours, both ? *line + 4 : *line);
			if (both)
				append(&before, *line + 4);
			renamed |= both && any;
		}
	}
	append_undefinitions(&before, opencl_builtins_lines);
	*out = (struct opencl_builtins){ any ? ours.text : "", renamed ? before.text : "" };
	return !ours.failed && !before.failed;
}

void opencl_builtins_hash(struct sha256 *s)
{
	for (const char *const *line = opencl_builtins_lines; *line; line++)
		sha256_add(s, *line, strlen(*line));
}
