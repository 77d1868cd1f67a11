/* docs: pages made from the tables of verbs, options and keys, so that pages and tables cannot disagree. */
#include <ctype.h>
#include <string.h>

#include "frontends/cli/gallery.h"
#include "frontends/cli/laboratory.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/metrics.h"
#include "frontends/program/program.h"
#include "frontends/view/app.h"
#include "frontends/view/keys.h"

const struct opt docs_options[] = {
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

/* Every option of a verb; cli_close when done. */
static bool options_of(const struct verb *v, struct cli *c)
{
	enum wb_status status;
	char name[32];
	snprintf(name, sizeof name, "%s", v->name);
	return cli_open(c, v, 1, (char *[]){name, NULL}, &status);
}

/* ---- manual pages, in scdoc's language ---- */

static void plain(const char *text, size_t n)
{
	for (size_t i = 0; i < n && text[i]; i++) {
		if (strchr("\\*_<>[]#`~", text[i]) || (!i && strchr("-.|", text[i])))
			putchar('\\');
		putchar(text[i]);
	}
}

static void man_options(const struct opt *known)
{
	char name[OPT_NAME];
	for (const struct opt *o = known; o->name; o++) {
		putchar('*');
		if (o->letter)
			printf("-%c*, *", o->letter);
		plain("--", 2);
		plain(opt_name(o, name), OPT_NAME);
		putchar('*');
		if (o->kind != OPT_SWITCH) {
			fputs(" _", stdout);
			plain(o->argument && *o->argument ? o->argument : "VALUE", 200);
			putchar('_');
		}
		fputs("\n\t", stdout);
		plain(o->help, strlen(o->help));
		if (o->fallback && *o->fallback && o->kind != OPT_SWITCH) {
			fputs(" (default: ", stdout);
			plain(o->fallback, strlen(o->fallback));
			putchar(')');
		}
		fputs("\n\n", stdout);
	}
}

static void man_examples(const char *examples)
{
	fputs("# EXAMPLES\n\n", stdout);
	while (*examples) {
		size_t length = strcspn(examples, "\n");
		const char *gap = strstr(examples, "  ");
		bool found = gap && gap < examples + length;
		plain(examples, found ? (size_t)(gap - examples) : length);
		fputs("\n", stdout);
		if (found) {
			fputs("\t", stdout);
			plain(gap + 2, (size_t)(examples + length - gap - 2));
			fputs("\n", stdout);
		}
		fputs("\n", stdout);
		examples += length + (examples[length] == '\n');
	}
}

static void man_exit_codes(void)
{
	const char *meaning;
	int code;
	fputs("# EXIT STATUS\n\n", stdout);
	for (unsigned i = 0; (meaning = exit_code(i, &code)); i++) {
		printf("*%d*\n\t", code);
		plain(meaning, strlen(meaning));
		fputs("\n\n", stdout);
	}
}

static void man_page(const struct verb *v, const struct opt *known)
{
	printf("warpbeam-%s(1)\n\n# NAME\n\nwarpbeam-%s - ", v->name, v->name);
	plain(v->purpose, strlen(v->purpose));
	printf("\n\n# SYNOPSIS\n\n*warpbeam %s* ", v->name);
	plain(v->usage, strlen(v->usage));
	fputs("\n\n# OPTIONS\n\n", stdout);
	man_options(known);
	man_examples(v->examples);
	man_exit_codes();
	fputs("# SEE ALSO\n\n*warpbeam*(1)\n", stdout);
}

static void man_verb(const char *name, const char *purpose)
{
	printf("*%s*\n\t", name);
	plain(purpose, strlen(purpose));
	fputs("\n\n", stdout);
}

/* warpbeam(1): verbs, programs that come with it, variables of the environment, exit codes. */
static void man_overview(void)
{
	fputs("warpbeam(1)\n\n# NAME\n\n"
	      "warpbeam - an emulator of GPU multiprocessors that shows what divergence costs\n\n# SYNOPSIS\n\n"
	      "*warpbeam* _VERB_ [OPTION]... [FILE]...\n\n"
	      "*warpbeam* _VERB_ *--help*\n\n# DESCRIPTION\n\n"
	      "Warpbeam runs programs of GPUs as their multiprocessors do: threads in warps, in lockstep under one "
	      "program counter and a mask. It tells what divergence cost and which branch caused it, and which warps "
	      "did not issue, and why. *--chip* lists the chips.\n\n"
	      "A _FILE_ is an assembly text, C for GPUs, a file from a compiler, or the name of an example. "
	      "_warpbeam run ifelse_ is a start.\n\n# VERBS\n\n"
	      "Each verb has a page of its own, *warpbeam-*_VERB_(1), with its options and examples.\n\n",
	      stdout);
	for (const struct verb *v = verbs; v->name; v++)
		man_verb(v->name, v->purpose);
	fputs("The laboratory, where it is installed, measures and proves Warpbeam itself:\n\n", stdout);
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++)
		if (!verb_find(v->name))
			man_verb(v->name, v->purpose);
	fputs("# EXAMPLES\n\nNames that stand for files wherever a program is expected:\n\n", stdout);
	for (const struct example *e = gallery; e->name; e++) {
		plain(e->name, strlen(e->name));
		fputs(e[1].name ? ", " : "\n\n", stdout);
	}
	fputs("# ENVIRONMENT\n\n", stdout);
	man_verb("NO_COLOR", "no colours, as *--color=never*");
	man_verb("XDG_CACHE_HOME", "the folder of compiled OpenCL C; else ~/.cache");
	man_exit_codes();
	fputs("# SEE ALSO\n\n", stdout);
	for (const struct verb *v = verbs; v->name; v++)
		printf("%s*warpbeam-%s*(1)", v == verbs ? "" : ", ", v->name);
	fputs("\n", stdout);
}

