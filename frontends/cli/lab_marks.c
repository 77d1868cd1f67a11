/* lab --marks: the marks of a class, a row a student, a column a lab. A file belongs to the lab whose name (lab2-loop)
 * or number (lab2) a part of its path has; what remains of the path is the student's name: anna/lab2-loop.s,
 * lab2-anna.s and lab2/anna.cl are all anna's. */
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frontends/cli/gallery.h"
#include "frontends/cli/lab.h"
#include "frontends/cli/report.h"

enum { FOLDERS_DEEP = 8, MARK_WIDTH = 7 };

struct handed_in {
	char *path, *student;
	int column;             /* index of the lab; -1: no lab's name is in the path */
	json_t *verdict;
};

struct class {
	const struct cli *c;
	struct lab *lab;
	size_t nlabs;
	bool one_lab;           /* a lecturer's: every file is judged by the lab */
	struct handed_in *file;
	size_t nfiles;
};

/* ---- labs ---- */

/* All labs that come with Warpbeam; or the only lab, with which the operands begin. */
static enum wb_status open_labs(struct class *k, size_t *first)
{
	const char *word = k->c->noperands ? k->c->operands[0] : "";
	int only = lab_bundled_index(word);
	struct stat at;
	*first = 0;
	if (!k->c->noperands)
		return complain(WB_USAGE, "--marks expects the files of a class, or their folder: "
					  "warpbeam lab --marks class");
	k->lab = grow(NULL, lab_bundled() * sizeof *k->lab);
	if (only >= 0 && stat(word, &at) != 0) {
		*first = 1;
		k->one_lab = true;
		return lab_open_bundled(&k->lab[k->nlabs++], (size_t)only) ? WB_OK : WB_INTERNAL;
	}
	char *text = NULL;
	size_t n = 0;
	struct wb_diag d;
	if (stat(word, &at) == 0 && S_ISREG(at.st_mode) && try_read_all(word, &text, &n, &d) && lab_text(text)) {
		*first = 1;
		k->one_lab = true;
		bool good = lab_read(&k->lab[k->nlabs++], word, text, n, &d);
		free(text);
		return good ? WB_OK : complain_diag(&d);
	}
	free(text);
	for (size_t i = 0; i < lab_bundled(); i++)
		if (!lab_open_bundled(&k->lab[k->nlabs++], i))
			return WB_INTERNAL;
	return WB_OK;
}

/* The lab that a part of a path names, by *n bytes at *at; -1: no lab. */
static int named_lab(const char *part, size_t *at, size_t *n)
{
	for (size_t p = 0; part[p]; p++) {
		char *end;
		if (strncasecmp(part + p, "lab", 3) != 0 || (p && isalnum((unsigned char)part[p - 1])) ||
		    !isdigit((unsigned char)part[p + 3]))
			continue;
		unsigned long number = strtoul(part + p + 3, &end, 10);
		if (number < 1 || number > lab_bundled())
			continue;
		const char *name = lab_gallery[number - 1].name;
		*at = p;
		*n = !strncasecmp(part + p, name, strlen(name)) ? strlen(name) : (size_t)(end - part) - p;
		return (int)number - 1;
	}
	return -1;
}

/* ---- files ---- */

static bool separates(char ch)
{
	return strchr("-_. ", ch) && ch;
}

/* Append a part of a path to the student's name, without separators at its ends. */
static void add_part(char *name, const char *part, size_t n)
{
	while (n && separates(*part))
		part++, n--;
	while (n && separates(part[n - 1]))
		n--;
	if (n && *name)
		strcat(name, "/");
	strncat(name, part, n);
}

/* Lab and student of a path: its parts behind the folder that holds the class. */
static void read_path(struct class *k, struct handed_in *h, size_t from)
{
	char *copy = strdup(h->path + from), *rest = copy, *part, *dot = strrchr(copy, '.');
	h->student = grow(NULL, strlen(h->path) + 2);
	*h->student = '\0';
	h->column = k->one_lab ? 0 : -1;
	if (dot && !strchr(dot, '/'))
		*dot = '\0';
	while ((part = strsep(&rest, "/"))) {
		size_t at, n;
		int lab = named_lab(part, &at, &n);
		if (lab < 0) {
			add_part(h->student, part, strlen(part));
			continue;
		}
		h->column = k->one_lab ? 0 : lab;
		char *left = grow(NULL, strlen(part) + 1);
		sprintf(left, "%.*s%s", (int)at, part, part + at + n);
		add_part(h->student, left, strlen(left));
		free(left);
	}
	if (!*h->student)
		strcpy(h->student, ".");
	free(copy);
}

static void add_file(struct class *k, const char *path, size_t from)
{
	k->file = grow(k->file, (k->nfiles + 1) * sizeof *k->file);
	struct handed_in *h = &k->file[k->nfiles++];
	*h = (struct handed_in){.path = strdup(path)};
	read_path(k, h, from);
}

