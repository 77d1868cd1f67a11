/* The verbs nvcc and hipcc: command lines as makefiles have them, with Warpbeam as the GPU. A word is a row of
 * toolkit.def; each source becomes an object, by clang with its kernels (build.c) or, in C and C++, by the host's
 * compiler, and the objects become a program linked with Warpbeam's runtime. `warpbeam build -- make` puts both verbs
 * where makefiles look for the compilers. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/build.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/temporary.h"
#include "frontends/cli/verbs.h"

const struct opt toolkit_options[] = {
	{ "words", 0, OPT_FOREIGN, NULL, NULL, NULL, NULL, false },
	{ NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false },
};

enum value_kind { NONE, NEXT, JOINED, WARNING };
enum action {
	COMPILE, PREPROCESS, DEPENDENCIES, PTX, FATBIN, SHARED, LIBRARY, DEVICE_LINK, OUTPUT, FOLDER, DEFINE, INCLUDE,
	DEVICE, STANDARD, LANGUAGE, CONTRACT, HOST, HOST_JOINED, HOST_PAIR, HOST_LIST, HOST_COMPILER, LINK, LINK_JOINED,
	LINK_LIST, VERBOSE, FORWARD, SHOWN, NOTHING, REFUSED, RELOCATABLE, DEVICE_COMPILE, CLANG_RELOCATABLE
};

static const struct row {
	const char *names;
	enum value_kind value;
	enum action action;
	const char *text;
} rows[] = {
#define GROUP(text) { NULL, NONE, NOTHING, text },
#define WORD(names, value, action, text) { names, value, action, text },
#include "frontends/cli/toolkit.def"
#undef WORD
#undef GROUP
};
enum { ROWS = sizeof rows / sizeof *rows };

/* A source or an object, in the order of the command line; the linker sees libraries at their place. */
struct operand {
	const char *path;
	const char *language;            /* ".cu", ".hip", ".cpp", ".c"; NULL: for the linker */
	char *object;                    /* temporary file; NULL: none */
};

struct toolkit {
	struct cli *c;
	const struct language *language; /* that the compiler is for */
	enum action made;                /* COMPILE … DEVICE_LINK; OUTPUT: a program */
	const char *output, *folder, *said;     /* -o, -odir, the language of -x */
	const char *host_compiler;
	bool relocatable;                /* kernels may use functions and variables of other sources */
	bool forwards;                   /* words unknown here are for the host's compiler */
	struct words host, plain, link;         /* for clang with kernels, for C and C++, for the linker */
	struct operand *operand;
	size_t noperands;
	enum wb_status status;
};

/* ---- the table ---- */

static bool is_among(const char *names, const char *word, size_t n)
{
	for (const char *p = names ? names : ""; *p; p += strcspn(p, " "), p += *p == ' ')
		if (strcspn(p, " ") == n && !strncmp(p, word, n))
			return true;
	return false;
}

/* The row of a word. *value: behind '=' or the letter, or NULL if it is not in the word. */
static const struct row *find_row(const char *word, const char **value)
{
	size_t n = strcspn(word, "=");

	*value = NULL;
	for (const struct row *r = rows; r < rows + ROWS; r++)
		if (is_among(r->names, word, strlen(word)))
			return r;
	for (const struct row *r = rows; r < rows + ROWS; r++)
		if (r->value != NONE && word[n] && is_among(r->names, word, n)) {
			*value = word + n + 1;
			return r;
		}
	for (const struct row *r = rows; r < rows + ROWS; r++)
		if (r->value == JOINED && word[1] != '-' && is_among(r->names, word, 2)) {
			*value = word + 2;
			return r;
		}
	return NULL;
}

static bool refuse(struct toolkit *t, const char *word, const char *why)
{
	t->status = complain(WB_USAGE, "%s: %s", word, why);
	return false;
}

static bool configure(struct toolkit *t, const char *option, const char *value)
{
	struct wb_diag d;

	if (wb_config_set(t->c->config, option, value, &d) == WB_OK)
		return true;
	t->status = complain_diag(&d);
	return false;
}

/* The next of words with commas or blanks between them, from *list on, which moves; quotes and backslashes are a
 * shell's. The caller frees the word; NULL past the last. */
