/* Textbook kernels on every chip, by every compiler and level of optimisation, under every policy: memory after each
 * launch is the model's. A build (kernel, chip, compiler, level) runs in a process of its own; a crash or an endless
 * compilation is a failure of the build alone.
 *
 *   test_textbook FOLDER [KERNEL]... [chip=C[,C]...] [cc=...] [optimize=...] [shape=N] [reconverge=...] [timing=...]
 *                 [diverge=...] [slice=...] [check=...] [cuda=1] [jobs=N] [table=1] [max=N]
 *
 * cuda=1: the kernels of FOLDER/cuda, in CUDA C++, through nvcc to PTX: cc is then an architecture (sm_75), optimize an
 * -O level of nvcc, lineinfo or G. Refusals are counted by their text.
 *
 * Without further words: a sample (tests/kit/sample.h); with any, or with WB_TEST_ALL=1, all that the words select.
 * Each failure is printed with the words that repeat it. table=1 adds a table of kernels and chips. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/textbook/cuda.h"
#include "tests/textbook/textbook.h"
#include "tests/kit/sample.h"
#include "warpbeam.h"

enum { LIST_MAX = 16, NAMES_MAX = 256, JOBS_MAX = 16, BUILD_SECONDS = 240, DEFAULT_BUILDS = 12, FAILURES_MAX = 20,
	SLOW_LAUNCHES_MAX = 3, REFUSALS_MAX = 100 };

/* ---- launches to run: lists of words, narrowed by arguments ---- */

enum dimension { CHIP, CC, OPTIMIZE, SHAPE, RECONVERGE, TIMING, DIVERGE, SLICE, CHECK, DIMENSIONS };

static struct list {
	const char *name;
	const char *word[LIST_MAX];
	bool narrowed;          /* words of the command line */
} lists[DIMENSIONS] = {
	[CHIP] = { "chip", { "g80", "g84", "mcp77", "g200", "gt215", "v100", "tahiti", "bonaire", "tonga", "gfx900" },
		   false },
	[CC] = { "cc", { "clang-14", "clang-15", "clang-16", "clang-19" }, false },
	[OPTIMIZE] = { "optimize", { "0", "1", "2", "3", "s" }, false },
	[SHAPE] = { "shape", { "0", "1", "2" }, false },
	[RECONVERGE] = { "reconverge", { "stack", "minpc", "ipdom", "barriers" }, false },
	[TIMING] = { "timing", { "off", "on" }, false },
	[DIVERGE] = { "diverge", { "taken", "fall", "larger", "random" }, false },
	[SLICE] = { "slice", { "256", "7" }, false },
	[CHECK] = { "check", { "", "barrier,bounds" }, false },
};

static const char *folder;
static const char *wanted[NAMES_MAX];   /* kernels of the command line */
static unsigned nwanted, jobs = 2, failures_max = 1000;
static bool selected, with_table, cuda;

/* What replaces the lists where kernels are CUDA C++. */
static void list_cuda(void)
{
	static const struct list replaced[] = {
		[CHIP] = { "chip", { "g200", "gt215", "v100" }, false },
		[CC] = { "cc", { "sm_75", "sm_90" }, false },
		[OPTIMIZE] = { "optimize", { "3", "0", "lineinfo", "G" }, false },
	};

	for (unsigned i = CHIP; i <= OPTIMIZE; i++)
		if (!lists[i].narrowed)
			lists[i] = replaced[i];
}

static bool narrow(char *argument)
{
	char *equals = strchr(argument, '=');
	unsigned n = 0;

	for (struct list *l = lists; equals && l < lists + DIMENSIONS; l++) {
		if (strncmp(l->name, argument, (size_t)(equals - argument)) || l->name[equals - argument])
			continue;
		memset(l->word, 0, sizeof l->word);
		l->narrowed = true;
		if (!equals[1] || l == &lists[CHECK])
			l->word[n++] = equals + 1;
		else
			for (char *w = strtok(equals + 1, ","); w && n < LIST_MAX - 1; w = strtok(NULL, ","))
				l->word[n++] = w;
		return true;
	}
	return false;
}

