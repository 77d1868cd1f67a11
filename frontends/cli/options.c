/* Options: the verb's own, a run's (the API's table) and the general ones become one table for
 * getopt_long. */
#include "frontends/cli/cli.h"
#include "frontends/cli/verbs.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct opt general_options[] = {
	{"json", 0, OPT_SWITCH, NULL, NULL, "General", "report as JSON on stdout", false},
	{"quiet", 'q', OPT_SWITCH, NULL, NULL, "General", "no warnings and no progress", false},
	{"verbose", 'v', OPT_SWITCH, NULL, NULL, "General", "print more", false},
	{"color", 0, OPT_VALUE, "auto|always|never", "auto", "General",
	 "colours (auto: on a terminal, unless NO_COLOR is set)", false},
	{"help", 'h', OPT_SWITCH, NULL, NULL, "General", "this text", false},
	{"version", 'V', OPT_SWITCH, NULL, NULL, "General", "the version; with -v the parts it is made of", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

const char *opt_name(const struct opt *o, char text[OPT_NAME])
{
	bool on = o->kind == OPT_SWITCH && o->fallback && !strcmp(o->fallback, "on");
	snprintf(text, OPT_NAME, "%s%s", on ? "no-" : "", o->name);
	return text;
}

/* getopt's `val` of an option: the index in the table, plus NEGATED for a --no- form. */
enum { FIRST_VAL = 256, NEGATED = 4096 };

static bool listed(const char *names, const char *name)
{
	if (!names)
		return false;
	if (!strcmp(names, "*"))
		return true;
	size_t n = strlen(name);
	for (const char *p = names; (p = strstr(p, name)); p += n)
		if ((p == names || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

static void add_option(struct cli *c, const struct opt *o)
{
	for (size_t i = 0; i < c->nknown; i++)
		if (!strcmp(c->known[i].name, o->name))
			return;
	c->known = grow(c->known, (c->nknown + 2) * sizeof *c->known);
	c->known[c->nknown++] = *o;
	c->known[c->nknown] = (struct opt){.name = NULL};
}

/* Short forms of options of a run, as compilers have them. */
static char letter_of(const char *name)
{
	static const struct { const char *name; char letter; } letters[] = {
		{"define", 'D'}, {"include", 'I'}, {"optimize", 'O'},
	};
	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
		if (!strcmp(letters[i].name, name))
			return letters[i].letter;
	return 0;
}

/* The options that every verb has; of a verb with another program's words, those that the program has as well. */
static void gather_general(struct cli *c)
{
	for (const struct opt *o = general_options; o->name; o++)
		if (!is_foreign(c->verb) || !strcmp(o->name, "help") || !strcmp(o->name, "version"))
			add_option(c, o);
}

static void gather_options(struct cli *c)
{
	for (const struct opt *o = c->verb->options; o && o->name; o++)
		if (o->kind != OPT_FOREIGN)
			add_option(c, o);
	const struct wb_option_info *info;
	for (unsigned i = 0; (info = wb_option(i)); i++) {
		if (!listed(c->verb->config_options, info->name))
			continue;
		enum opt_kind kind = info->kind == WB_OPT_SWITCH ? OPT_SWITCH : OPT_VALUE;
		add_option(c, &(struct opt){ info->name, letter_of(info->name), kind, info->argument, info->fallback,
					     info->group, info->help, true });
	}
	gather_general(c);
}

static char *no_name(const char *name)
{
	char *no = NULL;
	if (asprintf(&no, "no-%s", name) < 0)
		abort();
	return no;
}

/* The tables of getopt_long. The caller frees *longs and the --no- names in it. */
static void getopt_tables(const struct cli *c, struct option **longs, char *shorts)
{
	size_t n = 0;
	*longs = calloc(2 * c->nknown + 1, sizeof **longs);
	*shorts++ = ':';
	for (size_t i = 0; i < c->nknown; i++) {
		const struct opt *o = &c->known[i];
		int has = o->kind == OPT_SWITCH ? no_argument : required_argument;
		(*longs)[n++] = (struct option){o->name, has, NULL, FIRST_VAL + (int)i};
		if (o->kind == OPT_SWITCH)
			(*longs)[n++] = (struct option){no_name(o->name), no_argument, NULL, NEGATED + (int)i};
		if (o->letter) {
			*shorts++ = o->letter;
			if (has == required_argument)
				*shorts++ = ':';
		}
	}
	*shorts = '\0';
}

static void free_tables(struct option *longs)
{
	for (struct option *o = longs; o->name; o++)
		if (o->val >= NEGATED)
			free((char *)o->name);
	free(longs);
}

static const struct opt *option_of(const struct cli *c, int val)
{
	if (val >= FIRST_VAL)
		return &c->known[(val - FIRST_VAL) % (NEGATED - FIRST_VAL)];
	for (size_t i = 0; val && i < c->nknown; i++)
		if (c->known[i].letter == val)
			return &c->known[i];
	return NULL;
}

/* The way to the effect that a user of the name wants; NULL: none. verb "": any verb. */
static const char *way_of(const char *verb, const char *name)
{
	static const struct { const char *verb, *name, *way; } ways[] = {
		{"compare", "csv", "--json has the rows; 'warpbeam sweep PLAN.json' writes CSV"},
		{"run", "output", "--out for vertices and pictures, --stats for the statistics, --trace for a trace"},
		{"run", "o", "--out for vertices and pictures, --stats for the statistics, --trace for a trace; a page "
		 "of the run: 'warpbeam report -o'"},
		{"occ", "block", "a block has --threads N"},
		{"", "global-size", "--grid G and --block B have G * B threads: 256 are --grid 4 --block 64"},
		{"", "local-size", "--block X,Y,Z"},
		{"", "c", "a build option of OpenCL is a value: --cl-flag=-cl-fast-relaxed-math"},
		{"", "w", "a build option of OpenCL is a value: --cl-flag=-w"},
		{"", "threads-per-block", "--block X,Y,Z"},
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if ((!*ways[i].verb || !strcmp(ways[i].verb, verb)) && !strcmp(ways[i].name, name))
			return ways[i].way;
	return NULL;
}

static bool unknown_option(const struct cli *c, const char *word)
{
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word + strspn(word, "-"), "="), word + strspn(word, "-"));
	const char *names[c->nknown + 1];
	for (size_t i = 0; i <= c->nknown; i++)
		names[i] = c->known[i].name;
	const char *near = wb_nearest(name, names), *way = way_of(c->verb->name, name);
	if (way)
		complain(WB_USAGE, "unknown option '%s' of %s: %s", word, c->verb->name, way);
	else if (near)
		complain(WB_USAGE, "unknown option '%s' of %s; did you mean '--%s'?", word, c->verb->name, near);
	else
		complain(WB_USAGE, "unknown option '%s' of %s; 'warpbeam %s --help' lists them", word, c->verb->name,
			 c->verb->name);
	return false;
}

/* An axis of a sweep has commas between values, "rr,gto": the option takes each value, and not the text as a whole.
 * Names of chips are looked up when a program is there. */
static bool is_axis(const struct cli *c, const struct opt *o, const char *text)
{
	struct wb_config *each = wb_config_new();
	struct wb_diag d;
	char *copy = strdup(text), *rest = copy, *part;
	bool good = o->config && c->verb->options == sweep_options && strchr(text, ',') && copy && each;
	if (strcmp(o->name, "chip"))
		good = good && wb_config_set(each, o->name, text, &d) != WB_OK;
	while (good && (part = strsep(&rest, ",")))
		good = *part && wb_config_set(each, o->name, part, &d) == WB_OK;
	free(copy);
	wb_config_free(each);
	return good;
}

static bool take(struct cli *c, const struct opt *o, const char *text)
{
	struct wb_diag d;
	bool axis = is_axis(c, o, text);
	if (o->config && !axis && wb_config_set(c->config, o->name, text, &d) != WB_OK) {
		if (d.status == WB_ENV) /* the only way it can fail for the host */
			no_memory();
		complain_diag(&d);
		return false;
	}
	c->values = grow(c->values, (c->nvalues + 1) * sizeof *c->values);
	c->values[c->nvalues++] = (struct value){o->name, text, axis};
	return true;
}

static bool read_options(struct cli *c, int argc, char **argv)
{
	struct option *longs;
	char shorts[2 * 64 + 2];
	int dashes = 1; /* index of "--", the end of the words that getopt moves */
	while (dashes < argc && strcmp(argv[dashes], "--"))
		dashes++;
	getopt_tables(c, &longs, shorts);
	bool ok = true;
	int val;
	opterr = 0;
	optind = 0;
	while (ok && (val = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct opt *o = option_of(c, val == ':' || val == '?' ? optopt : val);
		if (val == ':')
			complain(WB_USAGE, "option '%s' needs %s", argv[optind - 1],
				 o && o->argument ? o->argument : "a value");
		else if (val == '?' && o)
			complain(WB_USAGE, "option '--%s' is a switch; found '%s'", o->name, argv[optind - 1]);
		else if (val == '?' && optopt)
			unknown_option(c, (char[]){'-', (char)optopt, '\0'});
		else if (val == '?')
			unknown_option(c, argv[optind - 1]);
		ok = val != ':' && val != '?' && take(c, o, optarg ? optarg : val >= NEGATED ? "off" : "on");
	}
	free_tables(longs);
	c->operands = argv + optind;
	c->noperands = (size_t)(argc - optind);
	c->dashes = dashes < argc;
	c->program = argv + dashes + c->dashes;
	c->nprogram = (size_t)(argv + argc - c->program);
	return ok;
}

static bool wants_color(const struct cli *c)
{
	const char *when = cli_value(c, "color"), *no = getenv("NO_COLOR");
	if (!strcmp(when, "auto"))
		return isatty(STDOUT_FILENO) && !(no && *no);
	return !strcmp(when, "always");
}

static bool is_color_choice(const struct cli *c)
{
	const char *when = cli_value(c, "color");
	if (!strcmp(when, "auto") || !strcmp(when, "always") || !strcmp(when, "never"))
		return true;
	complain(WB_USAGE, "option '--color' is auto, always or never; found '%s'", when);
	return false;
}

/* Hours of work are not to end at a file without a place. The traces of a whole program are a folder, made by
 * run_program. */
static bool outputs_can_be_written(const struct cli *c, enum wb_status *status)
{
	struct wb_diag d;
	for (const struct opt *o = c->known; o->name; o++) {
		bool used = o->kind == OPT_OUTPUT && (cli_given(c, o->name) || !c->json);
		const char *path = used ? cli_value(c, o->name) : NULL;
		if (path && !(c->dashes && !strcmp(o->name, "trace")) && !stream_check(path, &d)) {
			*status = complain_diag(&d);
			return false;
		}
	}
	return true;
}

/* A compiler looks in the other folders without a word. */
static void warn_of_missing_folders(const struct cli *c)
{
	char *all = strdup(wb_config_get(c->config, "include")), *rest = all, *folder;
	struct stat at;
	while ((folder = strsep(&rest, "\n")))
		if (*folder && !c->quiet && (stat(folder, &at) != 0 || !S_ISDIR(at.st_mode)))
			complain(WB_OK, "warning: -I %s: there is no such folder", shown(folder));
	free(all);
}

bool cli_open(struct cli *c, const struct verb *v, int argc, char **argv, enum wb_status *status)
{
	*c = (struct cli){.verb = v, .config = wb_config_new()};
	gather_options(c);
	*status = WB_USAGE;
	if (is_foreign(v)) {
		c->program = argv + 1;
		c->nprogram = (size_t)argc - 1;
		return true;
	}
	if (!read_options(c, argc, argv) || !is_color_choice(c))
		return false;
	c->quiet = cli_on(c, "quiet");
	c->verbose = cli_on(c, "verbose");
	c->json = cli_on(c, "json");
	c->color = wants_color(c);
	*status = WB_OK;
	if (cli_on(c, "help"))
		help_verb(stdout, v, c->known);
	else if (cli_on(c, "version"))
		print_version(c->verbose);
	else {
		warn_of_missing_folders(c);
		return outputs_can_be_written(c, status);
	}
	return false;
}

void cli_close(struct cli *c)
{
	wb_config_free(c->config);
	free(c->values);
	free(c->known);
}

const char *cli_next(const struct cli *c, const char *name, size_t *at)
{
	while (*at < c->nvalues) {
		const struct value *v = &c->values[(*at)++];
		if (!strcmp(v->name, name))
			return v->text;
	}
	return NULL;
}

const char *cli_value(const struct cli *c, const char *name)
{
	const char *last = NULL, *text;
	size_t at = 0;
	while ((text = cli_next(c, name, &at)))
		last = text;
	for (size_t i = 0; !last && i < c->nknown; i++)
		if (!strcmp(c->known[i].name, name))
			return c->known[i].fallback;
	return last;
}

const char **cli_list(const struct cli *c, const char *name)
{
	const char **list = grow(NULL, (c->nvalues + 1) * sizeof *list);
	size_t n = 0, at = 0;
	while ((list[n] = cli_next(c, name, &at)))
		n++;
	return list;
}

bool cli_on(const struct cli *c, const char *name)
{
	const char *text = cli_value(c, name);
	return text && !strcmp(text, "on");
}

bool cli_given(const struct cli *c, const char *name)
{
	size_t at = 0;
	return cli_next(c, name, &at) != NULL;
}

bool cli_number(const struct cli *c, const char *name, unsigned long max, unsigned long *out)
{
	const struct opt *o = c->known;
	while (o->name && strcmp(o->name, name))
		o++;
	const char *text = cli_value(c, name);
	bool size = o->argument && !strcmp(o->argument, "BYTES"), good;
	uint64_t bytes = 0;
	char *end = NULL;
	errno = 0;
	*out = text && !size ? strtoul(text, &end, 0) : 0;
	if (size)
		good = text && wb_size(text, &bytes) && (*out = bytes) <= max;
	else
		good = text && end != text && !*end && !errno && *out <= max && text[0] != '-';
	if (good)
		return true;
	if (text)
		complain(WB_USAGE, "option '--%s' expects a number from 0 to %lu%s; found '%s'", name, max,
			 size ? ", in bytes or as 4K" : "", text);
	else
		complain(WB_USAGE, "%s needs --%s", c->verb->name, name);
	return false;
}

const char *cli_operand(const struct cli *c, const char *what)
{
	if (c->noperands == 1)
		return c->operands[0];
	if (c->noperands)
		complain(WB_USAGE, "%s takes one %s; found '%s' as well%s", c->verb->name, what, c->operands[1],
			 c->verb->options == sweep_options ? " (--axis file=A,B takes several programs)" : "");
	else
		complain(WB_USAGE, "%s needs a %s; see 'warpbeam %s --help'", c->verb->name, what,
			 c->verb->name);
	return NULL;
}