/* ---- completions ---- */

/* Print the words that an option takes, blanks between them; false: any text. */
static bool print_words(const struct opt *o)
{
	const char *a = o->argument, *sep = "";
	if (!strcmp(o->name, "pane")) {
		for (int i = 0; i < PANES; i++)
			printf("%s%s", i ? " " : "", pane_name((enum pane)i));
		return true;
	}
	for (const char *p = o->help; !strcmp(o->name, "chip") && *p; p += strspn(p, " ,;")) {
		char word[32];
		struct wb_chip chip;
		size_t n = strcspn(p, " ,;");
		snprintf(word, sizeof word, "%.*s", (int)n, p);
		if (strstr(o->help, word) == p && wb_chip(word, &chip, NULL) == WB_OK) {
			printf("%s%s", sep, word);
			sep = " ";
		}
		p += n;
	}
	if (!strcmp(o->name, "chip"))
		return true;
	if (!a || !strchr(a, '|') || strpbrk(a, "=:[ ,.") || !islower((unsigned char)*a))
		return false;
	for (; *a; a++)
		putchar(*a == '|' ? ' ' : *a);
	return true;
}

static bool has_words(const struct opt *o)
{
	const char *a = o->argument;
	return !strcmp(o->name, "pane") || !strcmp(o->name, "chip") ||
	       (a && strchr(a, '|') && !strpbrk(a, "=:[ ,.") && islower((unsigned char)*a));
}

static bool takes_program(const struct verb *v)
{
	return strstr(v->usage, "FILE") || !strcmp(v->name, "examples");
}

static void print_gallery(void)
{
	for (const struct example *e = gallery; e->name; e++)
		printf("%s%s", e == gallery ? "" : " ", e->name);
}

static void bash_verb(const struct verb *v, const struct opt *known)
{
	char name[OPT_NAME];
	printf("\t%s)\n\t\tcase $previous in\n", v->name);
	for (const struct opt *o = known; o->name; o++)
		if (has_words(o)) {
			printf("\t\t--%s) COMPREPLY=($(compgen -W \"", o->name);
			print_words(o);
			fputs("\" -- \"$word\")); return ;;\n", stdout);
		} else if (!strcmp(o->name, "kernel")) {
			fputs("\t\t--kernel) COMPREPLY=($(compgen -W "
			      "\"$(warpbeam docs kernels -- \"${COMP_WORDS[@]:2}\" 2>/dev/null)\" "
			      "-- \"$word\")); return ;;\n", stdout);
		}
	fputs("\t\tesac\n\t\toptions=\"", stdout);
	for (const struct opt *o = known; o->name; o++)
		printf("%s--%s", o == known ? "" : " ", opt_name(o, name));
	fputs("\"", stdout);
	if (takes_program(v))
		fputs(" programs=1", stdout);
	fputs(" ;;\n", stdout);
}