static char *next_part(const char **list)
{
	const char *p = *list + strspn(*list, ", ");
	char *word = *p ? grow(NULL, strlen(p) + 1) : NULL, *end = word, quote = '\0';

	for (; *p && (quote || !strchr(", ", *p)); p++)
		if (*p == quote)
			quote = '\0';
		else if (!quote && strchr("\"'", *p))
			quote = *p;
		else
			*end++ = *p == '\\' && quote != '\'' && p[1] ? *++p : *p;
	if (word)
		*end = '\0';
	*list = p;
	return word;
}

static void add_parts(struct words *w, const char *before, const char *list)
{
	for (char *word; (word = next_part(&list)); free(word)) {
		words_add(w, "%s", before);
		words_add(w, "%s", word);
	}
}

/* ---- words ---- */

/* clang's own OpenMP is a package that few have. With the name of gcc's library clang knows the calls, whose header is
 * ours, and runs a loop on one thread. */
static bool add_openmp(struct toolkit *t)
{
	struct words headers = { 0 };
	bool good = build_headers("openmp", "-I", &headers) && configure(t, "include", headers.word[1]);

	words_add(&t->plain, "-fopenmp");
	words_add(&t->host, "-fopenmp=libgomp");
	words_add(&t->link, "-lgomp");
	words_free(&headers);
	return good;
}