/* The files of a folder and of the folders within, in order of names; hidden files are left out. */
static enum wb_status add_folder(struct class *k, const char *path, size_t from, unsigned deep)
{
	struct dirent **entry;
	int n = scandir(path, &entry, NULL, alphasort);
	enum wb_status status = WB_OK;
	if (n < 0)
		return complain(WB_ENV, "%s: cannot read the folder", shown(path));
	for (int i = 0; i < n; i++) {
		char *name;
		struct stat at;
		if (asprintf(&name, "%s/%s", path, entry[i]->d_name) < 0)
			no_memory();
		if (entry[i]->d_name[0] != '.' && stat(name, &at) == 0) {
			if (S_ISREG(at.st_mode))
				add_file(k, name, from);
			else if (S_ISDIR(at.st_mode) && deep < FOLDERS_DEEP && status == WB_OK)
				status = add_folder(k, name, from, deep + 1);
		}
		free(name);
		free(entry[i]);
	}
	free(entry);
	return status;
}

/* Bytes of the folder that all operands share, its slash included. */
static size_t shared_folder(const struct cli *c, size_t first)
{
	const char *one = c->operands[first], *slash = strrchr(one, '/');
	size_t n = slash ? (size_t)(slash - one) + 1 : 0;
	for (size_t i = first + 1; i < c->noperands; i++) {
		size_t same = 0;
		while (same < n && one[same] == c->operands[i][same])
			same++;
		while (same && one[same - 1] != '/')
			same--;
		n = same;
	}
	return n;
}

static enum wb_status add_operands(struct class *k, size_t first)
{
	enum wb_status status = WB_OK;
	if (first == k->c->noperands)
		return complain(WB_USAGE, "--marks expects files behind the lab, or their folder");
	size_t shared = shared_folder(k->c, first);
	bool several = k->c->noperands > first + 1;     /* the folder of each student, say */
	for (size_t i = first; i < k->c->noperands && status == WB_OK; i++) {
		char *path = strdup(k->c->operands[i]);
		struct stat at;
		for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
			path[n - 1] = '\0';
		if (stat(path, &at) != 0)
			status = complain(WB_ENV, "%s: cannot open: no such file or folder", shown(path));
		else if (S_ISDIR(at.st_mode))
			status = add_folder(k, path, several ? shared : strlen(path) + 1, 0);
		else
			add_file(k, path, shared);
		free(path);
	}
	return status;
}

/* ---- marks ---- */

static int met(const struct handed_in *h)
{
	return (int)json_integer_value(json_object_get(h->verdict, "met"));
}

static bool solved(const struct handed_in *h)
{
	return json_is_true(json_object_get(h->verdict, "solved"));
}

/* The verdict by the lab in the file's language; lab 7 has one language alone. */
static json_t *judge_variant(const struct cli *c, const struct handed_in *h)
{
	int variant = lab_variant(h->column, lab_in_c(h->path));
	struct lab lab = {.name = NULL};
	enum wb_status status;
	lab_open_bundled(&lab, (size_t)(variant < 0 ? h->column : variant));
	json_t *o = lab_judge_file(c, &lab, h->path, &status);
	lab_free(&lab);
	return o;
}

static void judge(struct class *k)
{
	struct cli silent = *k->c;
	silent.quiet = true;
	for (size_t i = 0; i < k->nfiles; i++) {
		struct handed_in *h = &k->file[i];
		enum wb_status status;
		if (h->column >= 0)
			h->verdict = k->one_lab ? lab_judge_file(&silent, &k->lab[h->column], h->path, &status)
						: judge_variant(&silent, h);
	}
}

/* The best of a student's files for a lab; NULL: none was handed in. */
static const struct handed_in *best(const struct class *k, const char *student, int column)
{
	const struct handed_in *found = NULL;
	for (size_t i = 0; i < k->nfiles; i++) {
		const struct handed_in *h = &k->file[i];
		if (h->column == column && !strcmp(h->student, student) && (!found || met(h) > met(found)))
			found = h;
	}
	return found;
}

static unsigned solved_by(const struct class *k, const char *student)
{
	unsigned n = 0;
	for (size_t i = 0; i < k->nlabs; i++) {
		const struct handed_in *h = best(k, student, (int)i);
		n += h && solved(h);
	}
	return n;
}

/* The students, each once, in order of names; the caller frees the array. */
static const char **students(const struct class *k, size_t *n)
{
	const char **name = grow(NULL, (k->nfiles + 1) * sizeof *name);
	*n = 0;
	for (size_t i = 0; i < k->nfiles; i++) {
		size_t at = 0;
		if (k->file[i].column < 0)
			continue;
		while (at < *n && strcmp(name[at], k->file[i].student) < 0)
			at++;
		if (at < *n && !strcmp(name[at], k->file[i].student))
			continue;
		memmove(name + at + 1, name + at, (*n - at) * sizeof *name);
		name[at] = k->file[i].student;
		++*n;
	}
	return name;
}

/* Name of a lab without folder and ending. */
static const char *name_of(const struct class *k, size_t i)
{
	static char name[64];
	const char *slash = strrchr(k->lab[i].name, '/'), *base = slash ? slash + 1 : k->lab[i].name;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(base, "."), base);
	return name;
}