static void zsh_verb(const struct verb *v, const struct opt *known)
{
	char name[OPT_NAME];
	printf("\t%s) _arguments", v->name);
	for (const struct opt *o = known; o->name; o++) {
		printf(" \\\n\t\t'--%s[", opt_name(o, name));
		for (const char *p = o->help; *p; p++)
			if (!strchr("'[]:", *p))
				putchar(*p);
		putchar(']');
		if (o->kind != OPT_SWITCH)
			fputs(":value:", stdout);
		if (has_words(o)) {
			putchar('(');
			print_words(o);
			putchar(')');
		} else if (!strcmp(o->name, "kernel")) {
			fputs("{ compadd $(warpbeam docs kernels -- ${words[2,-1]} 2>/dev/null) }", stdout);
		}
		putchar('\'');
	}
	fputs(" \\\n\t\t'*:file:", stdout);
	if (takes_program(v)) {
		fputs("{ compadd ", stdout);
		print_gallery();
		fputs("; _files }", stdout);
	} else {
		fputs("_files", stdout);
	}
	fputs("' ;;\n", stdout);
}

static void fish_verb(const struct verb *v, const struct opt *known)
{
	char name[OPT_NAME];
	printf("complete -c warpbeam -n __fish_use_subcommand -a %s -d '%s'\n", v->name, v->purpose);
	if (takes_program(v)) {
		printf("complete -c warpbeam -n '__fish_seen_subcommand_from %s' -a '", v->name);
		print_gallery();
		fputs("'\n", stdout);
	}
	for (const struct opt *o = known; o->name; o++) {
		printf("complete -c warpbeam -n '__fish_seen_subcommand_from %s' -l %s", v->name, opt_name(o, name));
		if (o->letter)
			printf(" -s %c", o->letter);
		if (has_words(o)) {
			fputs(" -x -a '", stdout);
			print_words(o);
			putchar('\'');
		} else if (!strcmp(o->name, "kernel")) {
			fputs(" -x -a '(warpbeam docs kernels -- (commandline -opc)[3..-1] 2>/dev/null)'", stdout);
		} else if (o->kind != OPT_SWITCH) {
			fputs(" -r", stdout);
		}
		fputs(" -d '", stdout);
		for (const char *p = o->help; *p; p++)
			if (*p != '\'')
				putchar(*p);
		fputs("'\n", stdout);
	}
}

static void each_verb(void (*print)(const struct verb *v, const struct opt *known))
{
	for (const struct verb *v = verbs; v->name; v++) {
		struct cli c;
		if (options_of(v, &c))
			print(v, c.known);
		cli_close(&c);
	}
}

static void print_verbs(void)
{
	for (const struct verb *v = verbs; v->name; v++)
		printf("%s%s", v == verbs ? "" : " ", v->name);
}

/* The first words of command lines: verbs of the program and of the laboratory. */
static void print_first_words(void)
{
	print_verbs();
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++)
		printf(" %s", v->name);
}

static void bash(void)
{
	fputs("_warpbeam() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
	      "options= programs=\n"
	      "\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\tCOMPREPLY=($(compgen -W \"",
	      stdout);
	print_first_words();
	fputs("\" -- \"$word\"))\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n", stdout);
	each_verb(bash_verb);
	fputs("\tesac\n\tcase $word in\n\t-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
	      "\t*) COMPREPLY=($(compgen -f -- \"$word\"))\n\t\t[ -z \"$programs\" ] || COMPREPLY+=($(compgen -W \"",
	      stdout);
	print_gallery();
	fputs("\" -- \"$word\")) ;;\n\tesac\n}\n"
	      "complete -o filenames -F _warpbeam warpbeam\n",
	      stdout);
}

static void zsh(void)
{
	fputs("#compdef warpbeam\nif (( CURRENT == 2 )); then\n\tcompadd ", stdout);
	print_first_words();
	fputs("\n\treturn\nfi\nshift words\n(( CURRENT-- ))\ncase $words[1] in\n", stdout);
	each_verb(zsh_verb);
	fputs("esac\n", stdout);
}

static void fish(void)
{
	each_verb(fish_verb);
	for (const struct laboratory_verb *v = laboratory_verbs; v->name; v++)
		printf("complete -c warpbeam -n __fish_use_subcommand -a %s -d '%s'\n", v->name, v->purpose);
}

/* ---- keys and commands ---- */

static void cell(const char *text)
{
	for (; *text; text++)
		printf(*text == '|' ? "\\|" : "%c", *text);
}

