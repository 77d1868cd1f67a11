/* Build options: a text of words, with quotes around blanks, into a configuration. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "frontends/opencl/program.h"

enum how { CLANG, SET, NONE };
static const struct row { enum how how; const char *word, *option, *value; } rows[] = {
#define CLANG(word) { CLANG, word, "cl-flag", word },
#define SET(word, option, value) { SET, word, option, value },
#define NONE(word) { NONE, word, NULL, NULL },
#include "frontends/opencl/options.def"
#undef CLANG
#undef SET
#undef NONE
};

/* The next word of *p into `word`, without quotes and with what a backslash stands before. False: the end. */
static bool next_word(const char **p, char *word)
{
	char quote = '\0', *w = word;

	while (**p == ' ' || **p == '\t' || **p == '\n' || **p == '\r')
		(*p)++;
	if (!**p)
		return false;
	for (; **p && (quote || !strchr(" \t\r\n", **p)); (*p)++) {
		if (!quote && (**p == '"' || **p == '\''))
			quote = **p;
		else if (quote && **p == quote)
			quote = '\0';
		else if (**p == '\\' && quote != '\'' && (*p)[1])
			*w++ = *++*p;
		else
			*w++ = **p;
	}
	*w = '\0';
	return true;
}

/* The path of a relative folder below the folder of the program's file. False: none. */
static bool beside_program(const char *folder, char path[PATH_MAX])
{
	ssize_t n = *folder == '/' ? 0 : readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (n <= 0)
		return false;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) + strlen(folder) + 2 > PATH_MAX)
		return false;
	strcpy(slash + 1, folder);
	return true;
}

/* A folder of headers: relative ones are of the working folder, and of the folder of the program's file. */
static enum wb_status add_folder(struct wb_config *c, const char *folder, struct wb_diag *d)
{
	char path[PATH_MAX];
	enum wb_status status = wb_config_set(c, "include", folder, d);

	return status == WB_OK && beside_program(folder, path) ? wb_config_set(c, "include", path, d) : status;
}

static bool is_there(char path[PATH_MAX], const char *folder, const char *name)
{
	return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX && !access(path, R_OK);
}

bool options_find(const char *options, const char *name, char path[PATH_MAX])
{
	const char *p = options ? options : "", *folder;
	char *word = malloc(strlen(p) + 1), beside[PATH_MAX];
	bool found = word && is_there(path, ".", name);

	while (word && !found && next_word(&p, word)) {
		if (strncmp(word, "-I", 2) || (!word[2] && !next_word(&p, word)))
			continue;
		folder = word + (strncmp(word, "-I", 2) ? 0 : 2);
		found = is_there(path, folder, name) ||
			(beside_program(folder, beside) && is_there(path, beside, name));
	}
	free(word);
	return found;
}

static const struct row *find_row(const char *word)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i].word);
		if (rows[i].word[n - 1] == '=' ? !strncmp(word, rows[i].word, n) : !strcmp(word, rows[i].word))
			return &rows[i];
	}
	return NULL;
}

static cl_int bad_option(const char *word, struct wb_diag *d)
{
	*d = (struct wb_diag){ .status = WB_USAGE, .offset = -1 };
	snprintf(d->text, sizeof d->text, "build option \"%.200s\": found no such option in OpenCL 1.2", word);
	return CL_INVALID_BUILD_OPTIONS;
}

/* One word; -D and -I may have their value in the next. */
static cl_int apply(struct wb_config *c, char *word, const char **rest, struct wb_diag *d)
{
	bool defines = !strncmp(word, "-D", 2), includes = !strncmp(word, "-I", 2);
	const struct row *row = find_row(word);
	enum wb_status status = WB_OK;
	const char *value = word + 2;

	if (defines || includes) {
		if (!*value && (!next_word(rest, word) || !*(value = word)))
			return bad_option(defines ? "-D" : "-I", d);
		status = defines ? wb_config_set(c, "define", value, d) : add_folder(c, value, d);
	} else if (!row) {
		return bad_option(word, d);
	} else if (row->how != NONE) {
		status = wb_config_set(c, row->option, row->value ? row->value : word + strlen(row->word), d);
	}
	return status == WB_OK ? CL_SUCCESS : status == WB_ENV ? CL_OUT_OF_HOST_MEMORY : CL_INVALID_BUILD_OPTIONS;
}

cl_int options_apply(struct wb_config *c, const char *options, struct wb_diag *d)
{
	const char *p = options ? options : "";
	char *word = malloc(strlen(p) + 1);
	cl_int error = word ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;

	while (!error && next_word(&p, word))
		error = apply(c, word, &p, d);
	free(word);
	return error;
}
