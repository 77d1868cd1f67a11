/* Whole programs in CUDA C++ and HIP C++: sources become objects or programs (build.c), for the verb build and for
 * command lines of nvcc and hipcc (toolkit.c). */
#ifndef WB_FRONTENDS_CLI_BUILD_H
#define WB_FRONTENDS_CLI_BUILD_H

#include "frontends/cli/cli.h"

/* ---- Command lines of other programs ---- */

/* Words that end with a NULL, each in memory of its own. */
struct words {
	char **word;
	size_t n;
};

void words_add(struct words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void words_append(struct words *w, const struct words *more);
void words_free(struct words *w);
/* Run word[0], found in PATH, and wait. WB_INPUT: the program ended with another code than 0, and has said why. */
enum wb_status words_run(const struct words *w);

/* ---- Sources ---- */

struct language {
	const char *ending;              /* of sources */
	const char *name;
	const char *object;              /* ending of the file that the library makes of the kernels */
	const char *chip;                /* without --chip */
	bool (*write)(const char *path, const struct wb_file *object, const char *chip);
	const char *headers;             /* folder below include/warpbeam */
	const char *folder, *library;    /* of the runtime */
	const char *words[20];           /* for the host's compiler */
};

/* The language of sources with the ending, ".cu" or ".hip". */
const struct language *language_by(const char *ending);
/* Whether the name ends as names of such sources do. */
bool is_whole_source(const char *path);

/* A source on its way to an object or a program. */
struct translation {
	const struct language *language;
	const char *source, *output;
	const struct words *host;        /* further words for the host's compiler; may be NULL */
	bool object;                     /* an object, whose source may be without kernels */
	bool relocatable;                /* kernels may use functions and variables of other sources: CUDA alone */
};

/* Compile kernels and host functions; the configuration has definitions and folders. Prints what is wrong. */
enum wb_status build_source(const struct cli *c, const struct translation *t);
/* Whether functions and variables of kernels are all defined in a program, and once; a wrong
 * program is removed, with a message. */
enum wb_status build_check_link(const char *program);
/* The host's functions alone, without kernels between them. */
enum wb_status build_host(const struct cli *c, const struct translation *t);
/* The kernels alone, as the library has made them: PTX, or a code object; fat: within the language's container. */
enum wb_status build_kernels(const struct cli *c, const struct language *l, const char *source, const char *output,
			     bool fat);
/* The host's compiler for a language. NULL: none, said so. */
const char *build_compiler(const struct cli *c, const struct language *l);
/* Add a folder of headers behind an option such as "-isystem", and the runtime with its place. False: not here, said
 * so. */
bool build_headers(const char *headers, const char *option, struct words *w);
bool build_runtime(const struct language *l, struct words *w);
/* A program of several sources and objects (toolkit.c). */
enum wb_status build_sources(struct cli *c, const struct language *l, char *const *source, size_t n,
			     const char *output);
/* Run the command behind "--", such as make, with nvcc and hipcc of Warpbeam before all others (build_command.c). */
enum wb_status build_command(struct cli *c);
/* Build in a temporary folder, and run with the operands behind "--". Returns the program's exit code. */
enum wb_status build_and_run(struct cli *c, const char *source);

#endif