static void keys(void)
{
	const struct key *k;
	const char *name, *arguments, *help;
	fputs("# Keys and commands of `view` and `tui`\n\nMade by `warpbeam docs keys` from the program's tables. "
	      "`S-` is Shift.\n\n"
	      "| key | effect | command |\n|---|---|---|\n",
	      stdout);
	for (unsigned i = 0; (k = key_at(i)); i++) {
		printf("| `%s` | ", k->key);
		cell(k->help);
		printf(" | `%s` |\n", k->command);
	}
	fputs("\nCommands are typed after `:`; Tab completes them, Up and Down walk the history. Conditions and "
	      "expressions\n"
	      "are the same as in `warpbeam debug`.\n\n| command | arguments | effect |\n|---|---|---|\n",
	      stdout);
	for (unsigned i = 0; (name = command_name(i, &arguments, &help)); i++) {
		printf("| `%s` | ", name);
		cell(arguments);
		fputs(" | ", stdout);
		cell(help);
		fputs(" |\n", stdout);
	}
	fputs("\nThe mouse: a click selects a warp, an instruction or a pane, and on the timeline goes to the "
	      "cycle; a drag\n"
	      "on the timeline measures cycles; hovering shows values; the wheel moves by rows, with Ctrl the wheel "
	      "zooms. A click\n"
	      "on a key of the bottom line, or on \"paused\", is the same as the key. The gallery: type to search,\n"
	      "Enter or a click opens, Esc quits.\n",
	      stdout);
}

/* ---- options of whole programs ---- */

static void programs(void)
{
	struct program_option o;
	fputs("# Options of whole programs\n\nMade by `warpbeam docs programs` from the program's table. An option "
	      "is for `warpbeam run\n[OPTION]... -- PROGRAM`, a variable for programs that find Warpbeam by "
	      "themselves. A variable with a bad value is one\nline on stderr, and counts as absent. "
	      "[How to run programs](../how-to/run-whole-programs.md).\n\n"
	      "| option | variable | value | effect |\n|---|---|---|---|\n",
	      stdout);
	for (unsigned i = 0; program_option(i, &o); i++) {
		printf(o.on_command_line ? "| `--%s` | " : "| | ", o.name);
		printf(*o.variable ? "`%s` | " : "| ", o.variable);
		cell(*o.argument ? o.argument : "on, off");
		fputs(" | ", stdout);
		cell(o.help);
		fputs(" |\n", stdout);
	}
}

/* For completions: the kernels, one a line, of the first program among the words of a command line. */
static enum wb_status kernels(const struct cli *c)
{
	struct wb_program *p = NULL;
	struct wb_diag d;
	for (size_t i = 1; !p && i < c->noperands; i++)
		named_program_open(c->operands[i], c->config, &p, &d);
	if (!p)
		return complain_diag(&d);
	for (unsigned i = 0; i < wb_program_kernels(p); i++)
		puts(shown(wb_program_kernel(p, i)->name));
	wb_program_free(p);
	return WB_OK;
}

static enum wb_status man(const char *name)
{
	const struct verb *v = name ? verb_find(name) : NULL;
	struct cli c;
	if (!name) {
		man_overview();
		return WB_OK;
	}
	if (!v)
		return complain(WB_USAGE, "docs man: there is no verb '%s'", name);
	if (options_of(v, &c))
		man_page(v, c.known);
	cli_close(&c);
	return WB_OK;
}

enum wb_status verb_docs(struct cli *c)
{
	static const struct {
		const char *name;
		void (*print)(void);
	} pages[] = {
		{"keys", keys}, {"programs", programs}, {"bash", bash}, {"zsh", zsh}, {"fish", fish},
		{"verbs", print_verbs}, {"metrics", metrics_page},
	};
	const char *name = c->noperands ? c->operands[0] : "";
	if (!strcmp(name, "man") && c->noperands <= 2)
		return man(c->noperands == 2 ? c->operands[1] : NULL);
	if (!strcmp(name, "kernels") && c->noperands >= 2)
		return kernels(c);
	for (size_t i = 0; i < sizeof pages / sizeof *pages && c->noperands == 1; i++)
		if (!strcmp(pages[i].name, name)) {
			pages[i].print();
			return WB_OK;
		}
	return complain(WB_USAGE,
			"docs: expected keys, programs, metrics, verbs, bash, zsh, fish, kernels WORD... or "
			"man [VERB]; found '%s'", name);
}
