/* Instructions that stand and run next to each other: pairs that a single record could do instead of two. A pair counts
 * if no jump comes between and the first does not move control itself. Each file has two profiles: the listing, and a
 * run by the file's directives, or else with a block of 32 threads and zeros for all inputs. Each file weighs as much
 * as any other, so that the longest loop does not speak for all. */
#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "warpbeam.h"

enum { NAME = 48, MOST_ARGUMENTS = 32, BUFFER = 65536 };

struct pair {
	char name[2 * NAME + 4];
	double here[2], all[2]; /* indexed by enum profile: of the file at hand, sum of the shares in all files */
};

enum profile { STANDING, RUN };

struct study {
	struct pair *pair;
	size_t npairs;
	unsigned files[2];
	unsigned long instructions[2];
};

/* ---- an instruction's name ---- */

static bool is_operand(const char *word, size_t n)
{
	return strchr("$#0123456789(", *word) || memchr(word, '[', n);
}

/* The words before the first operand; "(c)" before a guarded instruction, " $c" after an instruction with a condition
 * as its first result, and the memory read or written. */
static void name_of(const char *text, char name[NAME])
{
	static const char *const spaces[] = { "s[", "g", "l[", "c" };
	size_t n = 0;
	const char *word = text;

	if (*word == '(') {
		n = (size_t)snprintf(name, NAME, "(c) ");
		word += strcspn(word, ")") + 1;
		word += strspn(word, " ");
	}
	while (*word && n < NAME) {
		size_t length = strcspn(word, " ");
		if (is_operand(word, length))
			break;
		n += (size_t)snprintf(name + n, NAME - n, "%s%.*s", !n || name[n - 1] == ' ' ? "" : " ", (int)length,
				      word);
		word += length + strspn(word + length, " ");
	}
	if (!strncmp(word, "$c", 2) && n < NAME)
		n += (size_t)snprintf(name + n, NAME - n, " $c");
	if (strstr(word, "(mul") && n < NAME)
		n += (size_t)snprintf(name + n, NAME - n, " (mul)");
	const char *bracket = strchr(text, '['), *start = bracket;
	while (start && start > text && isalnum((unsigned char)start[-1]))
		start--;
	for (size_t i = 0; start && i < sizeof spaces / sizeof *spaces && n < NAME; i++)
		if (!strncmp(start, spaces[i], strlen(spaces[i])))
			snprintf(name + n, NAME - n, " %c[]", *spaces[i]);
}

static bool moves_control(const char *text)
{
	static const char *const words[] = {
		"bra", "call", "ret", "break", "exit", "brk", "trap", "breakpoint", "discard",
	};
	const char *word = text + (*text == '(' ? strcspn(text, ")") + 2 : 0);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcspn(word, " ") == strlen(words[i]) && !strncmp(word, words[i], strlen(words[i])))
			return true;
	return false;
}

/* Mark the target of a text: bra, call, joinat, breakaddr. */
static void mark_target(const char *text, bool *target, size_t n)
{
	static const char *const words[] = { "bra 0x", "call 0x", "joinat 0x", "breakaddr 0x" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *found = strstr(text, words[i]);
		unsigned long pc = found ? strtoul(strstr(found, "0x"), NULL, 16) : n;
		if (pc < n)
			target[pc] = true;
	}
}

/* ---- counting ---- */

static void count(struct study *s, const char *first, const char *second, enum profile which, double weight)
{
	char a[NAME] = "", b[NAME] = "", name[sizeof s->pair->name];

	name_of(first, a);
	name_of(second, b);
	snprintf(name, sizeof name, "%s | %s", a, b);
	for (size_t i = 0; i < s->npairs; i++)
		if (!strcmp(s->pair[i].name, name)) {
			s->pair[i].here[which] += weight;
			return;
		}
	s->pair = realloc(s->pair, (s->npairs + 1) * sizeof *s->pair);
	if (!s->pair)
		exit(WB_ENV);
	struct pair *p = &s->pair[s->npairs++];
	memset(p, 0, sizeof *p);
	memcpy(p->name, name, sizeof name);
	p->here[which] = weight;
}

/* The file at hand is done: of `whole` instructions, how much was in each pair. */
static void settle(struct study *s, enum profile which, double whole)
{
	s->files[which] += whole > 0;
	s->instructions[which] += (unsigned long)whole;
	for (size_t i = 0; i < s->npairs; i++) {
		s->pair[i].all[which] += whole > 0 ? s->pair[i].here[which] / whole : 0;
		s->pair[i].here[which] = 0;
	}
}

static void study_listing(struct study *s, const struct wb_program *p, struct wb_config *c)
{
	double whole = 0;

	for (unsigned k = 0; k < wb_program_kernels(p); k++) {
		struct wb_listing l;
		struct wb_diag d;
		if (wb_program_listing(p, k, c, 0, &l, &d) != WB_OK)
			continue;
		size_t size = wb_program_kernel(p, k)->code_bytes + 1;
		bool *target = calloc(size, 1);
		for (unsigned i = 0; target && i < l.n; i++)
			mark_target(l.instructions[i].text, target, size);
		for (unsigned i = 0; target && i + 1 < l.n; i++) {
			const struct wb_instruction *in = &l.instructions[i];
			if (!moves_control(in[0].text) && !target[in[1].pc])
				count(s, in[0].text, in[1].text, STANDING, 1);
		}
		whole += l.n;
		free(target);
		wb_listing_free(&l);
	}
	settle(s, STANDING, whole);
}

