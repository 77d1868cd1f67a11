/* A program image: what a file says about its programs, whatever its format. Loaders fill it, the composer reads it; it
 * knows no machine, only the machine's name. What its pointers point to is in its arena, in the bytes of the file or in
 * those of the first image of its chain. */
#ifndef WB_CORE_IMAGE_H
#define WB_CORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct diag;

/* Initial contents of `size` bytes at `offset` of constant bank `bank`. */
struct image_const {
	const char *name;        /* "" if it has none */
	uint8_t  bank;
	uint32_t offset, size;
	const uint8_t *bytes;    /* NULL: zero */
};

/* A device variable, or a section of them, to be placed in global memory (256-aligned, like a buffer). */
struct image_global {
	const char *name;
	uint32_t size, filled;   /* bytes; those that `bytes` has, the rest is zero */
	const uint8_t *bytes;
};

/* Write the address of globals[global] plus addend, 32 bits, at `offset` of constant bank `bank`. */
struct image_reloc {
	uint8_t  bank;
	uint32_t offset;
	uint32_t global, addend;
};

struct image_param {
	const char *name, *type;     /* "" when the file does not say */
	/* how it is passed, in the file's words ("by_value", "image"); NULL: it does not say */
	const char *kind;
	uint16_t ordinal;
	uint32_t offset, size;       /* bytes from the start of the parameter block */
};

/* A part of the parameter block that the launch fills in by itself: a size, an offset, a pointer of the runtime. */
struct image_hidden {
	const char *kind;            /* "hidden_global_offset_x" */
	uint32_t offset, size;       /* bytes from the start of the parameter block */
};

/* Write the 64-bit address of byte `addend` of globals[to] at `offset` of globals[in]. */
struct image_pointer {
	uint32_t in, to;
	uint32_t offset, addend;
};

struct image_label { const char *name; uint32_t pc; };
/* by pc, ascending; line of the image's source, 1-based, 0: none */
struct image_line { uint32_t pc; uint32_t line; };

/* What an assembly file says about how it wants to be run; the command line overrides each. */
struct image_launch {
	uint32_t grid[3], block[3];  /* all 0: not said */
	uint32_t mps;                /* multiprocessors; 0: not said */
	const char *const *args;     /* words of -a, NULL-terminated; NULL: none */
	const char *const *expect;   /* the texts after "expect:", likewise */
	const char *const *vertices; /* of a shader: what each takes in, likewise */
	const char *const *scene;    /* of a graphics program: a JSON document line by line, likewise */
};

/* What a file says of registers: "uniform" "projection" "c0-c3", "constant" "" "c95" "0, 1, -1, 0.5". */
struct image_name { const char *kind, *name, *registers, *value; };

struct shader;
struct shader_entry;

struct image_kernel {
	const char *name;
	const uint32_t *side;        /* words that instructions name by number (struct isa_target); NULL: none */
	uint32_t nside;
	const struct shader_entry *entry_point;      /* of a shader; NULL otherwise */
	const uint8_t *code;         /* pc 0 is code[0]; of any alignment, as files have it: read it by bytes */
	uint32_t code_bytes;         /* a multiple of 4 */
	uint32_t entry;              /* pc of the first instruction */
	uint32_t regs;               /* registers of a thread */
	uint32_t warp_regs;          /* of a warp, one for all its lanes; 0 also when the file does not say */
	uint32_t smem;               /* s[] bytes of a block, launch header and parameters included, dynamic ones not */
	uint32_t lmem;               /* l[] bytes of a thread */
	uint32_t barriers;           /* as the file says; 0 also when it does not */
	uint32_t param_bytes;        /* of the parameter block; 0 also when the file does not say */
	/* what the machine's launch hardware reads of it, in the file's bytes; NULL: none */
	const uint8_t *descriptor;
	size_t nparams, nhidden, nconsts, nrelocs, nlabels, nlines, nnames;
	struct image_param *params;  /* by ordinal */
	struct image_hidden *hidden;
	struct image_const *consts;  /* on top of the image's */
	struct image_reloc *relocs;
	struct image_label *labels;
	struct image_line *lines;    /* each holds up to the next */
	struct image_name *names;    /* "" for what is not said */
	struct image_launch launch;
};

/* What is probably a mistake in the source of an assembly file. */
struct image_warning { uint32_t line, column; const char *text; };

struct image {
	struct arena arena;
	uint8_t *bytes;              /* a copy of the file, from malloc; NULL in the images after the first */
	const char *format;          /* of load.c's table: "cubin-elf", "asm", … */
	const char *file;            /* as given to the loader */
	uint64_t offset;             /* where in the file it was found; 0 unless embedded */
	const char *machine;         /* name of the instruction set */
	const char *chip;            /* as the file names it ("sm_10", "g200"); NULL: it does not */
	const char *mode;            /* program type: "cp", "vp", "gp", "fp" */
	const char *source;          /* text of an assembly file for views that show lines; NULL otherwise */
	uint32_t pointer_bytes;      /* 4 or 8 */
	/* Where code is in global memory, too: of which global, and from which byte of it on. */
	bool code_in_global;
	uint32_t code_global, code_offset;
	size_t nkernels, nconsts, nglobals, nrelocs, npointers;
	struct image_kernel *kernels;
	struct image_const *consts;
	struct image_global *globals;
	struct image_reloc *relocs;
	struct image_pointer *pointers;
	size_t nwarnings;
	struct image_warning *warnings;
	const struct shader *shader; /* what a shader file says; NULL for other programs */
	struct image *next;          /* the next one of a file with several (executable, archive), in its order */
};

/* An empty image; NULL when the host has no memory. image_free frees the whole chain; NULL is fine. */
struct image *image_new(const char *file, const char *format, const char *machine);
void image_free(struct image *im);

/* Append a zeroed element to one of the arrays above: image_push(&im->arena, &k->params, &k->nparams) is a pointer to
 * it, or NULL when the host has no memory. The array may move. */
#define image_push(arena, array, count) \
	((__typeof__(*(array)))image_grow((arena), (void **)(array), (count), sizeof **(array)))
void *image_grow(struct arena *a, void **array, size_t *count, size_t element);

/* A kernel by name in a chain of images, with the image it is in. Where several have it, the one whose chip is `chip`
 * (may be NULL) wins, else the first. name NULL: the only kernel there is. NULL with DIAG_USAGE names what there is. */
const struct image_kernel *image_find(const struct image *first, const char *name, const char *chip,
				      const struct image **owner, struct diag *d);

#endif
