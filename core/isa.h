/* What an instruction set is to the core: rows, decoded instructions, and the handful of functions behind struct
 * isa_ops.
 *
 * One row of an X.def describes one instruction; the decoder, the encoder, the printer, the parser, the executor's
 * table, the timing class and the reference page are expansions of that row. This header holds what all of them share
 * and what the executors see: struct insn, one decoded instruction with its operands spelled out. */
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

enum { ISA_MAX_SRC = 4, ISA_MAX_MOD = 16 };

/* The shape of a decoded operand. Which register file or memory space it names is an enumerator of the ISA. */
enum opnd_shape {
	OPND_NONE,
	OPND_REG,       /* register `reg` of file `file`, `width` bytes a lane */
	OPND_MEM,       /* memory `space`[addr_reg + value], one element of `width` bytes */
	OPND_IMM,       /* the number `value` */
	OPND_TARGET,    /* the code address `value`, bytes from the program's start */
	OPND_SINK,      /* a destination that discards */
	OPND_VECTOR,    /* `count` slots from register `reg` on; `mask` says which are used (textures) */
};

struct opnd {
	uint8_t  shape;      /* enum opnd_shape */
	uint8_t  file;       /* register file or memory space, the ISA's enumerator */
	uint8_t  width;      /* bytes of one lane's element: 1, 2, 4, 8, 16 */
	uint8_t  is_signed;  /* sub-word memory elements: extend by sign */
	uint8_t  bank;       /* c0…c15, g0…g15 */
	/* address register of a memory operand; 0 = none. g[]: unused, the address is register `reg` */
	uint8_t  addr_reg;
	uint8_t  post;       /* post-increment: the address is addr_reg alone, which then advances by value */
	uint8_t  count, mask;/* OPND_VECTOR */
	uint16_t reg;        /* register number in units of its width: half registers count 2n (low), 2n+1 (high) */
	int32_t  value;      /* byte offset, immediate or code address */
};

enum insn_marks { MARK_EXIT = 1, MARK_JOIN = 2 };
enum { FLAGS_NONE = 0xff };
/* unguarded; turns lanes off; is an operand (bra, vote) */
enum insn_guard { GUARD_ALWAYS, GUARD_LANES, GUARD_OPERAND };

typedef int exec_fn(struct exec *x, const struct insn *in);   /* returns enum outcome (core/step.h) */

/* One decoded instruction. Made once per program word and then only read. */
struct insn {
	const struct isa_row *row;   /* NULL: the word is no instruction of this program type and chip */
	exec_fn *exec;               /* bound when a program is prepared; NULL until then */
	uint64_t word;               /* as fetched; a short word has the upper half 0 */
	uint64_t loose;              /* set bits that have no meaning, reported to the reader */
	uint32_t pc;                 /* byte address */
	uint8_t  length;             /* bytes */
	uint8_t  marks;              /* enum insn_marks */
	uint8_t  pred, pred_reg;     /* guard: condition code and flag register; the ISA's "always" when unguarded */
	uint8_t  lane_mask;          /* quad lanes enabled, bit i = lane i of each quad; 0xf = all */
	uint8_t  flags_dst;          /* flag register to write or FLAGS_NONE */
	uint8_t  nsrc;
	uint8_t  undoc;              /* 1: the public disassembler does not know it (rule 2 of the house) */
	/* Set when a program is prepared, for the run loop: */
	uint8_t  guard;              /* enum insn_guard */
	uint16_t guard_set;          /* values of the guard's flags that let a lane through, bit = value */
	uint8_t  fetch;              /* bit i: source i is in memory and is fetched before the executor is called */
	uint8_t  acts;               /* those of `marks` that do something under the rules of the launch */
	uint8_t  refused;            /* the executor is one that faults, whatever the row says */
	uint8_t  straight;           /* no marker or notice, nothing that steers masks: a guard and a fetch at most */
	uint8_t  floats;             /* the executor computes with the host's floats */
	uint8_t  plain;              /* straight, without guard and fetch: the executor is all there is to do */
	uint8_t  constant;           /* 1 + the source that program.run takes from c[] without a cost; 0: none */
	struct opnd dst, src[ISA_MAX_SRC];
	uint8_t  mod[ISA_MAX_MOD];   /* modifiers by the ISA's slot enumerators (negate, saturate, condition, …) */
};

/* Do all active lanes execute it, whatever the state of the warp, and does it leave the mask as it is? */
static inline bool insn_by_all(const struct insn *in)
{
	return in->straight && in->guard == GUARD_ALWAYS;
}

/* What selects rows: the chip's features and the program type, both bit sets of the ISA, and whether undocumented rows
 * are to be printed with our text instead of ???. */
