/* debug: a prompt whose commands move a launch forwards and backwards and print its state. */
#include "frontends/cli/debug.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/interrupts.h"
#include "frontends/cli/prompt.h"
#include "frontends/cli/session.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"

const struct opt debug_options[] = {
	{"arg", 'a', OPT_LIST, "ARG", NULL, "Launch", "next argument, as for run", false},
	VERTICES_OPTION,
	REWIND_OPTION,
	{"batch", 0, OPT_SWITCH, NULL, NULL, "Debugger", "no prompt; the first command that fails ends it", false},
	{"script", 'x', OPT_VALUE, "FILE", NULL, "Debugger", "commands to begin with, one a line; # begins a comment",
	 false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

static const struct command {
	const char *names, *arguments, *help;
	bool (*run)(struct debug *g, const char *rest);
} commands[] = {
#define COMMAND(function, names, arguments, help) { names, arguments, help, debug_##function },
#include "frontends/cli/debug.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof *commands };

/* ---- where ---- */

static const struct { unsigned bit; const char *text; } reasons[] = {
	{WB_STOP_BREAK, "breakpoint"}, {WB_STOP_WATCH, "watch"}, {WB_STOP_WHEN, "condition holds"},
	{WB_STOP_DIVERGED, "diverged"},
	{WB_STOP_REJOINED, "rejoin"}, {WB_STOP_BARRIER, "barrier released"}, {WB_STOP_LOCK, "lock released"},
	{WB_STOP_START, "start of the record"}, {WB_STOP_INTERRUPTED, "interrupted"},
};

/* Print the breakpoint or watch of a stop, with the value of a watched expression. */
static void print_stop(const struct debug *g)
{
	struct wb_break b;
	uint64_t v;
	printf("(%d) ", g->where.id);
	for (unsigned i = 0; wb_launch_breaks(g->launch, i, &b); i++)
		if (b.id == g->where.id && b.kind == WB_STOP_WATCH &&
		    wb_launch_value(g->launch, b.text, g->block, g->warp, &v, NULL) == WB_OK)
			printf("%s = 0x%" PRIx64 ": ", b.text, v);
}

/* The multiprocessor of the selected warp, whose cycles are printed and counted. */
static uint32_t mp_of(const struct debug *g)
{
	struct wb_warp w;
	return wb_launch_find_warp(g->launch, g->block, g->warp, &w) ? w.mp : g->where.last.mp;
}

void debug_where(const struct debug *g)
{
	struct wb_warp w;
	struct wb_code code;
	struct wb_machine machine;
	wb_launch_machine(g->launch, &machine);
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (g->where.stops & reasons[i].bit)
			printf("%s: ", reasons[i].text);
	if (g->where.id)
		print_stop(g);
	if (machine.mps == 1)
		printf("issue %" PRIu64 ", cycle %" PRIu64, g->where.issue, g->where.cycle);
	else
		printf("issue %" PRIu64 ", MP %u cycle %" PRIu64, g->where.issue, mp_of(g),
		       wb_launch_cycle(g->launch, mp_of(g)));
	if (g->where.over)
		printf(", end: %s", g->where.result);
	if (!wb_launch_find_warp(g->launch, g->block, g->warp, &w)) {
		printf(", b%u w%u is not resident\n", g->block, g->warp);
		return;
	}
	printf(", b%u w%u", g->block, g->warp);
	if (w.waits == WB_WAIT_DONE)
		printf(" is done\n");
	else if (wb_launch_code(g->launch, w.pc, &code))
		printf(code.line ? " at 0x%04x%s%s: %s  lanes 0x%0*" PRIx64 " depth %u (line %d)\n"
				 : " at 0x%04x%s%s: %s  lanes 0x%0*" PRIx64 " depth %u\n",
		       w.pc, code.label ? " " : "", code.label ? shown(code.label) : "", shown(code.text),
		       (int)machine.lanes / 4, w.active, w.depth, code.line);
	else
		printf(" at 0x%04x\n", w.pc);
}

/* ---- moving ---- */

/* At a fault, limit or hang: print the state of each warp. */
static void print_waits(struct debug *g)
{
	enum { MOST = 8 };
	const struct wb_report *r = g->where.over && strcmp(g->where.result, "ok") ? wb_launch_report(g->launch) : NULL;
	for (unsigned i = 0; r && i < r->nwaits && i < MOST; i++)
		printf("  %s\n", shown(r->waits[i]));
	if (r && r->nwaits > MOST)
		printf("  and %u more warps\n", r->nwaits - MOST);
}

/* Signals that stop a movement: Ctrl-C, and the timer of --max-seconds, which runs while a movement does. */
static void movement_begin(const struct debug *g)
{
	interruptible_begin(g->launch, INTERRUPTS_OF_PROMPT);
	if (g->limited)
		setitimer(ITIMER_REAL, &g->time_left, NULL);
}

/* False: the time of all movements together is over. */
static bool movement_end(struct debug *g)
{
	static const struct itimerval none;
	if (g->limited)
		setitimer(ITIMER_REAL, &none, &g->time_left);
	interrupts_end();
	if (!g->limited || timerisset(&g->time_left.it_value))
		return true;
	g->time_left.it_value.tv_usec = 1; /* the next movement ends at once, too */
	debug_where(g);
	g->failed = complain(WB_LIMIT, "the time limit (--max-seconds) was reached");
	return false;
}

typedef enum wb_status search_fn(struct wb_launch *l, const struct wb_goal *goal, struct wb_where *where,
				 struct wb_diag *d);

static bool search(struct debug *g, search_fn *direction, const struct wb_goal *goal)
{
	struct wb_diag d;
	movement_begin(g);
	enum wb_status status = direction(g->launch, goal, &g->where, &d);
	if (!movement_end(g))
		return false;
	if (status != WB_OK)
		complain_diag(&d);
	return status == WB_OK;
}

static bool go_to(struct debug *g, uint64_t issue)
{
	movement_begin(g);
	wb_launch_goto(g->launch, issue, &g->where, NULL);
	return movement_end(g);
}

static bool move(struct debug *g, const struct wb_goal *goal, bool back)
{
	if (!search(g, back ? wb_launch_back : wb_launch_forward, goal))
		return false;
	/* Select the warp of the stop. */
	if (g->where.stops &
	    ~(unsigned)(WB_STOP_COUNT | WB_STOP_END | WB_STOP_START | WB_STOP_INTERRUPTED | WB_STOP_WATCH)) {
		g->block = g->where.last.block;
		g->warp = g->where.last.warp;
	}
	debug_where(g);
	print_waits(g);
	return true;
}

static bool count(const char *text, uint64_t *n)
{
	char *end;
	*n = *text ? strtoull(text, &end, 0) : 1;
	if (*text && (*end || !*n || *text == '-')) {
		complain(WB_USAGE, "found '%s', expected a number above 0", text);
		return false;
	}
	return true;
}

static bool step_warp(struct debug *g, const char *rest, bool back)
{
	struct wb_goal goal = {.one_warp = true, .block = g->block, .warp = g->warp};
	return count(rest, &goal.issues) && move(g, &goal, back);
}

bool debug_step(struct debug *g, const char *rest)
{
	return step_warp(g, rest, false);
}

bool debug_rstep(struct debug *g, const char *rest)
{
	return step_warp(g, rest, true);
}

/* Until the warp's stack has at most `depth` entries. */
static bool to_depth(struct debug *g, int depth, bool back)
{
	char when[64];
	struct wb_goal goal = {.one_warp = true, .block = g->block, .warp = g->warp, .when = when};
	snprintf(when, sizeof when, "depth<=%d", depth);
	return move(g, &goal, back);
}

bool debug_next(struct debug *g, const char *rest)
{
	struct wb_warp w;
	(void)rest;
	return debug_current(g, &w) && to_depth(g, (int)w.depth, false);
}

bool debug_rnext(struct debug *g, const char *rest)
{
	struct wb_warp w;
	if (!wb_launch_find_warp(g->launch, g->block, g->warp, &w))
		return step_warp(g, rest, true);   /* the block has ended: back into the block */
	return to_depth(g, (int)w.depth, true);
}

static bool leave(struct debug *g, bool back)
{
	struct wb_warp w;
	if (!debug_current(g, &w))
		return false;
	if (w.depth)
		return to_depth(g, (int)w.depth - 1, back);
	complain(WB_USAGE, "the stack of b%u w%u is empty", g->block, g->warp);
	return false;
}

bool debug_finish(struct debug *g, const char *rest)
{
	(void)rest;
	return leave(g, false);
}

bool debug_rfinish(struct debug *g, const char *rest)
{
	(void)rest;
	return leave(g, true);
}

bool debug_issue(struct debug *g, const char *rest)
{
	struct wb_goal goal = {0};
	return count(rest, &goal.issues) && move(g, &goal, false);
}

bool debug_rissue(struct debug *g, const char *rest)
{
	struct wb_goal goal = {0};
	return count(rest, &goal.issues) && move(g, &goal, true);
}

bool debug_cycle(struct debug *g, const char *rest)
{
	struct wb_goal goal = {.one_mp = true, .mp = mp_of(g)};
	return count(rest, &goal.cycles) && move(g, &goal, false);
}

bool debug_rcycle(struct debug *g, const char *rest)
{
	struct wb_goal goal = {.one_mp = true, .mp = mp_of(g)};
	return count(rest, &goal.cycles) && move(g, &goal, true);
}

bool debug_cont(struct debug *g, const char *rest)
{
	(void)rest;
	return move(g, &(struct wb_goal){.stops = WB_STOP_BREAK | WB_STOP_WATCH}, false);
}

bool debug_run(struct debug *g, const char *rest)
{
	return go_to(g, 0) && debug_cont(g, rest);
}

bool debug_rcont(struct debug *g, const char *rest)
{
	(void)rest;
	return move(g, &(struct wb_goal){.stops = WB_STOP_BREAK | WB_STOP_WATCH}, true);
}

static bool until(struct debug *g, const char *rest, bool back)
{
	static const struct { const char *name; unsigned stop; } what[] = {
		{"divergence", WB_STOP_DIVERGED}, {"rejoin", WB_STOP_REJOINED}, {"barrier", WB_STOP_BARRIER},
		{"lock", WB_STOP_LOCK},
	};
	struct wb_goal goal = {.when = rest};
	for (size_t i = 0; i < sizeof what / sizeof *what; i++)
		if (!strcmp(rest, what[i].name))
			goal = (struct wb_goal){.stops = what[i].stop};
	if (*rest)
		return move(g, &goal, back);
	complain(WB_USAGE, "until what? divergence, rejoin, barrier, lock or an expression");
	return false;
}

bool debug_until(struct debug *g, const char *rest)
{
	return until(g, rest, false);
}

bool debug_runtil(struct debug *g, const char *rest)
{
	return until(g, rest, true);
}

/* Go to the multiprocessor's first position whose cycle is not less, from either side. */
static bool to_cycle(struct debug *g, uint64_t n)
{
	struct wb_goal goal = {.one_mp = true, .mp = mp_of(g)};
	uint64_t now = wb_launch_cycle(g->launch, goal.mp);
	if (now >= n) {
		goal.cycles = now - n + 1;
		if (!search(g, wb_launch_back, &goal))
			return false;
		now = wb_launch_cycle(g->launch, goal.mp);
	}
	goal.cycles = n - now;
	if (now < n)
		return move(g, &goal, false);
	debug_where(g);
	return true;
}

bool debug_go(struct debug *g, const char *rest)
{
	bool cycle = !strncmp(rest, "cycle ", 6);
	const char *number = rest + (cycle ? 6 : 0);
	char *end;
	uint64_t n = strtoull(number, &end, 0);
	if (end == number || *end) {
		complain(WB_USAGE, "found '%s', expected a number of issues, or cycle N", rest);
		return false;
	}
	if (cycle)
		return to_cycle(g, n);
	if (!go_to(g, n))
		return false;
	debug_where(g);
	return true;
}

/* ---- breakpoints ---- */

static bool set_stop(struct debug *g, enum wb_stop kind, const char *name, const char *text)
{
	struct wb_diag d;
	int id;
	if (wb_launch_break(g->launch, kind, text, g->block, g->warp, &id, &d) != WB_OK) {
		complain_diag(&d);
		return false;
	}
	char place[80];
	bool by_line = wb_launch_break_place(g->launch, id, place, sizeof place) > 0;
	printf(by_line ? "%s %d: %s (%s)\n" : "%s %d: %s%s\n", name, id, text, by_line ? place : "");
	return true;
}

bool debug_brk(struct debug *g, const char *rest)
{
	return set_stop(g, WB_STOP_BREAK, "breakpoint", rest);
}

bool debug_watch(struct debug *g, const char *rest)
{
	return set_stop(g, WB_STOP_WATCH, "watch", rest);
}

bool debug_del(struct debug *g, const char *rest)
{
	struct wb_break b;
	while (!*rest && wb_launch_breaks(g->launch, 0, &b))
		wb_launch_unbreak(g->launch, b.id);
	if (!*rest || wb_launch_unbreak(g->launch, atoi(rest)))
		return true;
	complain(WB_USAGE, "no breakpoint or watch '%s'; 'info break' lists them", rest);
	return false;
}

/* ---- the prompt ---- */

/* Whether `word` of n characters is among the blank-separated names. */
static bool named(const char *names, const char *word, size_t n)
{
	for (const char *p = names; *p; p += strspn(p, " ")) {
		size_t length = strcspn(p, " ");
		if (length == n && !memcmp(p, word, n))
			return true;
		p += length;
	}
	return false;
}

/* The command with a name, or with the only name that begins like the word. */
static const struct command *find_command(const char *word, size_t n)
{
	const struct command *found = NULL;
	unsigned fit = 0;
	for (size_t i = 0; i < COMMANDS; i++) {
		if (named(commands[i].names, word, n))
			return &commands[i];
		if (n && !strncmp(commands[i].names, word, n)) {
			found = &commands[i];
			fit++;
		}
	}
	return fit == 1 ? found : NULL;
}

const char *debug_command(unsigned index)
{
	return index < COMMANDS ? commands[index].names : NULL;
}

const char *debug_names(const char *word)
{
	const struct command *c = find_command(word, strlen(word));
	return c ? c->names : NULL;
}

/* Suggest commands that begin like the word, else the nearest name. */
static bool unknown_command(const char *line, size_t n)
{
	char word[32], full[COMMANDS][32], fit[COMMANDS * 34] = "";
	const char *names[COMMANDS + 1] = {NULL};
	snprintf(word, sizeof word, "%.*s", (int)n, line);
	for (size_t i = 0; i < COMMANDS; i++) {
		snprintf(full[i], sizeof full[i], "%.*s", (int)strcspn(commands[i].names, " "), commands[i].names);
		names[i] = full[i];
		if (!strncmp(full[i], word, strlen(word)))
			strcat(strcat(fit, *fit ? ", " : ""), full[i]);
	}
	const char *near = wb_nearest(word, names);
	if (*fit)
		complain(WB_USAGE, "'%s' may be %s", word, fit);
	else if (near)
		complain(WB_USAGE, "no command '%s'; did you mean '%s'?", word, near);
	else
		complain(WB_USAGE, "no command '%s'; 'help' lists them", word);
	return false;
}

/* Print three columns; text longer than the second column continues on the next line. */
static void print_help(const struct command *c)
{
	enum { NAMES = 22, ARGUMENTS = 24 };
	printf("%-*s %-*s", NAMES, c->names, ARGUMENTS, c->arguments);
	if (strlen(c->arguments) > ARGUMENTS)
		printf("\n%*s", NAMES + 1 + ARGUMENTS, "");
	printf(" %s\n", c->help);
}

bool debug_help(struct debug *g, const char *rest)
{
	(void)g;
	if (*rest && !find_command(rest, strlen(rest))) {
		complain(WB_USAGE, "no command '%s'", rest);
		return false;
	}
	for (size_t i = 0; i < COMMANDS; i++)
		if (!*rest || named(commands[i].names, rest, strlen(rest)))
			print_help(&commands[i]);
	return true;
}

bool debug_quit(struct debug *g, const char *rest)
{
	(void)rest;
	g->quit = true;
	return true;
}

static bool execute(struct debug *g, char *line)
{
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n && strchr(" \t\r\n", line[n - 1]); n--)
		line[n - 1] = '\0';
	if (!*line || *line == '#')
		return true;
	size_t n = strcspn(line, " /");
	const struct command *c = find_command(line, n);
	if (c)
		return c->run(g, line + n + strspn(line + n, " "));
	return unknown_command(line, n);
}

/* Commands from a file until its end. */
static bool execute_file(struct debug *g, FILE *f, bool stop_on_error)
{
	char *line = NULL;
	size_t size = 0;
	bool ok = true;
	while (!g->quit && (ok || !stop_on_error) && getline(&line, &size, f) >= 0) {
		ok = execute(g, line);
		fflush(stdout);
	}
	free(line);
	return ok || !stop_on_error;
}

static void cancel_line(int signal_number)
{
	(void)signal_number;
}

/* Run typed commands; an empty line repeats the last command, Ctrl-C drops the typed line. */
static bool execute_typed(struct debug *g)
{
	struct sigaction cancel = {.sa_handler = cancel_line}, before;
	struct prompt *p = prompt_open("(warpbeam) ", debug_complete, g);
	const char *line;
	char last[256] = "", text[256];
	if (!p)
		return complain(WB_ENV, "out of memory") == WB_OK;
	sigaction(SIGINT, &cancel, &before);
	while (!g->quit && (line = prompt_line(p))) {
		bool blank = !line[strspn(line, " \t\r\n")];
		if (!blank)
			snprintf(last, sizeof last, "%s", line);
		if (*line) {   /* a line not dropped by Ctrl-C */
			memcpy(text, last, sizeof text);
			execute(g, text);
		}
		fflush(stdout);
	}
	sigaction(SIGINT, &before, NULL);
	prompt_close(p);
	return true;
}

static enum wb_status debug(const struct cli *c, struct session *s)
{
	struct debug g = {.launch = s->launch, .failed = WB_USAGE};
	const char *seconds = wb_config_get(c->config, "max-seconds");
	struct wb_diag d;
	const char *script = cli_value(c, "script");
	bool batch = cli_on(c, "batch"), ok = true;
	if (wb_launch_start(s->launch, &d) != WB_OK)
		return complain_diag(&d);
	wb_launch_where(s->launch, &g.where);
	g.limited = strcmp(seconds, "none") != 0;
	g.time_left.it_value.tv_sec = g.limited ? strtol(seconds, NULL, 0) : 0;
	FILE *f = script ? fopen(script, "r") : NULL;
	if (script && !f)
		return complain(WB_ENV, "%s: cannot open: %s", script, strerror(errno));
	if (f) {
		ok = execute_file(&g, f, batch);
		fclose(f);
	} else {
		debug_where(&g);
	}
	if (ok && !g.quit && !batch && isatty(STDIN_FILENO))
		ok = execute_typed(&g);
	else if (ok && !(batch && script))
		ok = execute_file(&g, stdin, batch);
	return ok ? WB_OK : g.failed;
}

enum wb_status verb_debug(struct cli *c)
{
	const char *path = cli_operand(c, "FILE");
	struct session s = {.vertices = cli_value(c, "in")};
	if (!path)
		return WB_USAGE;
	const char **args = cli_list(c, "arg");
	bool ready = session_load(&s, path, c->config) && session_wants_causes(&s, c->config) &&
		     session_prepare(&s, cli_value(c, "kernel"), c->config, args) && session_rewind(&s, c);
	enum wb_status status = ready ? debug(c, &s) : s.status;
	free(args);
	session_close(&s);
	return status;
}
