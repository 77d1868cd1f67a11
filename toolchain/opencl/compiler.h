/* One compilation of OpenCL C, CUDA C++ or HIP C++: what the files of this folder hand on to each other. The column
 * of calls is compile.c's; the files below it, from the ground up: messages, guard, version, tools, command, cache,
 * library. */
#ifndef WB_TOOLCHAIN_OPENCL_COMPILER_H
#define WB_TOOLCHAIN_OPENCL_COMPILER_H

#include <stdlib.h>
#include <string.h>

#include "core/base/sha256.h"
#include "host/child.h"
#include "toolchain/build.h"
#include "toolchain/opencl/builtins.h"
#include "toolchain/opencl/compile.h"

enum { ARGUMENTS_MAX = 1024 };

/* A language, and a kind of machine that the language is compiled for. */
struct target {
	enum source_language language;
	const char *chip;                /* a chip of the machine */
	const char *triple, *ending;     /* of the compiler; of the object's file */
	bool object;                     /* code objects, which have versions; else text */
	const char *libraries[5];        /* places of the built-in functions, in Debian's libclc and other builds */
	const char *words[12];           /* options of both steps */
	const char *second_words[8];     /* options of the second step alone */
	const char *third_words[8];      /* of a step from LLVM's text to the target's; none: no such step */
	bool nvcc;                       /* NVIDIA's compiler, with headers and functions of its own; else clang */
};

struct compiler {
	struct build *build;
	const struct build_options *options;
	struct arena *arena;             /* the build's */
	struct diag *diag;
	const char *name;                /* of the source */
	const char *source;              /* text of the source, `size` bytes */
	size_t size;
	const struct target *target;
	const char *chip;
	const char *program;             /* the compiler's name */
	const char *library;             /* file of the built-in functions; NULL: nvcc needs none */
	const char *linker;              /* path; NULL: none is here */
	const char *headers;             /* folder of the folders cuda and hip; NULL: no headers of ours are read */
	bool flagged;                    /* the library asks for a version of code objects */
	struct child_outputs version;    /* what the program says of itself */
	struct child child;
	int64_t seconds;                 /* of the host's time for all children together; SECONDS_UNLIMITED: no bound */

	char *argument[ARGUMENTS_MAX];
	unsigned narguments;
	bool full;                       /* too many arguments, or no memory */

	struct child_text named;         /* the source behind a #line with its name */
	struct child_outputs preprocessed;      /* empty: the source stands alone */
	struct child_text whole;         /* every text of the object: preprocessed, or source and definitions */
	struct opencl_builtins builtins; /* ours, as many as the source needs */

	/* The cache of objects (cache.c). */
	int cache;                       /* folder of the cache; -1: the object is not kept */
	const char *likely;              /* path of the compiler in inputs_key */
	const char *inputs;              /* record of the files that were read; NULL: none is to be kept */
	uint8_t inputs_key[SHA256_BYTES], object_key[SHA256_BYTES];
	bool cached;                     /* the object comes from the cache */

	uint8_t *object;                 /* `object_size` bytes in the arena; NULL: not made yet */
	size_t object_size;
	struct image_warning *warning;
	size_t nwarnings;
};

/* The number behind "clang version " in what the compiler says of itself; 0: unknown, or no compiler has run yet. */
static inline int major_version(const struct compiler *c)
{
	const char *said = c->version.out.bytes ? strstr(c->version.out.bytes, "clang version ") : NULL;

	return said ? atoi(said + strlen("clang version ")) : 0;
}

static inline bool unoptimised(const struct compiler *c)
{
	return !strcmp(c->options->optimize, "0");
}

/* command.c: whether the words of --cl-flag are build options of OpenCL. False with a diagnostic: one is none. */
bool flags_check(struct compiler *c);

/* messages.c: what the compiler says. */

/* Set the diagnostic of a compiler that was ended by something else than an error of the source. False: none was. */
bool ended_early(struct compiler *c, int status, const char *errors);
/* Set the diagnostic of a compiler that failed; returns false. */
bool compiler_error(struct compiler *c, int status, const char *errors);
/* Take the compiler's warnings. */
bool take_warnings(struct compiler *c, const char *errors);

/* version.c: what tells one compiler from another. */

/* Add a file to a hash, by its last change: the compiler and its libraries are replaced, not written to. */
void hash_of_file(struct sha256 *s, const char *path);
/* The answer of the compiler, of the same last change, to a question about itself ("--version"), from malloc. False:
 * the question was not answered before. */
bool recall_answer(const struct compiler *c, const char *question, struct child_text *answer);
void keep_answer(const struct compiler *c, const char *question, const struct child_text *answer);

/* tools.c: programs and libraries of the host. */