enum { ISA_OLD_FLOATS = 16 };       /* floats are read as an older assembler of the syntax did */

struct isa_target {
	const struct isa_ops *isa;
	uint8_t syntax;              /* of texts: the ISA's enumerator, 0 its own, and ISA_OLD_FLOATS */
	uint32_t features;
	uint32_t mode;               /* one bit of the ISA's program types */
	bool     undoc;
	/* Words that instructions name by number and that belong to them, where an ISA has such a table. */
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
struct launch_params;
struct memory;

/* A text to assemble. */
struct isa_source {
	const char *text;
	size_t size;
	uint32_t mode;               /* one bit of the ISA's program types; 0: not said */
	const char *entry;           /* label of the first instruction; NULL: not said */
	/* Fetch the text of another file into the arena: its name as written, and the file that names it. */
	bool (*include)(void *context, const char *name, const char *from, struct arena *a, const char **text,
			size_t *n, struct diag *d);
	void *context;
};

enum simd_level { SIMD_BASE, SIMD_AVX2, SIMD_AVX512, SIMD_LEVELS };

/* How lanes get from one instruction to another. RECONVERGE: no lane goes there by the
 * instruction, which names it as where lanes that diverge reconverge, or go on after a break or return. */
enum isa_edge_kind { EDGE_NONE, EDGE_NEXT, EDGE_BRANCH, EDGE_CALL, EDGE_RECONVERGE };

struct isa_edge {
	uint32_t to;                 /* pc; the program's size for its end, and for what the code does not say */
	uint8_t kind;                /* enum isa_edge_kind */
};

/* Called for each finding: the instruction at pc does what `text` says. */
typedef void isa_report_fn(void *context, uint32_t pc, const char *text);

/* A launch whose arguments are in global memory, and its code as well: at address `code`, if the image says so. */
struct isa_launch {
	const struct image_kernel *kernel;
	const uint32_t *grid, *block;        /* blocks in x and y; threads in x, y and z */
	const struct launch_params *params;
	uint32_t dynamic_shared;             /* bytes of shared memory behind the kernel's own */
	struct global *global;
	uint64_t code;
};

/* An entry of a warp's control-flow stack as views show it: lanes `mask` wait for what `name` says, at pc,
 * or since the instruction at pc. */
struct isa_stack_entry {
	const char *name;
	uint32_t pc;
	lane_mask mask;
};

/* The registers, four words each, that hold what a thread takes in. */
struct isa_inputs {
	char file;                   /* of their names: "v3" */
	uint16_t first, count;       /* numbers */
	uint32_t reads;              /* bit n: the program reads register n of them */
	/* Threads that take several vertices: how many, or `counted` if the first register says so in all of its
	 * components. Of them `whole` give all attributes, the others one. 0: this is not known. */
	bool counted;
	uint16_t vertices, whole;
};

/* What a thread of a program is, and the words that it takes in and gives out (struct stream) as far as its code shows
 * them: of a primitive's each vertex. */
enum isa_stage { STAGE_COMPUTE, STAGE_VERTEX, STAGE_PRIMITIVE, STAGE_FRAGMENT };

struct isa_threads {
	enum isa_stage stage;
	uint32_t in_words, out_words;
};

/* Texts of a machine, where the table's templates do not give them. */
struct isa_texts {
	/* Of instructions: isa_print_named and isa_parse (print.h, parse.h). NULL: the templates serve. */
	size_t (*print)(const struct isa_target *t, const struct insn *in, const char *label, char *buf, size_t size);
	bool (*parse)(const struct isa_target *t, const char *text, const struct isa_symbols *symbols,
		      struct isa_code *out, struct diag *d);
	/* Whole texts of a language of its own, and the endings of files in it with the program type that each is for;
	 * NULL: the engine's assembler serves. */
	const struct isa_name *endings;
	bool (*assemble)(const struct isa_source *source, struct image *im, struct diag *d);
};

/* Of a register: a warp has one for each lane; one; one whose bit n is lane n's. */
enum isa_scope { SCOPE_LANES, SCOPE_WARP, SCOPE_MASK };

/* Registers of a machine by their names, for debuggers, reports and tests. */
struct isa_registers {
	/* By the letters that texts use ("r", "c", "a"): the word of one lane, or NULL. */
	uint32_t *(*word)(struct warp *w, const char *file, unsigned reg, unsigned lane);
	/* By the name that texts of the machine use ("v3.y", "aL", "cmp.x"), in one lane; without a warp, only whether
	 * it is such a name. NULL: texts use letters and a number. */
	bool (*peek)(const struct warp *w, const char *name, unsigned lane, uint32_t *value);
	/* The scope of a register that peek has; of a mask peek gives a lane its bit. NULL: always SCOPE_LANES. */
	enum isa_scope (*scope)(const struct warp *w, const char *name);
	/* The name of a register that instructions wait for, by its number in struct ports. */
	void (*port_name)(unsigned port, char *text, size_t size);
};

/* One machine behind the core. Everything that one ISA has alone lives behind these functions. */
struct isa_ops {
	const char *name;            /* as --isa has it */
	unsigned lanes;              /* lanes of a warp */
	const char *mask_register;   /* whose bits say which lanes run; NULL: a stack or the lanes' pcs say it */
	unsigned registers;          /* most registers of a thread */
	unsigned scoreboard;         /* registers that instructions wait for (struct ports) */
	uint64_t global_first;       /* address of the first buffer in global memory; 0: GLOBAL_FIRST_BUFFER */
	unsigned out_words;          /* of a thread's outputs (struct stream) */
	/* What a thread of a prepared program takes in; NULL: threads have no inputs and outputs of their own. */
	void (*inputs)(const struct program *p, const struct image_kernel *k, struct isa_inputs *out);
	/* What the threads of a bound program are; NULL: always STAGE_COMPUTE. */
	void (*threads)(const struct program *p, struct isa_threads *out);
	/* features by the name of a way of rounding, ended by a NULL name; NULL: one way */
	const struct isa_name *roundings;
	/* options of a run that mean nothing here, by name, ended by NULL; NULL: all do */
	const char *const *without;
	const struct isa_table *table;

