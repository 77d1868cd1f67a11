/* The core's view of an instruction set: rows, decoded instructions, and the handful of functions behind struct
 * isa_ops.
 *
 * One row of an X.def describes one instruction; the decoder, the encoder, the printer, the parser, the executor's
 * table, the timing class and the reference page are expansions of the row. The header holds the types of all
 * expansions and of the executors: struct insn, one decoded instruction with its operands spelled out. */
#ifndef WB_CORE_ISA_H
#define WB_CORE_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/lanes.h"
#include "core/latency.h"

struct diag;
struct exec;
struct insn;
struct warp;
struct isa_row;
struct native_machine;
struct state_check;

enum { ISA_MAX_SRC = 4, ISA_MAX_MOD = 16 };

/* The shape of a decoded operand. Numbers of register files and memory spaces are enumerators of the ISA. */
enum opnd_shape {
	OPND_NONE,
	OPND_REG,       /* register `reg` of file `file`, `width` bytes a lane */
	OPND_MEM,       /* one element of `width` bytes at memory `space`[addr_reg + value] */
	OPND_IMM,       /* the number `value` */
	OPND_TARGET,    /* the code address `value`, bytes from the program's start */
	OPND_SINK,      /* a destination that discards */
	OPND_VECTOR,    /* `count` slots from register `reg` on; `mask`: used slots (textures) */
};

struct opnd {
	uint8_t  shape;      /* enum opnd_shape */
	uint8_t  file;       /* register file or memory space, the ISA's enumerator */
	uint8_t  width;      /* bytes of one lane's element: 1, 2, 4, 8, 16 */
	uint8_t  is_signed;  /* sub-word memory elements: extend by sign */
	uint8_t  bank;       /* c0…c15, g0…g15 */
	/* address register of a memory operand; 0 = none. g[]: unused, the address is register `reg` */
	uint8_t  addr_reg;
	uint8_t  post;       /* post-increment: the address is addr_reg alone; value is added afterwards */
	uint8_t  count, mask;/* OPND_VECTOR */
	uint16_t reg;        /* register number in units of `width`: half registers count 2n (low), 2n+1 (high) */
	int32_t  value;      /* byte offset, immediate or code address */
};

enum insn_marks { MARK_EXIT = 1, MARK_JOIN = 2 };
enum { FLAGS_NONE = 0xff };
/* unguarded; turns lanes off; is an operand (bra, vote) */
enum insn_guard { GUARD_ALWAYS, GUARD_LANES, GUARD_OPERAND };

typedef int exec_fn(struct exec *x, const struct insn *in);   /* returns enum outcome (core/step.h) */

/* A decoded instruction, made once per program word and then only read. */
struct insn {
	const struct isa_row *row;   /* NULL: the word is no instruction of the program type and chip */
	exec_fn *exec;               /* bound when a program is prepared; NULL until then */
	uint64_t word;               /* as fetched; a short word has the upper half 0 */
	uint64_t loose;              /* set bits without a meaning, reported to the reader */
	uint32_t pc;                 /* byte address */
	uint8_t  length;             /* bytes */
	uint8_t  marks;              /* enum insn_marks */
	uint8_t  pred, pred_reg;     /* guard: condition code and flag register; the ISA's "always" when unguarded */
	uint8_t  lane_mask;          /* quad lanes enabled, bit i = lane i of each quad; 0xf = all */
	uint8_t  flags_dst;          /* flag register to write or FLAGS_NONE */
	uint8_t  nsrc;
	uint8_t  undoc;              /* 1: unknown to the public disassembler (rule 2 of the house) */
	/* Set when a program is prepared, for the run loop: */
	uint8_t  guard;              /* enum insn_guard */
	uint16_t guard_set;          /* values of the guard's flags that let a lane through, bit = value */
	uint8_t  fetch;              /* bit i: source i is in memory and is fetched before the executor is called */
	uint8_t  acts;               /* marks with an effect under the rules of the launch */
	uint8_t  refused;            /* the executor always faults, whatever the row says */
	uint8_t  straight;           /* no marker or notice, no effect on masks: a guard and a fetch at most */
	uint8_t  floats;             /* the executor computes with the host's floats */
	uint8_t  plain;              /* straight, without guard and fetch: calling the executor suffices */
	/* 1 + number of a source that program.run takes from c[] without a cost; 0: no such source */
	uint8_t  constant;
	struct opnd dst, src[ISA_MAX_SRC];
	uint8_t  mod[ISA_MAX_MOD];   /* modifiers by the ISA's slot enumerators (negate, saturate, condition, …) */
};