static bool read_arguments(int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		if (sscanf(argv[i], "jobs=%u", &jobs) == 1) {
			jobs = jobs < 1 ? 1 : jobs > JOBS_MAX ? JOBS_MAX : jobs;
		} else if (sscanf(argv[i], "max=%u", &failures_max) == 1) {
			continue;
		} else if (!strcmp(argv[i], "cuda=1")) {
			cuda = true;
		} else if (!strcmp(argv[i], "table=1")) {
			with_table = true;
		} else if (!strchr(argv[i], '=') && nwanted < NAMES_MAX) {
			wanted[nwanted++] = argv[i];
			selected = true;
		} else if (narrow(argv[i])) {
			selected = true;
		} else {
			fprintf(stderr, "%s: expected a kernel or chip= cc= optimize= shape= reconverge= timing= "
				"diverge= slice= check= cuda=1 jobs= table=1 max=\n", argv[i]);
			return false;
		}
	}
	return true;
}

/* ---- builds ---- */

struct build {
	const struct textbook *kernel;
	const char *chip, *cc, *optimize;
	bool tesla;
};

struct counts {
	unsigned right, refused, wrong;         /* launches; a refused build counts once */
};

/* Failures of a build of one kind: the same policy and check, and the same text up to a number. */
struct failure {
	char words[200];        /* words that repeat the first launch of the kind */
	char text[256];
	const char *policy, *check;
	unsigned launches;
};

/* A child's results: counts, and failures by kind. */
static struct {
	unsigned right, nfailures;
	struct failure failure[FAILURES_MAX];
} found;

/* A build whose launches come to the limit of instructions is not run to the end: each takes long. */
static bool is_too_slow(void)
{
	unsigned launches = 0;

	for (unsigned i = 0; i < found.nfailures; i++)
		if (strstr(found.failure[i].text, "--max-insns"))
			launches += found.failure[i].launches;
	return launches >= SLOW_LAUNCHES_MAX;
}

static bool same_kind(const struct failure *f, const char *policy, const char *check, const char *text)
{
	size_t n = strcspn(text, "0123456789");

	return !strcmp(f->policy, policy) && !strcmp(f->check, check) && !strncmp(f->text, text, n);
}

static void note_failure(const char *words, const char *policy, const char *check, const char *text)
{
	struct failure *f = found.failure;

	while (f < found.failure + found.nfailures && !same_kind(f, policy, check, text))
		f++;
	if (f == found.failure + FAILURES_MAX)
		f--;
	else if (f == found.failure + found.nfailures) {
		found.nfailures++;
		snprintf(f->words, sizeof f->words, "%s", words);
		snprintf(f->text, sizeof f->text, "%s", text);
		f->policy = policy;
		f->check = check;
	}
	f->launches++;
}

/* The results as lines: "right N", "wrong N WORDS: WHAT"; a refused build has "refused REASON" alone. */
static void write_results(FILE *out, const struct build *b)
{
	fprintf(out, "right %u\n", found.right);
	for (struct failure *f = found.failure; f < found.failure + found.nfailures; f++)
		fprintf(out, "wrong %u %s chip=%s cc=%s optimize=%s%s: %s\n", f->launches, b->kernel->name, b->chip,
			b->cc, b->optimize, f->words, f->text);
}

static bool configure(struct wb_config *c, const struct build *b, struct wb_diag *d)
{
	return wb_config_set(c, "chip", b->chip, d) == WB_OK &&
	       wb_config_set(c, "max-seconds", "60", d) == WB_OK &&
	       (cuda || (wb_config_set(c, "cc", b->cc, d) == WB_OK &&
			 wb_config_set(c, "optimize", b->optimize, d) == WB_OK));
}

static struct wb_program *compile(const struct build *b, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	char path[1024], ptx[1024];

	snprintf(path, sizeof path, "%s/%s%s%s", folder, cuda ? "cuda/" : "", b->kernel->name, cuda ? ".cu" : ".cl");
	if (!configure(c, b, d))
		p = NULL;
	else if (!cuda && wb_program_open(path, c, &p, d) != WB_OK)
		p = NULL;
	else if (cuda && cuda_compile(path, b->cc, b->optimize, ptx, sizeof ptx, d->text, sizeof d->text)) {
		if (wb_program_open(ptx, c, &p, d) != WB_OK)
			p = NULL;
		cuda_done(ptx);
	}
	wb_config_free(c);
	return p;
}

/* Local memory of a size known at launch is no parameter in CUDA. */
static bool is_dynamic(const struct argument *a)
{
	return cuda && !a->start && !a->scalar_bytes;
}