/* The target of a language with the instruction set of the chip, NULL: of the language's first chip. NULL: none. nvcc:
 * where the language is CUDA C++, the target of nvcc in place of clang's. */
const struct target *target_of_chip(const char *chip, enum source_language l, bool nvcc);
/* The language as people call it. */
static inline const char *language_of_target(const struct target *t)
{
	static const char *const names[] = { "OpenCL C", "CUDA C++", "HIP C++" };

	return names[t->language];
}
bool find_library(struct compiler *c);
/* Find the compiler, in its limits, for the library; end_tools gives back what they hold. */
bool find_tools(struct compiler *c);
void end_tools(struct compiler *c);
/* Path of the compiler's linker. Where none is beside the compiler or in PATH, as beside a script that calls a
 * compiler, the compiler is asked. NULL: none. */
const char *find_linker_of(struct compiler *c);
/* The path of the compiler that find_tools would take, where the compiler runs; NULL: none. */
const char *likely_compiler(struct compiler *c);
/* Files of a child's folder. */
enum { CHILD_BUILTINS, CHILD_UNITS };
static inline void forget_inputs(struct compiler *c)
{
	for (int i = 0; i < CHILD_INPUTS; i++)
		c->child.input[i].name = NULL;
}
/* Name the folder of the next run, before its arguments are made. */
void name_folder(struct compiler *c);
/* Run the compiler on n bytes of input; what it says goes into the log. */
int run_compiler(struct compiler *c, char *const *argv, const void *input, size_t n, struct child_outputs *o);

/* command.c: the arguments of each step, in c->argument. */

void preprocess_command(struct compiler *c);
/* Of the second step without its libraries and files; the key of an object has these options. */
void command_options(struct compiler *c);
/* The options of each version of clang that this compilation may get, for a key made before the version is known. */
void hash_version_options(const struct compiler *c, struct sha256 *s);
/* Of a unit before the last, to bitcode. */
void unit_command(struct compiler *c);
/* What follows command_options: the libraries, and c->child.result in the folder. */
void compile_files(struct compiler *c);
/* Whether the second step of an object makes LLVM's text, and a third one the object. */
bool makes_text_first(const struct compiler *c);
/* Of the third step, to the target's text, or to an object, with private arrays of bytes or without; and to a linked
 * object of the file OBJECT_FILE in the folder. */
void text_command(struct compiler *c);
void object_command(struct compiler *c, bool arrays);
void link_command(struct compiler *c);
#define OBJECT_FILE "object.o"
/* Blank the lines of preprocessed text that tell nvcc's temporary file, whose name is another each time. */
void blank_temporary(const struct compiler *c, struct child_text *t);
/* The option for the version of code objects; NULL: none. Whether clang is to type pointers (TYPED_POINTERS). */
const char *object_version(const struct compiler *c);
bool types_pointers(const struct compiler *c);
#define TYPED_POINTERS "-Xclang", "-no-opaque-pointers"
/* Of clang: images are written in three dimensions, as our functions (images.cl) have it on every chip. */
#define IMAGE_OPTIONS "-Xclang", "-cl-ext=+cl_khr_3d_image_writes"

/* cache.c: objects made before. */

/* Take the object of a source that was compiled before, from files that have not changed since. */
bool recall_source(struct compiler *c);
/* Take the object of the same whole text and options. */
bool recall_object(struct compiler *c);
/* Keep the object, with a record of its inputs. */
void keep_in_cache(struct compiler *c);
void end_cache(struct compiler *c);
/* Copy n bytes as the object. */
bool take_object(struct compiler *c, const char *bytes, size_t n);

/* units.c: copy the source behind a prologue and a #line with its name, for messages and line tables. */
bool name_source(struct compiler *c, const char *prologue);

/* A text of several units. */

#define UNIT_LINE "#pragma warpbeam unit"
bool has_units(const struct compiler *c);
/* Make the next unit of all the text the source; unit: the one before, all zero before the first. False: no more. */
bool next_unit(struct compiler *c, const struct child_text *all, struct child_text *unit);
bool is_last_unit(const struct child_text *all, const struct child_text *unit);
/* Bitcode of all units but the last, which is named (name_source), as a file of the next child's folder. The caller
 * frees linked->bytes. */
bool make_units(struct compiler *c, struct child_text *linked);

/* library.c: our own built-in functions (builtins.cl). */

/* Find the functions that the source needs; some of them stand before the source as well (c->builtins.prologue). */
bool find_builtins(struct compiler *c);
/* Bitcode of the functions, as a file of the next child's folder: from the cache, or compiled and kept. The caller
 * frees *bitcode, filled or not. */
bool make_builtins(struct compiler *c, struct child_outputs *bitcode);

#endif
