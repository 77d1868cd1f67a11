/* PTX to native Tesla programs. A compilation is a column of passes over a function at a time: parse, lower, simplify,
 * structure, allocate, emit. Each pass has a file. Instructions leave as struct insn, and the engine's encoder
 * makes words of them (core/isa/place.h). Nothing runs here. */
#ifndef WB_CORE_COMPILE_COMPILE_H
#define WB_CORE_COMPILE_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct asm_kernel;
struct diag;

struct compile_options {
	const char *chip;        /* "g80", "g84", "mcp77", "gt215", "g200", "v100"; NULL: by the file's .target */
	const char *kernel;      /* the only entry to compile; NULL: all entries */
	unsigned max_regs;       /* registers of a thread, 8 to 124; 0: 124, or .maxnreg */
	bool fma_mad;            /* fma.rn.f32 becomes the machine's mad with a cut product */
	uint64_t memory;         /* bytes of the host's memory for the compilation; 0: as many as may_take says */
	uint64_t (*may_take)(const void *context);       /* asked once by a compilation of many bytes; NULL: no bound */
	const void *context;
	int64_t (*clock)(void);  /* nanoseconds of a clock; NULL: the time has no bound */
	int64_t deadline, seconds;       /* by the clock; time from the begin to the deadline, for the message */
};

/* Origin of an instruction in the sources; 0: none. */
struct compile_line {
	uint32_t ptx_line;
	uint32_t file, line;     /* of the .loc before; file: a number */
};

struct compile_file { uint32_t number; const char *name; };

/* A .global variable. Word `index` of c14[] has the address. */
struct compile_global { const char *name; uint32_t size; const uint8_t *bytes; };    /* bytes NULL: zero */

/* A .const variable, at `offset` of c0[]: every kernel has the words of all. */
struct compile_constant { const char *name; uint32_t offset, size; const uint8_t *bytes; };     /* bytes NULL: zero */

/* The address of a .global variable, plus `addend`, as `bytes` bytes of .global variable `in`, or as a word of c0[]. */
struct compile_address {
	bool in_global;
	uint32_t in, offset;
	uint32_t global, addend, bytes;
};

/* A parameter of a kernel that points to shared memory (.ptr .shared). */
struct compile_pointer { const char *kernel, *param; };

enum { HANDLE_BYTES = 8 };       /* of a .global variable with the handle of a texture */
/* Variables with the handles of textures that kernels may load, numbered from 0, as many as textures have numbers; and
 * the byte of the number behind a texture's description (struct wb_texture of warpbeam.h), a word. */
#define HANDLE_VARIABLE "__warpbeam_texture_"
enum { HANDLE_VARIABLES = 15, HANDLE_SLOT = 120, DESCRIPTION_BYTES = 128 };

/* A texture of a kernel by number, and where the handle is: at byte `offset` of the parameters, or in the variable
 * whose address is at byte `offset` of c14[]. */
struct compile_texture { const char *kernel; uint32_t number, offset; bool in_variable; };

struct compile_warning { uint32_t line, column; const char *text; };

struct compile_result {
	struct arena arena;      /* owner of everything below */
	const char *chip;        /* compiled for */
	unsigned target;         /* N of the text's .target sm_N */
	size_t nkernels;
	const struct asm_kernel *kernels;        /* numbers of asm_line are those of `lines`, from 1 */
	size_t nlines, nfiles, nwarnings, nglobals, nconstants, naddresses, npointers, nprints, ntextures;
	const struct compile_line *lines;        /* of the instructions of all kernels */
	const struct compile_file *files;
	const struct compile_warning *warnings;
	const struct compile_global *globals;
	const struct compile_constant *constants;
	const struct compile_address *addresses;
	const struct compile_pointer *pointers;
	const struct compile_texture *textures;
	const char *const *prints;       /* what each call of printf prints (device/prints.c) */
};

/* Generic addresses of shared, local and constant memory are from 0x10000 up to here, so buffers begin above. */
enum { COMPILE_WINDOWS_END = 0x40000 };

/* Most bytes and instructions of a PTX file. */
enum { COMPILE_TEXT_MAX = 64 << 20, COMPILE_BYTES_MAX = 16 << 20, COMPILE_INSNS_MAX = 1000000 };

/* Most bytes of all .global variables of a file. */
enum { GLOBAL_BYTES_MAX = 1 << 30 };

/* True: the bytes look like PTX (a .version directive is the first statement). */
bool compile_is_ptx(const void *bytes, size_t size);

/* Compile `size` bytes of PTX. On success *out is freed with compile_free; on failure *d has line and column, and *out
 * is empty. */
bool compile_ptx(const char *text, size_t size, const struct compile_options *o, struct compile_result *out,
		 struct diag *d);
void compile_free(struct compile_result *r);

#endif