static struct wb_launch *make_launch(const struct wb_program *p, const struct build *b, const struct task *t,
				     const char *const *words, struct wb_diag *d)
{
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	char grid[32], block[32], dynamic[32];
	bool ok = configure(c, b, d);
	size_t shared_bytes = 0;

	snprintf(grid, sizeof grid, "%u,%u", t->groups[0], t->groups[1]);
	snprintf(block, sizeof block, "%u,%u", t->local[0], t->local[1]);
	ok = ok && wb_config_set(c, "grid", grid, d) == WB_OK && wb_config_set(c, "block", block, d) == WB_OK &&
	     wb_config_set(c, "max-insns", "40000000", d) == WB_OK && wb_config_set(c, "mps", "2", d) == WB_OK;
	for (unsigned i = 0; i < t->narguments; i++)
		shared_bytes += is_dynamic(&t->argument[i]) ? t->argument[i].bytes : 0;
	snprintf(dynamic, sizeof dynamic, "%zu", shared_bytes);
	ok = ok && (!shared_bytes || wb_config_set(c, "smem", dynamic, d) == WB_OK);
	for (unsigned i = RECONVERGE; ok && i < DIMENSIONS; i++)
		if (*words[i] && (b->tesla || (i != RECONVERGE && i != DIVERGE)))
			ok = wb_config_set(c, lists[i].name, words[i], d) == WB_OK;
	ok = ok && wb_launch_new(p, b->kernel->name, c, &l, d) == WB_OK;
	for (unsigned i = 0; ok && i < t->narguments; i++)
		ok = is_dynamic(&t->argument[i]) || wb_launch_arg(l, t->argument[i].word, d) == WB_OK;
	for (unsigned i = 0, k = 0; ok && i < t->narguments; i++) {
		const struct argument *a = &t->argument[i];
		if (a->start && a->bytes)
			ok = wb_launch_write_arg(l, k, 0, a->start, a->bytes, d) == WB_OK;
		k += !is_dynamic(a);
	}
	wb_config_free(c);
	if (!ok) {
		wb_launch_free(l);
		return NULL;
	}
	return l;
}

/* The text of the checkers' first finding, in place of their number. */
static void first_finding(const struct wb_report *r, struct wb_diag *d)
{
	for (unsigned i = 0; i < r->nwarnings; i++)
		if (!strncmp(r->warnings[i], "barrier: ", 9) || !strncmp(r->warnings[i], "bounds: ", 8)) {
			snprintf(d->text, sizeof d->text, "%.380s", r->warnings[i]);
			return;
		}
}

/* One launch; false: *d has what is wrong. */
static bool run(const struct wb_program *p, const struct build *b, const struct task *t, const char *const *words,
		struct wb_diag *d)
{
	struct wb_launch *l = make_launch(p, b, t, words, d);
	bool ok = l && wb_launch_run(l, d) == WB_OK;

	for (unsigned i = 0, k = 0; ok && i < t->narguments; k += !is_dynamic(&t->argument[i]), i++) {
		const struct argument *a = &t->argument[i];
		if (!a->start || !a->bytes)
			continue;
		void *bytes = malloc(a->bytes);
		ok = bytes && wb_launch_read_arg(l, k, 0, bytes, a->bytes, d) == WB_OK &&
		     task_agrees(t, i, bytes, d->text, sizeof d->text);
		free(bytes);
	}
	const struct wb_report *r = l ? wb_launch_report(l) : NULL;
	if (!ok && r && !strncmp(d->text, "the checkers have", 17))
		first_finding(r, d);
	wb_launch_free(l);
	return ok;
}

/* Whether the launches have a combination of words: each policy with each order, checks and slices with the first. */
static bool combined(const struct build *b, const unsigned *pick)
{
	bool off = !strcmp(lists[TIMING].word[pick[TIMING]], "off");

	if (!b->tesla && (pick[RECONVERGE] || pick[DIVERGE]))
		return false;
	if (!off && pick[SLICE])
		return false;
	return !pick[CHECK] || (!pick[SLICE] && !pick[TIMING] && !pick[DIVERGE]);
}

/* The launches of a shape. */
static void run_shape(const struct build *b, const struct wb_program *p, unsigned shape)
{
	unsigned pick[DIMENSIONS] = { 0 };
	struct task t;

	if (!task_begin(&t, b->kernel, &b->kernel->shape[shape]))
		return;
	for (bool more = true; more;) {
		const char *words[DIMENSIONS];
		char text[200] = "";
		size_t n = (size_t)snprintf(text, sizeof text, " shape=%u", shape);
		struct wb_diag d = { 0 };
		for (unsigned i = RECONVERGE; i < DIMENSIONS; i++) {
			words[i] = lists[i].word[pick[i]];
			if (b->tesla || (i != RECONVERGE && i != DIVERGE))
				n += (size_t)snprintf(text + n, sizeof text - n, " %s=%s", lists[i].name, words[i]);
		}
		if (combined(b, pick) && !is_too_slow()) {
			if (run(p, b, &t, words, &d))
				found.right++;
			else
				note_failure(text, words[RECONVERGE], words[CHECK], d.text);
		}
		more = false;
		for (unsigned i = RECONVERGE; i < DIMENSIONS && !more; i++) {
			more = lists[i].word[++pick[i]] != NULL;
			pick[i] = more ? pick[i] : 0;
		}
	}
	task_end(&t);
}

