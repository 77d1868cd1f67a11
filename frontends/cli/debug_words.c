/* Completion of the debugger's lines: the words that may stand at a place. */
#include <stdio.h>
#include <string.h>

#include "frontends/cli/debug.h"

typedef void add_fn(void *to, const char *text);

static void add_each(const char *words, add_fn *add, void *to)
{
	char text[64];
	for (const char *p = words; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");
		snprintf(text, sizeof text, "%.*s", (int)n, p);
		add(to, text);
		p += n;
	}
}

static void add_commands(add_fn *add, void *to)
{
	const char *names;
	char name[32];
	for (unsigned i = 0; (names = debug_command(i)); i++) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(names, " "), names);
		add(to, name);
	}
}

static void add_labels(const struct debug *g, add_fn *add, void *to)
{
	struct wb_code code;
	for (uint32_t pc = 0; wb_launch_code(g->launch, pc, &code); pc += code.length)
		if (code.label)
			add(to, code.label);
}

static bool has_register(const struct debug *g, const char *name)
{
	uint32_t lanes[WB_LANES];
	return wb_launch_read_register(g->launch, g->block, g->warp, name, lanes, NULL) == WB_OK;
}

/* Those that the warp has; of vectors the first component. */
static void add_registers(const struct debug *g, add_fn *add, void *to)
{
	static const char *const files[] = {"$r", "$c", "$a", "$v", "$o"};
	char name[24];
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (unsigned n = 0; n < 256; n++) {
			snprintf(name, sizeof name, "%s%u", files[i], n);
			if (!has_register(g, name))
				snprintf(name, sizeof name, "%s%u.x", files[i], n);
			if (!has_register(g, name))
				break;
			add(to, name);
		}
}

/* Variables of the source in scope at the selected warp. */
static void add_variables(const struct debug *g, add_fn *add, void *to)
{
	struct wb_warp w;
	const char *name;
	if (!wb_launch_find_warp(g->launch, g->block, g->warp, &w))
		return;
	for (unsigned i = 0; (name = wb_launch_variable_name(g->launch, w.pc, i)); i++)
		add(to, name);
}

void debug_complete(void *context, const char *line, const char *word, add_fn *add, void *to)
{
	const struct debug *g = context;
	char first[32];
	line += strspn(line, " ");
	snprintf(first, sizeof first, "%.*s", (int)strcspn(line, " /"), line);
	const char *names = debug_names(first);
	if (word <= line || !names) {
		add_commands(add, to);
		return;
	}
	size_t n = strcspn(names, " ");
	bool until = !strncmp(names, "until", n) || !strncmp(names, "reverse-until", n);
	if (!strncmp(names, "info", n)) {
		add_each("locals warps stack locks barriers occupancy break where", add, to);
	} else if (!strncmp(names, "help", n)) {
		add_commands(add, to);
	} else {
		if (until)
			add_each("divergence rejoin barrier lock", add, to);
		add_variables(g, add, to);
		add_labels(g, add, to);
		add_registers(g, add, to);
		add_each("pc mask full executed lanes depth block warp cycle issue s[ g[", add, to);
	}
}
