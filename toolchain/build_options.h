/* What the toolchain obeys, as a struct made once of a caller's configuration (api/build_options.c): nothing in this
 * folder reads a configuration. Texts are borrowed. NULL, "" and 0 mean "not said" where a comment gives no other
 * meaning. */
#ifndef WB_TOOLCHAIN_BUILD_OPTIONS_H
#define WB_TOOLCHAIN_BUILD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/files.h"
#include "host/memory.h"

struct diag;

/* Bounds of a compilation's time: of the compiler's own, or none. */
enum { SECONDS_DEFAULT = -2, SECONDS_UNLIMITED = -1 };

struct build_options {
	/* The program. */
	const char *format;              /* a word of language.def */
	const char *isa, *chip, *mode;   /* instruction set, chip and program type by name, all known ones */
	const char *stage_mode;          /* program type by the stage of a shader in assembly */
	const char *kernel;              /* the only kernel wanted */
	const char *entry;               /* address or label of the first instruction */
	uint32_t regs, lmem;             /* registers and bytes of local memory of a thread */
	bool regs_given;
	uint8_t syntax;                  /* of texts (struct isa_target) */

	/* OpenCL C. */
	const char *cc, *libclc;         /* compiler, and bitcode of built-in functions; "": those of the host */
	bool nvcc;                       /* CUDA C++ is compiled by NVIDIA's nvcc, not by clang */
	const char *cl_std, *optimize;   /* version of the language, and letter of -O */
	const char *defines, *includes;  /* macros, and folders of headers, separated by '\n' */
	const char *cl_flags;            /* build options of OpenCL 1.2, separated by '\n' */
	bool keep;                       /* write the object to a file of the present folder */
	bool contract;                   /* a product and a sum may become one operation */
	bool checks_barriers;            /* barriers stay where the source has them, and copies leave marks */
	bool checks_bounds;              /* an index beyond its array leaves a mark */

	/* PTX. */
	unsigned max_regs;               /* registers of a thread */
	bool fma_mad;                    /* fma.rn.f32 is the machine's mad */

	/* Bounds. */
	uint64_t max_memory;             /* bytes of the host's memory; MEMORY_HALF: not said */
	int64_t max_seconds;             /* SECONDS_DEFAULT, SECONDS_UNLIMITED or seconds */
	enum files_rule files;           /* host files that a text may name */
	bool files_given;                /* all files are the caller's; none is the host's */

	const char *edition;             /* of the program: part of the keys of kept objects */

	/* Files that a program's text names, and notes of files that belong to the program: the caller knows where
	 * files come from. Bytes of files, and bytes to be noted, live as long as the program. */
	bool (*read)(void *context, const char *path, uint8_t **bytes, size_t *size, struct diag *d);
	bool (*note)(void *context, const char *name, const void *bytes, size_t size);
	void *context;
};

#endif