/* A refusal that is right: the chip lacks what the source asks for, and the text says so. PTX of later architectures
 * has more that the chips lack. */
static bool names_a_missing_feature(const struct wb_diag *d)
{
	return d->status == WB_INPUT && (cuda || strstr(d->text, " needs sm_"));
}

static void run_build(FILE *out, const struct build *b)
{
	struct wb_diag d = { 0 };
	struct wb_program *p = compile(b, &d);

	if (!p && names_a_missing_feature(&d))
		fprintf(out, "refused %s\n", d.text);
	else if (!p)
		note_failure("", "", "", d.text);
	for (unsigned s = 0; p && s < SHAPES_MAX && b->kernel->shape[s].groups[0]; s++)
		for (unsigned i = 0; lists[SHAPE].word[i]; i++)
			if ((unsigned)atoi(lists[SHAPE].word[i]) == s)
				run_shape(b, p, s);
	write_results(out, b);
	wb_program_free(p);
}

/* ---- children ---- */

static struct child {
	pid_t pid;              /* 0: idle */
	FILE *out;
	struct build build;
} children[JOBS_MAX];

static struct counts total, by_kernel[NAMES_MAX][LIST_MAX];
static const struct textbook *kernels[NAMES_MAX];
static unsigned nkernels, nprinted;

static struct counts *counts_of(const struct build *b)
{
	for (unsigned k = 0; k < nkernels; k++)
		for (unsigned c = 0; lists[CHIP].word[c]; c++)
			if (kernels[k] == b->kernel && !strcmp(lists[CHIP].word[c], b->chip))
				return &by_kernel[k][c];
	return &total;
}

/* Refusals by their text. */
static struct {
	char text[200];
	unsigned builds;
} refusals[REFUSALS_MAX];

static void note_refusal(const char *text)
{
	unsigned i = 0;

	while (i < REFUSALS_MAX - 1 && refusals[i].builds &&
	       strncmp(refusals[i].text, text, sizeof refusals[i].text - 1))
		i++;
	snprintf(refusals[i].text, sizeof refusals[i].text, "%.199s", text);
	refusals[i].builds++;
}

static void print_failure(const char *text, unsigned launches)
{
	if (nprinted++ >= failures_max)
		return;
	printf("test_textbook %s%s %s", folder, cuda ? " cuda=1" : "", text);
	if (launches > 1)
		printf(" (%u launches)", launches);
	printf("\n");
	fflush(stdout);
}

static void read_results(struct child *c, int status)
{
	struct counts *n = counts_of(&c->build);
	char line[1024];
	unsigned launches;
	int text;

	rewind(c->out);
	while (fgets(line, sizeof line, c->out)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "right %u", &launches) == 1) {
			n->right += launches;
			total.right += launches;
		} else if (!strncmp(line, "refused ", 8)) {
			note_refusal(line + 8);
			n->refused++;
			total.refused++;
		} else if (sscanf(line, "wrong %u %n", &launches, &text) == 1) {
			print_failure(line + text, launches);
			n->wrong += launches;
			total.wrong += launches;
		}
	}
	fclose(c->out);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return;
	snprintf(line, sizeof line, "%s chip=%s cc=%s optimize=%s: %s %d", c->build.kernel->name, c->build.chip,
		 c->build.cc, c->build.optimize, WIFSIGNALED(status) ? "ended by signal" : "ended with",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	print_failure(line, 1);
	n->wrong++;
	total.wrong++;
}

static void reap(void)
{
	int status;
	pid_t pid = wait(&status);

	for (unsigned i = 0; i < JOBS_MAX; i++)
		if (pid > 0 && children[i].pid == pid) {
			read_results(&children[i], status);
			children[i].pid = 0;
		}
}