	/* Decode the instruction at byte pc of a program. Always sets out->length (at least one word), out->word and
	 * out->pc; false: no instruction there (out->row is NULL). */
	bool (*decode)(const struct isa_target *t, const uint8_t *code, size_t size, uint32_t pc, struct insn *out);

	struct isa_texts text;
	/* Uniform registers: before bind, set p->uniforms to what the kernel says; set some by a text like
	 * "c4=1,0,0,1". NULL: the machine has none. */
	bool (*prepare)(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d);
	bool (*uniform)(struct program *p, const struct image_kernel *k, const char *text, struct diag *d);

	/* Executors: bind p->run and a handler for every decoded instruction, for a SIMD level (enum simd_level) and
	 * the rules of a launch. False: the host has no memory. NULL: the machine has texts but does not run. */
	bool (*bind)(struct program *p, unsigned simd, const struct rules *rules, struct arena *a);
	/* Put what the launch gives to its threads into global memory, after all buffers. NULL: it is in each block's
	 * shared memory. */
	bool (*launch)(struct program *p, const struct isa_launch *to, struct diag *d);
	/* The memory of a launch is as its program will find it. NULL: it prepares nothing. */
	void (*ready)(const struct program *p, const struct memory *m);
	/* Set the edges that leave each word of a decoded program, given as zeros; a word that no path from the entry
	 * reaches has none, and one that some path reaches at least one. False: the host has no memory. NULL: not known
	 * for this machine. */
	bool (*edges)(const struct program *p, struct isa_edge (*edge)[2]);
	/* Report, by pc, what decodes and runs here but goes wrong on the hardware. False: the host has no memory.
	 * NULL: nothing is known of that. */
	bool (*lint)(const struct program *p, const struct image_kernel *k, struct arena *a, isa_report_fn *report,
		     void *context);
	/* Bytes of private state that a warp of p needs under these rules, 128-byte aligned; the warp's registers are
	 * behind it, at the next multiple of 128. */
	size_t (*warp_bytes)(const struct program *p, const struct rules *rules);
	/* Make those registers of a warp 0 that earlier warps of p may have changed by running, others than its
	 * inputs; NULL: all of them are cleared. */
	void (*clear_warp)(struct warp *w, const struct program *p);
	/* What the machine puts into a block's memory before its warps start, and into a warp's registers and private
	 * state (both are zero before, but for what the rules of a launch say). */
	void (*start_block)(struct block *b, const struct launch_params *params);
	void (*start_warp)(struct block *b, struct warp *w, const struct program *p, const struct rules *rules);
	/* What an instruction reads and writes, for the scoreboard. */
	void (*ports)(const struct program *p, const struct insn *in, struct ports *out);
	struct isa_registers reg;
	/* The control-flow stack: returns how many entries it has and, if out is not NULL and there are more than
	 * `level`, sets *out to that one, 0 = top. NULL: the machine has no stack. */
	unsigned (*stack)(const struct warp *w, unsigned level, struct isa_stack_entry *out);
};

#endif