static bool begins(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

/* Words of the host's compiler that are for its linker alone, or for its linker as well. */
static bool add_host(struct toolkit *t, const char *word)
{
	if (!strcmp(word, "-fopenmp"))
		return add_openmp(t);
	if (begins(word, "-Wl,") || begins(word, "-fsanitize=") || !strcmp(word, "--coverage"))
		words_add(&t->link, "%s", word);
	if (!begins(word, "-Wl,")) {
		words_add(&t->host, "%s", word);
		words_add(&t->plain, "%s", word);
	}
	return true;
}

static bool add_host_words(struct toolkit *t, const char *list)
{
	bool good = true;

	for (char *word; (word = next_part(&list)); free(word))
		good = good && add_host(t, word);
	return good;
}

/* Our runtime is linked without a word, and its objects would otherwise be taken for those of an SDK. */
static void add_library(struct toolkit *t, const char *prefix, const char *value)
{
	static const char *const ours[] = { "cudart", "cudart_static", "cudadevrt", "cuda", "nvrtc", "amdhip64", NULL };

	for (const char *const *name = ours; !strcmp(prefix, "-l") && *name; name++)
		if (!strcmp(*name, value))
			return;
	words_add(&t->link, "%s%s", prefix, value);
}

static bool set_standard(struct toolkit *t, const char *value)
{
	const char *plus = strstr(value, "++");
	const char *standard = plus && strcmp(plus, "++03") && strcmp(plus, "++98") && strcmp(plus, "++11") ? plus + 2
													    : "14";
	char word[64];

	if (!plus)              /* of C */
		return true;
	snprintf(word, sizeof word, "-std=c++%s", standard);
	add_host(t, word);
	return configure(t, "cl-flag", word);
}

static bool set_language(struct toolkit *t, const char *value)
{
	static const char *const languages[][2] = {
		{ "cu", ".cu" }, { "cuda", ".cu" }, { "hip", ".hip" }, { "c++", ".cpp" }, { "c", ".c" },
	};

	t->said = NULL;
	for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
		if (!strcmp(languages[i][0], value))
			t->said = languages[i][1];
	return t->said || !strcmp(value, "none") || refuse(t, value, "expected a language: cu, c++, c, hip or none");
}

/* A word with its value, for the host's compiler, and with `device` for kernels as well. */
static bool add_joined(struct toolkit *t, const char *word, const char *value, bool device)
{
	char both[PATH_MAX];

	snprintf(both, sizeof both, "%s%s", word, value);
	add_host(t, both);
	return !device || configure(t, "cl-flag", both);
}

static bool act(struct toolkit *t, const struct row *r, const char *word, const char *value)
{
	switch (r->action) {
	case OUTPUT: t->output = value; return true;
	case FOLDER: t->folder = value; return true;
	case DEFINE: return configure(t, "define", value);
	case INCLUDE: return configure(t, "include", value);
	case DEVICE: return add_joined(t, r->text, value, true);
	case STANDARD: return set_standard(t, value);
	case LANGUAGE: return set_language(t, value);
	case CONTRACT: return configure(t, "contract", strcmp(value, "false") ? "on" : "off");
	case HOST: return add_host(t, word);
	case HOST_JOINED: return add_joined(t, r->text, value, false);
	case HOST_PAIR: return add_host(t, word) && add_host(t, value);
	case HOST_LIST: return add_host_words(t, value);
	case HOST_COMPILER: t->host_compiler = value; return true;
	case LINK: words_add(&t->link, "%s", word); return true;
	case LINK_JOINED: add_library(t, r->text, value); return true;
	case LINK_LIST: add_parts(&t->link, "-Xlinker", value); return true;
	case VERBOSE:
		fprintf(stderr, " kernels: -triple nvptx64-nvidia-cuda -target-cpu sm_70\n");
		return add_host(t, "-v");
	case FORWARD: t->forwards = true; return true;
	case RELOCATABLE: t->relocatable = !strcmp(value, "true"); return true;
	case CLANG_RELOCATABLE: t->relocatable = !strcmp(t->language->ending, ".cu"); return true;
	case DEVICE_COMPILE:
		t->relocatable = true;
		t->made = COMPILE;
		return true;
	case NOTHING:
	case SHOWN: return true;
	case REFUSED: return refuse(t, word, r->text);
	default: t->made = r->action; return true;
	}
}

/* A file by its name: sources by their language, everything else is the linker's. hipcc takes C++ for HIP. */
static void add_operand(struct toolkit *t, const char *path)
{
	static const char *const languages[][2] = {
		{ ".cu", ".cu" }, { ".hip", ".hip" }, { ".cpp", ".cpp" }, { ".cc", ".cpp" }, { ".cxx", ".cpp" },
		{ ".C", ".cpp" }, { ".c", ".c" },
	};
	const char *language = t->said, *dot = strrchr(path, '.'), *kernels = t->language->ending;

	for (size_t i = 0; !t->said && dot && i < sizeof languages / sizeof *languages; i++)
		if (!strcmp(languages[i][0], dot))
			language = languages[i][1];
	bool hip = !t->said && !strcmp(kernels, ".hip");
	/* CMake's question for the compiler: the answer "nvcc" would be asked for the commands that nvcc runs. */
	if (!strcmp(path, "CMakeCUDACompilerId.cu"))
		configure(t, "define", "WARPBEAM_CMAKE_ASKS");
	if (language && (!strcmp(language, ".cu") || (hip && !strcmp(language, ".cpp"))))
		language = kernels;
	t->operand = grow(t->operand, (t->noperands + 1) * sizeof *t->operand);
	t->operand[t->noperands++] = (struct operand){ .path = path, .language = language };
}

/* hipcc takes clang's words as well; CMake, to which our nvcc is a clang, gives nvcc the same. */
static bool is_of_clang(const struct toolkit *t, const char *word)
{
	return strchr("Wfmg", word[1]) || !strcmp(word, "-pthread") ||
	       (word[1] == 'n' && !strcmp(t->language->ending, ".hip"));
}

static bool unknown(struct toolkit *t, const char *word)
{
	if (t->forwards || is_of_clang(t, word))
		return add_host(t, word);
	t->status = complain(WB_USAGE, "%s: unknown option '%s'; a word for the host's compiler is -Xcompiler %s; "
			     "'warpbeam %s --help' lists all", t->c->verb->name, word, word, t->c->verb->name);
	return false;
}

/* Of the next word, the value of a row: nvcc's -Werror has a kind of warning behind it, clang's has none. */
static const char *next_value(const struct row *r, char **word, size_t i, size_t n)
{
	static const char warnings[] = "all-warnings cross-execution-space-call reorder default-stream-launch "
				       "deprecated-declarations missing-launch-bounds ext-lambda-captures-this";

	return i + 1 < n && (r->value != WARNING || is_among(warnings, word[i + 1], strcspn(word[i + 1], ",")))
		? word[i + 1] : NULL;
}

static bool read_words(struct toolkit *t, char **word, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *value, *name = word[i];
		if (*name != '-' || !name[1]) {
			add_operand(t, name);
			continue;
		}
		const struct row *r = find_row(name, &value);
		if (!r && !unknown(t, name))
			return false;
		if (r && r->value != NONE && !value) {
			value = next_value(r, word, i, n);
			i += value != NULL;
			if (!value && r->value != WARNING)
				return refuse(t, name, "expected a value behind it");
		}
		if (r && !act(t, r, name, value))
			return false;
	}
	return t->noperands || refuse(t, t->c->verb->name, "expected a source or an object");
}