/* Do all active lanes execute the instruction, whatever the state of the warp, and leave the mask alone? */
static inline bool insn_by_all(const struct insn *in)
{
	return in->straight && in->guard == GUARD_ALWAYS;
}

/* The selection of rows: the chip's features and the program type, both bit sets of the ISA, and whether undocumented
 * rows are printed with our text instead of ???. */
enum { ISA_OLD_FLOATS = 16 };       /* floats are read as an older assembler of the syntax did */

struct isa_target {
	const struct isa_ops *isa;
	uint8_t syntax;              /* of texts: the ISA's enumerator, 0 for its own syntax, and ISA_OLD_FLOATS */
	uint32_t features;
	uint32_t mode;               /* bit of a program type of the ISA */
	bool     undoc;
	/* Words that instructions name by number and that are part of the instruction, where an ISA has such a
	 * table. */
	const uint32_t *side;
	uint32_t nside;
};

struct arena;
struct block;
struct isa_code;
struct isa_symbols;
struct global;
struct image;
struct image_kernel;
struct program;
struct rules;
struct sampler;
struct texture;
struct launch_params;
struct memory;

/* A text to assemble. */
struct isa_source {
	const char *text;
	size_t size;
	uint32_t mode;               /* bit of a program type of the ISA; 0: not said */
	const char *entry;           /* label of the first instruction; NULL: not said */
	const char *chip;            /* NULL: the text's own */
	uint8_t syntax;              /* isa_target.syntax */
	/* Fetch the text of another file into the arena: by the name in the text, and by the file with the name. */
	bool (*include)(void *context, const char *name, const char *from, struct arena *a, const char **text,
			size_t *n, struct diag *d);
	void *context;
};

enum simd_level { SIMD_BASE, SIMD_AVX2, SIMD_AVX512, SIMD_LEVELS };

/* Ways of lanes from one instruction to another. RECONVERGE is no step: the instruction names the target as the point
 * where diverged lanes reconverge, or go on after a break or return. */
enum isa_edge_kind { EDGE_NONE, EDGE_NEXT, EDGE_BRANCH, EDGE_CALL, EDGE_RECONVERGE };

struct isa_edge {
	/* pc; the program's size for its end, and for a target that the code does not say */
	uint32_t to;
	uint8_t kind;                /* enum isa_edge_kind */
};

/* For isa_ops.leads: no address, and an address that is computed at run time. */
#define PC_NOWHERE UINT32_MAX
#define PC_ANYWHERE (UINT32_MAX - 1)

/* Called for each finding: `text` says what the instruction at pc does. */
typedef void isa_report_fn(void *context, uint32_t pc, const char *text);

/* A launch with arguments in global memory, and the code as well, at address `code`, if the image says so. */
struct isa_launch {
	const struct image_kernel *kernel;
	const uint32_t *grid, *block;        /* blocks and threads in x, y and z */
	unsigned dimensions;                 /* of the launch, 1 to 3: 1 block and 1 thread in others */
	const struct launch_params *params;
	const uint32_t *offset;              /* of the first thread's number in x, y and z */
	uint32_t dynamic_shared;             /* bytes of shared memory behind the kernel's own */
	struct global *global;
	struct arena *arena;                 /* of the launch */
	uint64_t code, data;                 /* addresses of pc 0, and of the image's first variable; 0: none */
	/* Address of the buffer for printf, 0: none; eight zero bytes in front: a buffer without place, for functions
	 * of another layout. */
	uint64_t prints;
};

/* Descriptors of images and samplers, of a machine whose instructions take them from registers and kernels from memory,
 * behind an argument. */
enum { ISA_IMAGE_WORDS = 10, ISA_SAMPLER_WORDS = 4 };

struct isa_descriptors {
	/* The words of an image of one level, texels at `address`, rows and slices without gaps. False: the machine
	 * has no such format, type or size. */
	bool (*image)(const struct isa_target *t, const struct texture *image, uint64_t address,
		      uint32_t w[ISA_IMAGE_WORDS]);
	/* The words of a sampler, of coordinates from 0 to 1 or in texels. */
	void (*sampler)(const struct sampler *s, bool normalised, uint32_t w[ISA_SAMPLER_WORDS]);
};

