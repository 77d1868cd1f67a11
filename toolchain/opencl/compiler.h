/* One compilation of OpenCL C, CUDA C++ or HIP C++: what the files of this folder hand on to each other. The column
 * of calls is compile.c's; the files below it, from the ground up: messages, command, run, cache, guard, tools. */
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
	const char *libraries[7];        /* places of the built-in functions, in Debian's libclc and other builds */
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
	int major;                       /* version of clang; 0: nvcc, or no compiler has run yet */
	struct child child;
	int64_t seconds;                 /* of the host's time for all children together; SECONDS_UNLIMITED: no bound */

	const char *question;            /* of question_command */
	bool arrays;                     /* object_command keeps private arrays of bytes */
	char *argument[ARGUMENTS_MAX];
	unsigned narguments;
	bool full;                       /* too many arguments, or no memory */

	struct child_text named;         /* the source behind a #line with its name */
	struct child_outputs preprocessed;      /* empty: the source stands alone */
	struct child_text whole;         /* every text of the object: preprocessed, or source and definitions */
	struct opencl_builtins builtins; /* ours, as many as the source needs */

	/* The cache of objects (cache.c). */
	int cache;                       /* folder of the cache; -1: none */
	bool kept;                       /* the object may be kept */
	const char *likely;              /* path of the compiler in inputs_key */
	const char *inputs;              /* record of the files that were read; NULL: none is to be kept */
	uint8_t inputs_key[SHA256_BYTES], object_key[SHA256_BYTES];
	bool cached;                     /* the object comes from the cache */

	uint8_t *object;                 /* `object_size` bytes in the arena; NULL: not made yet */
	size_t object_size;
	struct image_warning *warning;
	size_t nwarnings;
};

static inline bool unoptimised(const struct compiler *c)
{
	return !strcmp(c->options->optimize, "0");
}

/* What a child reads from its standard input. */
static inline struct child_text child_input(const char *text)
{
	return (struct child_text){ (char *)(uintptr_t)text, strlen(text) };
}

/* A function that returns bool returns false with a diagnostic, or without one where the host has no memory. */

/* messages.c: what the compiler says. */

/* Set the diagnostic of a compiler that was ended by something else than an error of the source. False: none was. */
bool ended_early(struct compiler *c, int status, const char *errors);
/* Set the diagnostic of a compiler that failed; returns false. */
bool compiler_error(struct compiler *c, int status, const char *errors);
/* Take the compiler's warnings. */
bool take_warnings(struct compiler *c, const char *errors);

/* command.c: the words of each step, made into c->argument. */

/* Whether the words of --cl-flag are build options of OpenCL. */
bool flags_check(struct compiler *c);
/* Whether the second step of an object makes LLVM's text, and a third one the object. */
bool makes_text_first(const struct compiler *c);
/* What the compiler says of itself: the answer to c->question. */
void question_command(struct compiler *c);
/* Of our built-in functions to bitcode. */
void builtins_command(struct compiler *c);
void preprocess_command(struct compiler *c);
/* Of the second step without its libraries and files; the key of an object has these options. */
void command_options(struct compiler *c);
/* The options of each version of clang that this compilation may get, for a key made before the version is known. */
void hash_version_options(const struct compiler *c, struct sha256 *s);
/* Of a unit before the last, to bitcode. */
void unit_command(struct compiler *c);
/* Of the second step, with the libraries, to c->child.result in the folder. */
void compile_command(struct compiler *c);
/* Of the third step, to the target's text, or to an object; and to a linked object of the file OBJECT_FILE in the
 * folder. */
void text_command(struct compiler *c);
void object_command(struct compiler *c);
void link_command(struct compiler *c);
#define OBJECT_FILE "object.o"

/* run.c: runs of the compiler. */

/* Files of a child's folder. */
enum { CHILD_BUILTINS, CHILD_UNITS };
static inline void forget_inputs(struct compiler *c)
{
	for (int i = 0; i < CHILD_INPUTS; i++)
		c->child.input[i].name = NULL;
}

/* Bound all runs together. */
void set_limits(struct compiler *c);
/* Run the compiler with the words of `command`, in a folder of the run's own; what it says goes into the log. Returns
 * the exit status or CHILD_…. */
int run_compiler(struct compiler *c, void (*command)(struct compiler *c), struct child_text input,
		 struct child_outputs *o);
/* The same as a step of the compilation. */
bool run_step(struct compiler *c, void (*command)(struct compiler *c), struct child_text input,
	      struct child_outputs *o);

/* tools.c: programs and libraries of the host. */

/* Find the target of the chip, and the chip where none was named. */
bool find_target(struct compiler *c, enum source_language l);
bool find_library(struct compiler *c);
/* Find the compiler, in its limits, for the library; end_tools gives back what they hold. */
bool find_tools(struct compiler *c);
void end_tools(struct compiler *c);
/* Find c->linker. Where none is beside the compiler or in PATH, as beside a script that calls a compiler, the compiler
 * is asked. */
bool find_linker(struct compiler *c);
/* Find c->likely, the compiler that find_tools would take, where the compiler runs. False: none. */
bool find_likely(struct compiler *c);

/* cache.c: what was made before. Each recall_… is false where nothing was kept. */

/* Take the object of a source that was compiled before, from files that have not changed since. */
bool recall_source(struct compiler *c);
/* Take the object of the same whole text and options. */
bool recall_object(struct compiler *c);
/* Keep the object, with a record of its inputs. */
void keep_object(struct compiler *c);
/* The answer of the compiler, of the same last change, to c->question; from malloc. */
bool recall_answer(const struct compiler *c, struct child_text *answer);
void keep_answer(const struct compiler *c, const struct child_text *answer);
/* Bitcode of our built-in functions, made by c->argument; from malloc. */
bool recall_builtins(const struct compiler *c, struct child_text *bitcode);
void keep_builtins(const struct compiler *c, const struct child_text *bitcode);
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

#endif