/* A file of words, "@FILE", is clang's to read. */
static bool find_operands(struct toolkit *t)
{
	for (size_t i = 0; i < t->noperands; i++)
		if (*t->operand[i].path != '@' && access(t->operand[i].path, R_OK)) {
			t->status = complain(WB_ENV, "'%s': cannot open: %s", shown(t->operand[i].path),
					     strerror(errno));
			return false;
		}
	return true;
}

/* ---- objects ---- */

static bool has_kernels(const struct toolkit *t, const struct operand *o)
{
	return o->language && !strcmp(o->language, t->language->ending);
}

/* A source in C or C++, which may include the runtime's header. */
static enum wb_status compile_plain(struct toolkit *t, const struct operand *o, const char *output)
{
	bool c = !strcmp(o->language, ".c");
	struct words w = { 0 };
	const char *list;

	words_add(&w, "%s", t->host_compiler ? t->host_compiler : c ? "gcc" : "g++");
	words_add(&w, "-x");
	words_add(&w, c ? "c" : "c++");
	words_add(&w, "-c");
	for (size_t i = 0; i < t->plain.n; i++)
		if (!c || strncmp(t->plain.word[i], "-std=c++", 8))
			words_add(&w, "%s", t->plain.word[i]);
	for (list = wb_config_get(t->c->config, "define"); *list; list += strcspn(list, "\n"), list += *list == '\n')
		words_add(&w, "-D%.*s", (int)strcspn(list, "\n"), list);
	for (list = wb_config_get(t->c->config, "include"); *list; list += strcspn(list, "\n"), list += *list == '\n')
		words_add(&w, "-I%.*s", (int)strcspn(list, "\n"), list);
	enum wb_status status = build_headers(t->language->headers, "-isystem", &w) ? WB_OK : WB_ENV;
	words_add(&w, "%s", o->path);
	words_add(&w, "-o");
	words_add(&w, "%s", output);
	if (status == WB_OK)
		status = words_run(&w);
	words_free(&w);
	return status;
}

static enum wb_status compile_operand(struct toolkit *t, const struct operand *o, const char *output)
{
	if (!has_kernels(t, o))
		return compile_plain(t, o, output);
	return build_source(t->c, &(struct translation){ .language = t->language, .source = o->path, .output = output,
							 .host = &t->host, .object = true,
							 .relocatable = t->relocatable });
}

/* NAME.o of a source, in the folder of -odir or here. */
static void name_object(const struct toolkit *t, const struct operand *o, char path[PATH_MAX])
{
	const char *slash = strrchr(o->path, '/'), *name = slash ? slash + 1 : o->path;

	snprintf(path, PATH_MAX, "%s%s%.*s.o", t->folder ? t->folder : "", t->folder ? "/" : "",
		 (int)(strrchr(name, '.') ? strrchr(name, '.') - name : (ptrdiff_t)strlen(name)), name);
}

/* Two sources of one name in different folders would become one object. */
static enum wb_status check_objects(const struct toolkit *t)
{
	char one[PATH_MAX], two[PATH_MAX];

	for (size_t i = 0; i < t->noperands; i++)
		for (size_t k = 0; k < i; k++) {
			name_object(t, &t->operand[k], one);
			name_object(t, &t->operand[i], two);
			if (!strcmp(one, two))
				return complain(WB_USAGE, "%s: one file cannot be the object of %s and %s; take two "
						"calls, with -o", shown(one), shown(t->operand[k].path),
						shown(t->operand[i].path));
		}
	return WB_OK;
}

static enum wb_status make_objects(struct toolkit *t)
{
	char path[PATH_MAX];
	enum wb_status status = WB_OK;

