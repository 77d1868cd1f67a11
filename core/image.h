/* A program image: the contents of a file with programs, whatever the file's format. Loaders fill images, the composer
 * reads them; an image knows a machine only by name. Pointers point into the image's arena, into the bytes of the file,
 * or into those of the first image of the chain. */
#ifndef WB_CORE_IMAGE_H
#define WB_CORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct diag;

/* Initial contents of `size` bytes at `offset` of constant bank `bank`. */
struct image_const {
	const char *name;        /* "" without a name */
	uint8_t  bank;
	uint32_t offset, size;
	const uint8_t *bytes;    /* NULL: zero */
};

/* A device variable, or a section of device variables, placed in global memory (256-aligned, like a buffer). */
struct image_global {
	const char *name;
	uint32_t size, filled;   /* bytes; bytes present in `bytes`, the rest is zero */
	const uint8_t *bytes;
};

/* A named variable within globals[global]. */
struct image_part {
	const char *name;
	uint32_t global, offset, size;
};

/* Write the address of globals[global] plus addend, 32 bits, at `offset` of constant bank `bank`. */
struct image_reloc {
	uint8_t  bank;
	uint32_t offset;
	uint32_t global, addend;
};

/* Write half of the address of byte `addend` of globals[global], 32 bits, at `offset` of a kernel's code: a literal of
 * an instruction, for machines whose code has addresses in it. */
struct image_literal {
	uint32_t offset, global, addend;
	bool high;               /* the upper half */
};

enum image_qualifier { IMAGE_CONST = 1, IMAGE_RESTRICT = 2, IMAGE_VOLATILE = 4 };       /* of the type pointed to */

struct image_param {
	const char *name, *type;     /* "" when the file does not say */
	/* how the parameter is passed, in the file's words ("by_value", "image"); NULL: not said */
	const char *kind;
	/* memory that a pointer points to, and what a kernel does there, in OpenCL's words ("global", "read_only");
	 * NULL: not said */
	const char *space, *access;
	uint8_t qualifiers;          /* bits of enum image_qualifier */
	uint16_t ordinal;
	uint32_t offset, size;       /* bytes from the start of the parameter block */
};

/* A part of the parameter block that the launch fills in by itself: a size, an offset, a pointer of the runtime. */
struct image_hidden {
	const char *kind;            /* "hidden_global_offset_x" */
	uint32_t offset, size;       /* bytes from the start of the parameter block */
};

/* Write the address of byte `addend` of globals[to], of `bytes` bytes (4 or 8), at `offset` of globals[in]. */
struct image_pointer {
	uint32_t in, to;
	uint32_t offset, addend, bytes;
};

/* A texture that the kernel names by number, and where the handle is: at byte `offset` of the parameters, or in the
 * device variable whose address is at byte `offset` of constant bank `bank`. */
struct image_texture {
	uint32_t number, offset;
	bool in_variable;
	uint8_t bank;
};

struct image_label { const char *name; uint32_t pc; };
/* by pc, ascending; line of the image's source, 1-based, 0: none */
struct image_line { uint32_t pc; uint32_t line; };

/* Wishes of an assembly file for its run; the command line overrides each. */
struct image_launch {
	uint32_t grid[3], block[3];  /* all 0: not said */
	uint32_t mps;                /* multiprocessors; 0: not said */
	const char *const *args;     /* words of -a, NULL-terminated; NULL: none */
	const char *const *expect;   /* the texts after "expect:", likewise */
	const char *const *vertices; /* of a shader: the vertices' inputs, likewise */
	const char *const *scene;    /* of a graphics program: a JSON document line by line, likewise */
};

/* A name that a file gives to registers: "uniform" "projection" "c0-c3", "constant" "" "c95" "0, 1, -1, 0.5". */
struct image_name { const char *kind, *name, *registers, *value; };

struct shader;
struct shader_entry;
struct source_variables;