static void study_report(struct study *s, const struct wb_report *r)
{
	size_t size = r->npcs ? r->pcs[r->npcs - 1].pc + 1 : 1;
	bool *target = calloc(size, 1);
	double whole = 0;

	for (unsigned i = 0; target && i < r->npcs; i++) {
		mark_target(r->pcs[i].text, target, size);
		whole += (double)r->pcs[i].issues;
	}
	for (unsigned i = 0; target && i + 1 < r->npcs; i++)
		if (r->pcs[i].issues && !moves_control(r->pcs[i].text) && !target[r->pcs[i + 1].pc] &&
		    r->pcs[i + 1].pc - r->pcs[i].pc <= 8)
			count(s, r->pcs[i].text, r->pcs[i + 1].text, RUN, (double)r->pcs[i].issues);
	free(target);
	settle(s, RUN, whole);
}

/* ---- files ---- */

/* Buffers for all parameters. Old cubins count theirs among the shared memory, behind 16 bytes of ids. */
static bool set_zeros(struct wb_launch *l, const struct wb_kernel *k, unsigned pointer, struct wb_diag *d)
{
	enum { IDS = 16 };
	unsigned bytes = k->param_bytes ? k->param_bytes : k->shared_bytes > IDS ? k->shared_bytes - IDS : 0;
	enum wb_status status = WB_OK;

	for (unsigned i = 0; !k->args && status == WB_OK && i < bytes / pointer && i < MOST_ARGUMENTS; i++)
		status = wb_launch_arg(l, "zero=65536", d);
	return status == WB_OK;
}

static bool study_run_with(struct study *s, const struct wb_program *p, struct wb_config *c, unsigned pointer)
{
	const struct wb_kernel *k = wb_program_kernel(p, 0);
	struct wb_launch *l = NULL;
	struct wb_diag d;
	bool ok = wb_config_set(c, "ptr", pointer == 8 ? "8" : "4", &d) == WB_OK &&
		  wb_launch_new(p, k->name, c, &l, &d) == WB_OK && set_zeros(l, k, pointer, &d) &&
		  wb_launch_run(l, &d) == WB_OK;

	if (ok)
		study_report(s, wb_launch_report(l));
	wb_launch_free(l);
	return ok;
}

/* A program that cannot run alone has only a listing. */
static bool study_run(struct study *s, const struct wb_program *p, struct wb_config *c)
{
	return study_run_with(s, p, c, 4) || study_run_with(s, p, c, 8);
}

static struct wb_config *configuration(void)
{
	static const char *const set[][2] = {
		{ "timing", "off" }, { "max-insns", "1000000" }, { "smem", "2048" },
		{ "global", "0:zero=65536" }, { "global", "1:zero=65536" }, { "global", "2:zero=65536" },
	};
	struct wb_config *c = wb_config_new();
	struct wb_diag d;

	for (size_t i = 0; i < sizeof set / sizeof *set; i++)
		if (wb_config_set(c, set[i][0], set[i][1], &d) != WB_OK)
			exit(d.status);
	return c;
}

static enum wb_status study_file(struct study *s, const char *path, bool verbose)
{
	struct wb_config *c = configuration();
	struct wb_program *p = NULL;
	struct wb_diag d;
	enum wb_status status = wb_program_open(path, c, &p, &d);

	if (status != WB_OK) {
		fprintf(stderr, "pairs: %s: %s\n", path, d.text);
	} else {
		study_listing(s, p, c);
		if (!study_run(s, p, c) && verbose)
			fprintf(stderr, "pairs: %s: listed, not run\n", path);
	}
	wb_program_free(p);
	wb_config_free(c);
	return status;
}

/* ---- the table ---- */

static int more_first(const void *a, const void *b, void *by)
{
	const struct pair *x = a, *y = b;
	enum profile order = *(enum profile *)by;
	return (x->all[order] < y->all[order]) - (x->all[order] > y->all[order]);
}

static void print_table(struct study *s, unsigned top)
{
	enum profile order = s->files[RUN] ? RUN : STANDING;

	qsort_r(s->pair, s->npairs, sizeof *s->pair, more_first, &order);
	printf("%u files of %lu instructions; %u of them ran, %lu warp instructions\n\n", s->files[STANDING],
	       s->instructions[STANDING], s->files[RUN], s->instructions[RUN]);
	puts("| first | second | standing | run |\n|---|---|---:|---:|");
	for (size_t i = 0; i < s->npairs && i < top; i++) {
		const struct pair *p = &s->pair[i];
		printf("| %s | %.1f %% | %.1f %% |\n", p->name,
		       s->files[STANDING] ? 100 * p->all[STANDING] / s->files[STANDING] : 0,
		       s->files[RUN] ? 100 * p->all[RUN] / s->files[RUN] : 0);
	}
}

static int help(int status)
{
	fputs("Usage: pairs [--top N] [--verbose] FILE...\n"
	      "Pairs of adjacent instructions that programs have and run most, as shares of their instructions.\n\n"
	      "  --top N    rows of the table (20)\n"
	      "  --verbose  name the files that could not be run\n", status ? stderr : stdout);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "top", required_argument, NULL, 't' }, { "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' }, { NULL, 0, NULL, 0 },
	};
	struct study s = { 0 };
	enum wb_status status = WB_OK;
	unsigned top = 20;
	bool verbose = false;
	int letter;

	while ((letter = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (letter == 'h')
			return help(WB_OK);
		if (letter == '?' || (letter == 't' && !(top = (unsigned)strtoul(optarg, NULL, 10))))
			return help(WB_USAGE);
		verbose |= letter == 'v';
	}
	if (optind == argc)
		return help(WB_USAGE);
	for (int i = optind; i < argc; i++) {
		enum wb_status one = study_file(&s, argv[i], verbose);
		status = one == WB_OK ? status : one;
	}
	if (s.npairs)
		print_table(&s, top);
	free(s.pair);
	return status;
}