static void start(const struct build *b)
{
	struct child *c = children;

	for (unsigned busy = JOBS_MAX; busy >= jobs;) {
		busy = 0;
		for (unsigned i = 0; i < jobs; i++)
			busy += children[i].pid != 0;
		if (busy == jobs)
			reap();
		else
			break;
	}
	while (c->pid)
		c++;
	fflush(stdout);
	*c = (struct child){ .out = tmpfile(), .build = *b };
	c->pid = fork();
	if (!c->pid) {
		alarm(BUILD_SECONDS);
		run_build(c->out, b);
		fflush(c->out);
		_exit(0);
	}
}

/* ---- all ---- */

static bool is_wanted(const char *name)
{
	for (unsigned i = 0; i < nwanted; i++)
		if (!strcmp(wanted[i], name))
			return true;
	return !nwanted;
}

static void list_kernels(void)
{
	char path[1024];

	for (unsigned t = 0; themes[t]; t++)
		for (const struct textbook *k = themes[t]; k->name; k++) {
			if (!nwanted && left_to_faster_builds(sample_number(k->name)))
				continue;
			snprintf(path, sizeof path, "%s/cuda/%s.cu", folder, k->name);
			if (is_wanted(k->name) && nkernels < NAMES_MAX && (!cuda || access(path, R_OK) == 0))
				kernels[nkernels++] = k;
		}
}

/* Compilers of this system; false: none. */
static bool list_compilers(void)
{
	struct list *l = &lists[CC];
	char command[128];
	unsigned n = 0;

	for (unsigned i = 0; l->word[i]; i++) {
		snprintf(command, sizeof command, "command -v %.40s >/dev/null", l->word[i]);
		if (system(command) == 0)
			l->word[n++] = l->word[i];
	}
	l->word[n] = NULL;
	return n > 0;
}

static bool is_tesla(const char *chip)
{
	static const char *const others[] = { "tahiti", "bonaire", "tonga", "gfx900" };

	for (unsigned i = 0; i < sizeof others / sizeof *others; i++)
		if (!strcmp(chip, others[i]))
			return false;
	return true;
}

static void run_all(void)
{
	uint64_t number = 0, builds = 1, step;
	bool all = selected || getenv("WB_TEST_ALL");

	for (unsigned i = CHIP; i <= OPTIMIZE; i++) {
		unsigned n = 0;
		while (lists[i].word[n])
			n++;
		builds *= n;
	}
	step = all ? 1 : builds * nkernels / DEFAULT_BUILDS + 1;
	for (unsigned k = 0; k < nkernels; k++)
		for (unsigned cc = 0; lists[CC].word[cc]; cc++)
			for (unsigned o = 0; lists[OPTIMIZE].word[o]; o++)
				for (unsigned c = 0; lists[CHIP].word[c]; c++, number++) {
					const char *chip = lists[CHIP].word[c];
					const struct build b = { kernels[k], chip, lists[CC].word[cc],
								 lists[OPTIMIZE].word[o], is_tesla(chip) };
					if (selected || in_sample(number, step))
						start(&b);
				}
	for (unsigned i = 0; i < JOBS_MAX; i++)
		while (children[i].pid)
			reap();
}

static void print_refusals(void)
{
	for (unsigned i = 0; i < REFUSALS_MAX && refusals[i].builds; i++)
		printf("%u builds refused: %s\n", refusals[i].builds, refusals[i].text);
}

static void print_table(void)
{
	printf("%-20s", "right/refused/wrong");
	for (unsigned c = 0; lists[CHIP].word[c]; c++)
		printf(" %12s", lists[CHIP].word[c]);
	printf("\n");
	for (unsigned k = 0; k < nkernels; k++) {
		printf("%-20s", kernels[k]->name);
		for (unsigned c = 0; lists[CHIP].word[c]; c++) {
			char cell[48];
			snprintf(cell, sizeof cell, "%u/%u/%u", by_kernel[k][c].right, by_kernel[k][c].refused,
				 by_kernel[k][c].wrong);
			printf(" %12s", cell);
		}
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	if (argc < 2 || !read_arguments(argc, argv))
		return WB_USAGE;
	folder = argv[1];
	if (cuda)
		list_cuda();
	if (cuda ? !cuda_found() : !list_compilers()) {
		printf("skipped: no %s\n", cuda ? "nvcc" : "clang of a known version");
		return 77;
	}
	list_kernels();
	run_all();
	if (with_table)
		print_table();
	print_refusals();
	printf("%u kernels: %u launches right, %u builds refused by name, %u wrong\n", nkernels, total.right,
	       total.refused, total.wrong);
	printf("%u passed, %u failed\n", total.right, total.wrong);
	return total.wrong || !total.right ? 1 : 0;
}