	if (t->output && t->noperands > 1)
		return complain(WB_USAGE, "-o %s: one file cannot be the object of %zu sources", t->output,
				t->noperands);
	status = check_objects(t);
	for (size_t i = 0; status == WB_OK && i < t->noperands; i++) {
		const struct operand *o = &t->operand[i];
		name_object(t, o, path);
		status = o->language ? compile_operand(t, o, t->output ? t->output : path)
				     : complain(WB_USAGE, "%s: expected a source: .cu, .cpp, .c", o->path);
	}
	return status;
}

/* ---- programs and libraries ---- */

static enum wb_status make_temporaries(struct toolkit *t)
{
	enum wb_status status = WB_OK;
	char path[PATH_MAX];

	for (size_t i = 0; status == WB_OK && i < t->noperands; i++) {
		struct operand *o = &t->operand[i];
		if (!o->language)
			continue;
		if (!temporary_path(path))
			return WB_ENV;
		o->object = strdup(path);
		if (!o->object)
			no_memory();
		status = compile_operand(t, o, o->object);
	}
	return status;
}

static void add_objects(const struct toolkit *t, struct words *w)
{
	for (size_t i = 0; i < t->noperands; i++)
		words_add(w, "%s", t->operand[i].object ? t->operand[i].object : t->operand[i].path);
}

static enum wb_status link_operands(struct toolkit *t)
{
	const char *compiler = build_compiler(t->c, t->language);
	struct words w = { 0 };
	enum wb_status status = compiler ? make_temporaries(t) : WB_ENV;

	words_add(&w, "%s", compiler ? compiler : "");
	words_add(&w, "--driver-mode=g++");
	if (t->made == SHARED)
		words_add(&w, "-shared");
	add_objects(t, &w);
	words_append(&w, &t->link);
	words_add(&w, "-o");
	words_add(&w, "%s", t->output ? t->output : "a.out");
	if (status == WB_OK)
		status = build_runtime(t->language, &w) ? words_run(&w) : WB_ENV;
	if (status == WB_OK && t->made != SHARED)
		status = build_check_link(t->output ? t->output : "a.out");
	words_free(&w);
	return status;
}

static enum wb_status make_library(struct toolkit *t)
{
	struct words w = { 0 };
	enum wb_status status = make_temporaries(t);

	words_add(&w, "ar");
	words_add(&w, "rcs");
	words_add(&w, "%s", t->output ? t->output : "a.a");
	add_objects(t, &w);
	if (status == WB_OK)
		status = words_run(&w);
	words_free(&w);
	return status;
}

/* ---- other outputs ---- */

static enum wb_status make_empty(const struct toolkit *t)
{
	struct words w = { 0 };

	words_add(&w, "gcc");
	words_add(&w, "-x");
	words_add(&w, "c");
	words_add(&w, "-c");
	words_add(&w, "/dev/null");
	words_add(&w, "-o");
	words_add(&w, "%s", t->output ? t->output : "a_dlink.o");
	enum wb_status status = words_run(&w);
	words_free(&w);
	return status;
}

/* The text of each source behind the preprocessor, or its rule for make, to the file or to standard output. */
static enum wb_status preprocess(struct toolkit *t)
{
	enum wb_status status = WB_OK;

	words_add(&t->host, t->made == PREPROCESS ? "-E" : "-M");
	words_add(&t->plain, t->made == PREPROCESS ? "-E" : "-M");
	for (size_t i = 0; status == WB_OK && i < t->noperands; i++) {
		const struct operand *o = &t->operand[i];
		const char *output = t->output ? t->output : "-";
		struct translation text = { .language = t->language, .source = o->path, .output = output,
					    .host = &t->host, .object = true };
		status = !o->language ? complain(WB_USAGE, "%s: expected a source", o->path) :
			 has_kernels(t, o) ? build_host(t->c, &text) : compile_plain(t, o, output);
	}
	return status;
}

static enum wb_status make_kernels(struct toolkit *t, const char *ending)
{
	const struct operand *o = t->operand;
	const char *slash = strrchr(o->path, '/'), *name = slash ? slash + 1 : o->path;
	char path[PATH_MAX];