/* An entry of a warp's control-flow stack for views: lanes `mask` wait for event `name`, at pc, or since the
 * instruction at pc. */
struct isa_stack_entry {
	const char *name;
	uint32_t pc;
	lane_mask mask;
};

/* The registers, four words each, with a thread's inputs. */
struct isa_inputs {
	char file;                   /* letter of the registers' names: "v3" */
	uint16_t first_register, count; /* numbers */
	uint32_t reads;              /* bit n: the program reads register n of the file */
	/* Threads with several vertices as inputs: the number of vertices, or `counted` if the first register says so
	 * in all of its components. `whole` vertices give all attributes, the others one attribute. vertices 0: not
	 * known. */
	bool counted;
	uint16_t vertices, whole;
	uint16_t out_words;          /* of a thread's outputs (struct stream) */
};

/* The kind of a program's threads, and the words of inputs and outputs (struct stream) as far as the code shows: of a
 * primitive, words of each vertex. */
enum isa_stage { STAGE_COMPUTE, STAGE_VERTEX, STAGE_PRIMITIVE, STAGE_FRAGMENT };

struct isa_threads {
	enum isa_stage stage;
	uint32_t in_words, out_words;
};

/* Texts of a machine with needs beyond the table's templates. */
struct isa_texts {
	/* Of instructions: isa_print_named and isa_parse (print.h, parse.h). NULL: the templates serve. */
	size_t (*print)(const struct isa_target *t, const struct insn *in, const char *label, char *buf, size_t size);
	bool (*parse)(const struct isa_target *t, const char *text, const struct isa_symbols *symbols,
		      struct isa_code *out, struct diag *d);
	/* Whole texts of the machine's own language, and the file endings of the language with the program type of
	 * each; NULL: the engine's assembler serves. owns: whether a text is in that language, where the engine's
	 * assembler serves others; NULL: every text is. */
	const struct isa_name *endings;
	bool (*owns)(const char *text, size_t n);
	bool (*assemble)(const struct isa_source *source, struct image *im, struct diag *d);
};

/* Scope of a register: a word for each lane; a word of the warp; a word of the warp whose bit n is lane n's. */
enum isa_scope { SCOPE_LANES, SCOPE_WARP, SCOPE_MASK };

/* Registers of a machine: numbers, and words by name for debuggers, reports and tests. */
struct isa_registers {
	unsigned most;               /* registers of a thread at most */
	unsigned started;            /* of a thread's registers, from 0 on: written by the launch; 0: one */
	unsigned awaited;            /* by the scoreboard (struct ports) */
	const char *mask;            /* with a bit for each running lane; NULL: masks follow from a stack or from pcs */
	/* By the letters of texts ("r", "c", "a"): the word of one lane, or NULL. */
	uint32_t *(*word)(struct warp *w, const char *file, unsigned reg, unsigned lane);
	/* By a name of the machine's texts ("v3.y", "aL", "cmp.x"), in one lane; without a warp, only whether the name
	 * exists. NULL: texts use letters and a number. */
	bool (*peek)(const struct warp *w, const char *name, unsigned lane, uint32_t *value);
	/* The scope of a register of peek; of a mask peek gives a lane its bit. NULL: always SCOPE_LANES. */
	enum isa_scope (*scope)(const struct warp *w, const char *name);
	/* The name of an awaited register, by its number in struct ports. */
	void (*port_name)(unsigned port, char *text, size_t size);
};

/* One machine behind the core. The parts of a single ISA live behind these functions. */
struct isa_ops {
	const char *name;            /* as --isa has it */
	const struct isa_table *table;
	unsigned lanes;              /* lanes of a warp */
	struct isa_registers reg;
	uint64_t global_first;       /* address of the first buffer in global memory; 0: GLOBAL_FIRST_BUFFER */
	/* The inputs of a prepared program's threads; NULL: threads have no inputs and outputs of their own. */
	void (*inputs)(const struct program *p, const struct image_kernel *k, struct isa_inputs *out);
	/* The kind of a bound program's threads; NULL: always STAGE_COMPUTE. */
	void (*threads)(const struct program *p, struct isa_threads *out);
	/* features by the name of a rounding, ended by a NULL name; NULL: a single rounding */
	const struct isa_name *roundings;
	/* names of options that this machine obeys and not every machine, ended by NULL */
	const char *const *options;
	/* why options of other machines have no meaning here, "NAME: reason", ended by NULL; NULL: no reasons */
	const char *const *reasons;