static void print_table(const struct class *k, const char **student, size_t n)
{
	int width = 7;
	for (size_t i = 0; i < n; i++)
		width = (int)strlen(student[i]) > width ? (int)strlen(student[i]) : width;
	printf("%s%-*s", tint(k->c, TINT_BOLD), width, "student");
	for (size_t i = 0; i < k->nlabs; i++)
		printf("  %-*.*s", MARK_WIDTH, k->one_lab ? 64 : (int)strcspn(name_of(k, i), "-"),
		       shown(name_of(k, i)));
	printf("  solved%s\n", tint(k->c, TINT_NONE));
	for (size_t s = 0; s < n; s++) {
		printf("%-*s", width, shown(student[s]));
		for (size_t i = 0; i < k->nlabs; i++) {
			const struct handed_in *h = best(k, student[s], (int)i);
			char text[32] = "-";
			if (h)
				snprintf(text, sizeof text, "%d of %zu%s", met(h), k->lab[i].ngoals,
					 json_object_get(h->verdict, "error") ? "!" : "");
			printf("  %s%-*s%s", tint(k->c, !h ? TINT_DIM : solved(h) ? TINT_GOOD : TINT_BAD), MARK_WIDTH,
			       text, tint(k->c, TINT_NONE));
		}
		printf("  %u\n", solved_by(k, student[s]));
	}
}

/* Why files have no mark, or runs ended early (!); what cannot be loaded has been complained of. */
static void print_reasons(const struct class *k)
{
	for (size_t i = 0; i < k->nfiles; i++) {
		const struct handed_in *h = &k->file[i];
		bool loaded = !json_integer_value(json_object_get(h->verdict, "exit"));
		const char *error = loaded ? json_string_value(json_object_get(h->verdict, "error")) : NULL;
		if (h->column < 0)
			fprintf(stderr, "warpbeam: %s: not judged: no lab's name is in its path, such as lab1 or %s\n",
				shown(h->path), lab_gallery[0].name);
		else if (error)
			fprintf(stderr, "warpbeam: %s: %s\n", shown(h->path), error);
	}
}

static enum wb_status write_csv(const struct class *k, const char *path, const char **student, size_t n)
{
	char *bytes, cell[96];
	size_t size;
	FILE *f = open_memstream(&bytes, &size);
	if (!f)
		no_memory();
	csv_cell(f, "student", true);
	for (size_t i = 0; i < k->nlabs; i++) {
		snprintf(cell, sizeof cell, "%s (%zu goals)", name_of(k, i), k->lab[i].ngoals);
		csv_cell(f, cell, false);
	}
	csv_cell(f, "solved", false);
	fputc('\n', f);
	for (size_t s = 0; s < n; s++) {
		csv_cell(f, shown(student[s]), true);
		for (size_t i = 0; i < k->nlabs; i++) {
			const struct handed_in *h = best(k, student[s], (int)i);
			snprintf(cell, sizeof cell, "%d", h ? met(h) : 0);
			csv_cell(f, h ? cell : "", false);
		}
		snprintf(cell, sizeof cell, "%u", solved_by(k, student[s]));
		csv_cell(f, cell, false);
		fputc('\n', f);
	}
	text_close(f, &bytes);
	bool written = write_all(path, bytes, size);
	free(bytes);
	return written ? WB_OK : WB_ENV;
}

static enum wb_status write_json(const struct class *k)
{
	json_t *list = json_array();
	for (size_t i = 0; i < k->nfiles; i++) {
		const struct handed_in *h = &k->file[i];
		json_t *o = h->verdict ? json_copy(h->verdict) : json_pack("{s:s}", "file", shown(h->path));
		json_object_set_new(o, "student", json_string(shown(h->student)));
		json_object_set_new(o, "lab", h->column < 0 ? json_null() : json_string(k->lab[h->column].name));
		json_array_append_new(list, o);
	}
	return json_out(json_pack("{s:s, s:o}", "schema", "warpbeam.marks/1", "files", list), NULL);
}

static void class_free(struct class *k)
{
	for (size_t i = 0; i < k->nlabs; i++)
		lab_free(&k->lab[i]);
	for (size_t i = 0; i < k->nfiles; i++) {
		free(k->file[i].path);
		free(k->file[i].student);
		json_decref(k->file[i].verdict);
	}
	free(k->lab);
	free(k->file);
}

static enum wb_status show(const struct cli *c, struct class *k)
{
	size_t n;
	const char **student = students(k, &n), *path = cli_value(c, "output");
	enum wb_status status = WB_OK;
	if (!c->json && !path)
		print_table(k, student, n);
	if (!c->json)
		print_reasons(k);
	if (path)
		status = write_csv(k, path, student, n);
	if (c->json && status == WB_OK)
		status = write_json(k);
	free(student);
	return status;
}

enum wb_status lab_marks(const struct cli *c)
{
	struct class k = {.c = c};
	size_t first;
	enum wb_status status = open_labs(&k, &first);
	if (status == WB_OK)
		status = add_operands(&k, first);
	if (status == WB_OK) {
		judge(&k);
		status = show(c, &k);
	}
	class_free(&k);
	return status;
}