	if (t->noperands != 1 || !has_kernels(t, o) || strcmp(t->language->ending, ".cu"))
		return complain(WB_USAGE, "%s: expected one source in CUDA C++, in a file NAME.cu", o->path);
	snprintf(path, sizeof path, "%.*s%s",
		 (int)(strrchr(name, '.') ? strrchr(name, '.') - name : (ptrdiff_t)strlen(name)), name, ending);
	return build_kernels(t->c, t->language, o->path, t->output ? t->output : path, t->made == FATBIN);
}

/* ---- the verbs ---- */

static enum wb_status make(struct toolkit *t)
{
	switch (t->made) {
	case COMPILE: return make_objects(t);
	case PREPROCESS:
	case DEPENDENCIES: return preprocess(t);
	case PTX: return make_kernels(t, ".ptx");
	case FATBIN: return make_kernels(t, ".fatbin");
	case LIBRARY: return make_library(t);
	case DEVICE_LINK: return make_empty(t);
	default: return link_operands(t);
	}
}

/* Names in the left column, as many as fit; the first are those that people type. Further names have quotes. */
static void show_row(const struct row *r)
{
	static const char *const values[] = { [NONE] = "", [NEXT] = " VALUE", [JOINED] = " VALUE",
					      [WARNING] = " [KIND]" };
	enum { NAMES = 24 };
	char left[64], right[1024];
	size_t n = strcspn(r->names, " ");

	while (r->names[n] && n + 1 + strcspn(r->names + n + 1, " ") <= NAMES)
		n += 1 + strcspn(r->names + n + 1, " ");
	snprintf(left, sizeof left, "%.*s%s", (int)n, r->names, values[r->value]);
	int at = snprintf(right, sizeof right, "%s%s",
			  r->action == REFUSED ? "refused: " : r->action == NOTHING ? "without effect: " : "",
			  r->text && *r->text != '-' ? r->text : "as the host's compiler has it");
	for (const char *p = r->names + n; *p; p += strcspn(p, " "))
		at += snprintf(right + at, sizeof right - (size_t)at, "%s'%.*s'", p == r->names + n ? "; also " : " ",
			       (int)strcspn(p + 1, " "), p + 1), p++;
	help_row(stdout, left, right);
}

static void show_help(const struct cli *c)
{
	help_verb(stdout, c->verb, c->known);
	for (const struct row *r = rows; r < rows + ROWS; r++)
		if (r->names)
			show_row(r);
		else
			printf("\n%s:\n", r->text);
	help_exit_codes(stdout);
}

/* The version's line is for scripts that look for "release"; CMake reads "clang version", and gives words of clang; the
 * number behind V is the toolkit's, for find_package. */
static bool shows(const struct cli *c)
{
	for (size_t i = 0; i < c->nprogram; i++) {
		if (!strcmp(c->program[i], "--help") || !strcmp(c->program[i], "-h"))
			show_help(c);
		else if (!strcmp(c->program[i], "--version") || !strcmp(c->program[i], "-V"))
			printf("%s by Warpbeam, on clang version 14 or later\n"
			       "Cuda compilation tools, release 11.0, V11.0.0\n", c->verb->name);
		else
			continue;
		return true;
	}
	return false;
}

/* Give everything back; returns the status. */
static enum wb_status end(struct toolkit *t)
{
	for (size_t i = 0; i < t->noperands; i++)
		free(t->operand[i].object);
	free(t->operand);
	words_free(&t->host);
	words_free(&t->plain);
	words_free(&t->link);
	return t->status;
}

static enum wb_status toolkit_run(struct cli *c, const char *ending)
{
	struct toolkit t = { .c = c, .language = language_by(ending), .made = OUTPUT };

	if (shows(c))
		return WB_OK;
	if (configure(&t, "files", "any") && read_words(&t, c->program, c->nprogram) && find_operands(&t))
		t.status = make(&t);
	return end(&t);
}

enum wb_status build_sources(struct cli *c, const struct language *l, char *const *source, size_t n,
			     const char *output)
{
	struct toolkit t = { .c = c, .language = l, .made = OUTPUT, .output = output };

	for (size_t i = 0; i < n; i++)
		add_operand(&t, source[i]);
	if (find_operands(&t))
		t.status = link_operands(&t);
	return end(&t);
}

enum wb_status verb_nvcc(struct cli *c) { return toolkit_run(c, ".cu"); }
enum wb_status verb_hipcc(struct cli *c) { return toolkit_run(c, ".hip"); }