struct image_kernel {
	const char *name;
	/* words that instructions name by number (struct isa_target); NULL: no such words */
	const uint32_t *side;
	uint32_t nside;
	const struct shader_entry *entry_point;      /* of a shader; NULL otherwise */
	const uint8_t *code;         /* pc 0 is code[0]; unaligned, as in the file, so to be read by bytes */
	uint32_t code_bytes;         /* a multiple of 4 */
	uint32_t entry;              /* pc of the first instruction */
	uint32_t regs;               /* registers of a thread */
	uint32_t warp_regs;          /* scalar registers of a warp; 0 also when the file does not say */
	uint32_t smem;               /* s[] bytes of a block with launch header and parameters, without dynamic s[] */
	uint32_t lmem;               /* l[] bytes of a thread */
	uint32_t barriers;           /* barriers by the file; 0 also when the file does not say */
	uint32_t param_bytes;        /* of the parameter block; 0 also when the file does not say */
	/* launch descriptor for the machine's hardware, in the file's bytes; NULL: none */
	const uint8_t *descriptor;
	size_t nparams, nhidden, nconsts, nrelocs, nlabels, nlines, nbeside, nnames, nliterals, ntextures;
	struct image_param *params;  /* by ordinal */
	struct image_hidden *hidden;
	struct image_const *consts;  /* on top of the image's */
	struct image_reloc *relocs;
	struct image_literal *literals;
	struct image_texture *textures;      /* with handles; others are a scene's (docs/reference/textures.md) */
	struct image_label *labels;
	struct image_line *lines;    /* each holds up to the next */
	struct image_line *beside_lines;         /* lines of the image's other text, likewise */
	struct image_name *names;    /* "" for members not said */
	const char *compiler;        /* as the file says; NULL: not said */
	/* a source's hints: block_hint[0] = 0, vector_hint = NULL or "": none */
	uint32_t block_hint[3];
	const char *vector_hint;     /* a type of OpenCL C: "uint4" */
	const struct source_variables *variables;    /* of the source, by debug information; NULL: none */
	struct image_launch launch;
};

/* A probable mistake in the source of an assembly file. */
struct image_warning { uint32_t line, column; const char *text; };

/* Name of the function, in code objects of HIP C++ that print, that makes records with the address of a format
 * (include/warpbeam/hip/hip/warpbeam_device.h, device/prints.c). */
#define PRINT_BY_FORMAT "__warpbeam_print"

struct image {
	struct arena arena;
	uint8_t *bytes;              /* a copy of the file, from malloc; NULL in the images after the first */
	const char *format;          /* of load.c's table: "cubin-elf", "asm", … */
	const char *file;            /* as given to the loader */
	uint64_t offset;             /* offset of the image in the file; 0 unless embedded */
	const char *machine;         /* name of the instruction set */
	const char *chip;            /* chip by its name in the file ("sm_10", "g200"); NULL: not said */
	const char *mode;            /* program type: "cp", "vp", "gp", "fp" */
	bool compiled;               /* made here, from PTX */
	unsigned ptx_target;         /* N of the PTX's .target sm_N; 0: not made from PTX */
	const char *source;          /* text that people wrote, for views with lines; NULL otherwise */
	const char *source_name;     /* file of `source` by the program's line table; NULL: not said */
	/* The other text of a program that was compiled in two steps. Behind a source in C: the PTX. Behind PTX whose C
	 * cannot be read: NULL, with the name of the file in C. Without a source in C both members are NULL. */
	const char *beside, *beside_name;
	const char **beside_line;    /* line n of the other text begins at beside_line[n - 1] */
	uint32_t nbeside_lines;      /* 0 without the text */
	uint32_t pointer_bytes;      /* 4 or 8 */
	/* Code that is in global memory, too: index of its global, and offset of its first byte there. */
	bool code_in_global;
	uint32_t code_global, code_offset;
	size_t nkernels, nconsts, nvariables, nglobals, nparts, nrelocs, npointers;
	struct image_kernel *kernels;
	struct image_const *consts;
	struct image_const *variables;  /* named ones among the consts of every kernel of a compiled program */
	struct image_global *globals;
	struct image_part *parts;
	struct image_reloc *relocs;
	struct image_pointer *pointers;
	size_t nprints;
	const char **prints;         /* what each printf of the program prints, as device/prints.c reads the texts */
	size_t nwarnings;
	struct image_warning *warnings;
	const struct shader *shader; /* contents of a shader file; NULL for other programs */
	struct image *next;          /* next image of a file with several (executable, archive), in the file's order */
};

/* An empty image; NULL when the host has no memory. image_free frees the whole chain; NULL is fine. */
struct image *image_new(const char *file, const char *format, const char *machine);
void image_free(struct image *im);

/* Append a zeroed element to an array of an image: image_push(&im->arena, &k->params, &k->nparams) is a pointer to the
 * element, or NULL when the host has no memory. The array may move. */
#define image_push(arena, array, count) \
	((__typeof__(*(array)))image_grow((arena), (void **)(array), (count), sizeof **(array)))
void *image_grow(struct arena *a, void **array, size_t *count, size_t element);

/* Has the kernel a parameter of 4 bytes that is declared as a pointer to global memory? Then code for a machine with
 * longer addresses expects all memory below 4 GiB. */
bool image_short_pointers(const struct image_kernel *k);

/* Suitability of an image's code for the caller's chip: a higher rank suits better. */
typedef unsigned image_rank_fn(const struct image *im, const void *context);
/* A kernel by name in a chain of images, and its image. Among kernels of the same name the first of the highest rank
 * wins; rank NULL: the first. name NULL: the only kernel. NULL with DIAG_USAGE and the list of kernels. */
const struct image_kernel *image_find(const struct image *first, const char *name, image_rank_fn *rank,
				      const void *context, const struct image **owner, struct diag *d);

#endif