	/* Decode the instruction at byte pc of a program. Always sets out->length (at least a word), out->word and
	 * out->pc; false: no instruction there (out->row is NULL). */
	bool (*decode)(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out);

	struct isa_texts text;
	/* Uniform registers: before bind, set p->uniforms to the kernel's values; set some by a text like "c4=1,0,0,1".
	 * NULL: the machine has no uniform registers. */
	bool (*prepare)(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d);
	bool (*uniform)(struct program *p, const struct image_kernel *k, const char *text, struct diag *d);

	/* Executors: bind p->run and a handler for every decoded instruction, for a SIMD level (enum simd_level) and
	 * the rules of a launch. False: the host has no memory. NULL: the machine has texts but does not run. */
	bool (*bind)(struct program *p, unsigned simd, const struct rules *rules, struct arena *a);
	/* Put the launch's parameters for its threads into global memory, after all buffers. Other launches may have
	 * the parts of *p: what the launch changes is a copy in its arena. NULL: the parameters are in each block's
	 * shared memory, and no offset of threads exists. */
	bool (*launch)(struct program *p, const struct isa_launch *to, struct diag *d);
	/* The memory of a launch is complete, as the bound program will find it: put the words of c[] that the program
	 * has as constants into their places. NULL: a bound program has no words of c[]. */
	void (*ready)(const struct program *p, const struct memory *m);
	/* Whether the constants in place are those of a launch's memory, which then may share the bound program. NULL:
	 * always. */
	bool (*fits)(const struct program *p, const struct memory *m);
	/* Set the edges that leave each word of a decoded program, given as zeros; a word without a path from the entry
	 * gets no edge, a word with a path at least one. False: the host has no memory. NULL: edges of the machine are
	 * unknown. */
	bool (*edges)(const struct program *p, struct isa_edge (*edge)[2]);
	/* The address in an instruction where lanes may go besides the next instruction, then or later (the target of a
	 * jump, a point of return); or PC_NOWHERE, PC_ANYWHERE. NULL: instructions may begin at any word. */
	uint32_t (*leads)(const struct insn *in);
	/* Lines of a source by word of a decoded program, 0: none, as a compiler gave them: put right and complete, so
	 * that a cost stands where a person looks for its reason. False: no memory. NULL: lines are right. */
	bool (*lines)(const struct program *p, uint32_t *line, struct arena *a);
	/* Report, by pc, instructions that decode and run here but go wrong on the hardware. False: the host has no
	 * memory. NULL: no checks. */
	bool (*lint)(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
		     void *context);
	/* Bytes of private state of a warp of p under `rules`, 128-byte aligned; the warp's registers follow at the
	 * next multiple of 128. */
	size_t (*warp_bytes)(const struct program *p, const struct rules *rules);
	/* Addresses among the private state, side by side: bytes before them, and all their bytes. A saved or hashed
	 * state does not depend on them. */
	struct { uint16_t before, bytes; } warp_addresses;
	/* Clear the registers of a warp that earlier warps of p may have changed by running, except inputs; NULL: all
	 * registers are cleared. */
	void (*clear_warp)(struct warp *w, const struct program *p);
	/* Initial contents of a block's memory before the start of its warps, and of a warp's registers and private
	 * state (zeros before, except as the rules of a launch say). */
	void (*start_block)(struct block *b, const struct launch_params *params);
	void (*start_warp)(struct block *b, struct warp *w, const struct program *p, const struct rules *rules);
	/* Registers read and written by an instruction, for the scoreboard. */
	void (*ports)(const struct program *p, const struct insn *in, struct ports *out);
	/* The control-flow stack: returns the number of entries and, if out is not NULL and there are more than
	 * `level`, sets *out to entry `level`, 0 = top. NULL: the machine has no stack. */
	unsigned (*stack)(const struct warp *w, unsigned level, struct isa_stack_entry *out);
	/* Texts of native loops (core/isa/native.h). NULL: the machine has no native code. */
	const struct native_machine *native;
#ifndef __wasm__
	/* Rules for a warp of block b that was read from outside, whose pc and masks hold; w: the prepared machine's
	 * (core/state_check.h). */
	void (*check_state)(struct state_check *c, const struct program *p, const struct rules *rules,
			    const struct block *b, const struct warp *w, const struct warp *read);
	/* NULL: a launch makes no descriptors. */
	const struct isa_descriptors *descriptors;
#endif
};

#endif
