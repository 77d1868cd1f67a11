/* A function between PTX and native code: blocks of operations on values in single assignment form. A value is a word
 * (32 bits in a register), a pair or a quad of aligned registers, or a predicate (a condition register). A 64-bit
 * integer is two words. A 16-bit value is a word with an undefined upper half. */
#ifndef WB_CORE_COMPILE_IR_H
#define WB_CORE_COMPILE_IR_H

#include "core/compile/ptx.h"

enum ir_op {
#define IR(name, ...) IR_##name,
#include "core/compile/ir.def"
	IR_OPS
};

enum ir_flag { FREE = 1, COMM = 2, CC = 4, NEG = 8, ABS = 16, NOT = 32, PAIR = 64, MEMORY = 128, EFFECT = 256,
	IMM = 512 };

struct ir_op_info { const char *name, *slots; unsigned flags; };
extern const struct ir_op_info ir_op_info[IR_OPS];

/* The guard is a question to the lanes that are there, and no lane is left out. */
static inline bool ir_asks(enum ir_op op) { return op == IR_VOTE || op == IR_BALLOT; }

/* RUN: consecutive registers without an alignment, as texture instructions have. */
enum value_class { CLASS_WORD, CLASS_PAIR, CLASS_QUAD, CLASS_RUN2, CLASS_RUN3, CLASS_RUN4, CLASS_PRED };

static inline unsigned class_words(enum value_class c)
{
	static const uint8_t words[] = { 1, 2, 4, 2, 3, 4, 1 };

	return words[c];
}

static inline unsigned class_step(enum value_class c)
{
	return c == CLASS_PAIR ? 2 : c == CLASS_QUAD ? 4 : 1;
}

static inline enum value_class class_run(unsigned words)
{
	return words > 3 ? CLASS_RUN4 : words > 2 ? CLASS_RUN3 : words > 1 ? CLASS_RUN2 : CLASS_WORD;
}

/* Where true is in the flags of a condition register: lg not zero, l negative, c carry, and their opposites. */
enum test { TEST_LG, TEST_E, TEST_L, TEST_GEU, TEST_C, TEST_NC };

struct value {
	enum value_class class;
	uint8_t test;            /* of a predicate */
	bool divergent;          /* lanes of a warp may have different ones */
	uint16_t reg;            /* first register; NO_REG: none yet */
	struct ir_insn *def;     /* NULL: an unknown value of before the function */
	struct value *same;      /* replacement of the value; NULL: none */
	bool same_not;           /* of a predicate: the replacement is the opposite */
	uint32_t id, uses;
	uint32_t meaning;        /* place of the words' meanings, for verify.c; 0: the value is made of no others */
	struct value *hint, *saved;      /* value with the register to wish for; flags as a word */
	uint8_t hint_sub;        /* word of the hint */
	bool spilled;            /* in l[], or a copy for one use of a value there */
	bool mask;               /* 0 or all ones */
	uint16_t spaces;         /* memory that the value may point to; for spaces.c */
	uint32_t zeros;          /* bits that are known to be 0 (words) */
};
enum { NO_REG = 0xffff };
/* Bytes of s[] that chips from sm_80 on reserve in each block (NVIDIA Ampere GPU Architecture Tuning Guide), and
 * where in them the part of cooperative groups begins, which has 288 bytes (CUDA 13.0). */
enum { RESERVED_BYTES = 1024, RESERVED_GROUPS = 512 };
enum { PARAM_BASE = 0x10 };      /* byte of s[] where a kernel's parameters begin */

/* SHARED, CONST: an operand in s[] or c0[]. READING: a variable's value in a block that ir_read is looking at. */
enum source_kind { SOURCE_NONE, SOURCE_VALUE, SOURCE_NUMBER, SOURCE_SHARED, SOURCE_CONST, SOURCE_READING };

struct source {
	uint8_t kind;
	uint8_t type;            /* of an s[] operand: an enum ptx_type */
	uint8_t sub : 4;         /* word of a pair or quad */
	uint8_t half : 4;        /* 0 whole, 1 low, 2 high half */
	bool neg : 1, abs : 1, not : 1;
	bool kill : 1;           /* the value's last use on this path */
	uint32_t bits;           /* a number; offset of an s[] or c0[] operand, bytes */
	struct value *value;
	struct ir_insn *load;    /* load that became an s[] operand with the address `value`; NULL: none */
};

struct ir_insn {
	enum ir_op op;
	uint8_t type, from;      /* enum ptx_type of the operation, of a conversion's source */
	uint8_t space, bank;     /* of a memory access; c[] bank */
	uint8_t shift;           /* address = value << shift, of s[] l[] c[] */
	uint8_t cond;            /* enum cond */
	uint8_t round;           /* enum rounding */
	bool sat, negate, absolute, is_volatile;
	bool waits;              /* a warp primitive: for the lanes of a mask, the last source, wherever these are */
	bool dead;
	struct value *dst, *flags;       /* result; predicate that has the flags */
	struct source guard;     /* predicate under which the operation happens */
	struct source old;       /* result where the guard does not hold; shares the register */
	struct source src[5];    /* of a memory access: src[0] the address, src[1] the data */
	uint32_t offset;         /* bytes, added to an address */
	unsigned nsrc;
	const char *word;        /* of an atomic: "add u32"; of a vote: "any"; of a texture: "texlod" */
	/* Of a barrier, an event, a counter or a gathered component; a barrier's warps are in `offset`, 0: all. */
	uint8_t number;
	bool bar_waits;
	struct source *args;     /* of a phi: a source for each predecessor */
	struct ir_block *block;
	struct ir_insn *next, *previous;
	struct value *twin;      /* of an IMUL: the same word, made on the way to the upper one */
	uint8_t mask, coords;    /* of a texture read: components of the result, coordinates */
	uint32_t var;            /* of a phi that is being made: variable */
	uint32_t statement;      /* number of a statement that asks for its spaces, from 1; 0: none */
	uint32_t line, file, source_line;
};

/* A generic address, as cvta makes one: a global address, or the window of another space plus an offset there. A window
 * has the 64 KiB that s[], l[] and c0[] can have at most, so its number is the upper half of the address. Windows lie
 * below every buffer, the null pointer outside (compile.h: COMPILE_WINDOWS_END). Address registers have 16 bits: a
 * generic address is right for them without a subtraction. */
enum { WINDOW_BITS = 16, WINDOW_BYTES = 1 << WINDOW_BITS };

static inline uint32_t window_of(enum ptx_space s)
{
	return s >= SPACE_SHARED && s <= SPACE_CONST ? (uint32_t)(s - SPACE_GLOBAL) << WINDOW_BITS : 0;
}

#define SPACE_BIT(space) (1u << ((space) - SPACE_GLOBAL))

enum cond { COND_NEVER, COND_L, COND_E, COND_LE, COND_G, COND_LG, COND_GE, COND_LGE, COND_U, COND_LU, COND_EU, COND_LEU,
	COND_GU, COND_LGU, COND_GEU, COND_ALWAYS };
enum rounding { ROUND_NONE, ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI };

struct live_list {
	uint32_t *id;            /* of values */
	size_t n, space;
};

enum end_kind { END_JUMP, END_BRANCH, END_EXIT };

struct ir_block {
	uint32_t id;
	struct ir_insn *head, *tail;
	enum end_kind end;
	struct source test;      /* of a branch: a predicate; `not`: the branch is taken where it is false */
	struct ir_block *to[2];  /* jump: to[0]; branch: taken to[0], else to[1] */
	struct ir_block **from;
	size_t nfrom;
	bool sealed, lowered, reachable;
	bool uniform;            /* of a branch: all lanes agree */
	bool parted;             /* lanes of a warp may arrive in parts */
	struct ir_block **joinat;        /* meeting points of the joinats before the end, outermost first */
	size_t njoinat;
	bool hoisted;            /* copies of an edge stand before the branch */
	bool join;               /* lanes of a joinat meet at the beginning */
	bool gathers;            /* a barrier or a vote is in the block (find_gathering) */
	struct ir_block *idom, *ipdom;   /* nearest dominator and post-dominator; ipdom NULL: none before the end */
	uint32_t ending;         /* number of the end of the thread that paths count to; 0: an empty end */
	uint32_t tree_number, tree_size; /* in the tree of dominators, from the top; 0 size: not numbered */
	uint32_t region;         /* number of the latest graph_region with the block */
	uint32_t order, depth;   /* in reverse postorder; nesting of loops */
	struct ir_block *loop, *outer;   /* head of the innermost loop around; of a head: of the next loop around */
	struct live_list live_in, live_out;      /* values alive at the begin and at the end */
	uint32_t line, file, source_line;        /* of the end */
	struct ir_block *next, *previous;        /* in the text; `previous` right behind graph_order alone */
};

/* Slot in l[] of a spilled value, a byte of l[]. */
struct slot_home {
	uint32_t slot;
	struct value *value;
};

/* What passes leave for others; the pass is the struct's maker. */

/* Places in s[] and l[], by compile.c for lowering. */
struct ir_layout {
	bool stacks;             /* some function calls itself, or has alloca: a stack in l[] (recursion.c) */
	uint32_t stack;          /* begin of the stack in l[]; the end is local_bytes */
	bool reduces;            /* some barrier computes, by a word of s[] */
	uint32_t reduction;      /* place of the word */
	uint32_t reserved;       /* place of bytes of s[] that a block's tools keep for themselves; 0: no such use */
	bool exchanges;          /* lanes of a warp exchange words, through words of s[] (lower_warp.c) */
	uint32_t widest;         /* bytes of the widest access to s[] or by an address without a space */
	uint32_t exchange;       /* place of the words, one a thread */
	uint32_t param_bytes, shared_bytes;
};

/* Variables in the making, of ir_read and ir_write alone. */
struct ir_ssa {
	struct defs *defs;       /* variable of a block to its value */
	struct reading *reading; /* meeting points on the way of ir_read */
	size_t nreading, space;
};

/* The latest graph_region. */
struct ir_region {
	struct ir_block **blocks;
	size_t n, space;
	uint32_t number;
	uint64_t steps;          /* of all searches, for a bound */
};

/* Blocks with a barrier or vote, by find_gathering. */
struct ir_gathering {
	struct ir_block **blocks;
	size_t n;
};

/* Values in l[], by spill.c and slots.c, for verify.c. */
struct ir_spills {
	struct slot_home *homes;
	size_t n;
	uint32_t bytes;
};

/* Words of c1[], of legalize.c alone. */
struct ir_constants {
	bool few;                /* c1[] ran over: numbers go through registers */
	size_t n;
	uint32_t *words;
};

/* A chip by its name among Tesla's, and the most bytes of parameters and s[] and threads of a block. */
struct compile_chip {
	const char *name;
	uint32_t param_bytes, shared_bytes, threads;
};

/* What the code is made for. */
struct ir_target {
	const struct compile_chip *chip;
	unsigned sm;             /* of the chip */
	bool lanes;              /* the chip has warp primitives */
	unsigned gathers;        /* components that the chip's texgather has */
	bool fma_mad;
	unsigned max_regs;
};

/* From statement to statement, of lower*.c and spaces.c. */
struct ir_lowering {
	bool asks_spaces;        /* some statement names no space, or constants by a register */
	bool marks_spaces;       /* addresses of variables carry their space, for find_spaces */
	size_t nstatements;      /* statements of PTX so far, of an inlined function anew in each call */
	const uint8_t *spaces;   /* set of SPACE_BIT of each statement that asks; NULL: not known */
	uint32_t stack_var;      /* variable with the stack's top */
	struct source lane_word; /* offset of the thread's word at layout.exchange: 4 * its number in the block */
	size_t ntextures;
	struct compile_texture *textures;        /* by number (lower_texture.c) */
};

struct ir {
	struct ptx_module *m;
	struct ptx_func *func;
	struct ir_target target;
	struct ir_lowering lowering;
	bool headless;           /* some circle of blocks has several entries */
	bool splits_ends;        /* each edge to a last block that does not gather is an end of its own */
	struct ir_block *entry, *last_block, **blocks;
	struct value **values;
	struct ir_layout layout;
	struct ir_ssa ssa;
	struct ir_region region;
	struct ir_gathering gather;
	struct ir_spills spills;
	struct ir_constants c1;
	uint32_t local_bytes;    /* of l[], with the stack; spills.bytes follow */
	struct ir_block *current; /* where operations are appended */
	struct ir_insn *before;  /* or inserted before this operation */
	uint32_t line, file, source_line;        /* of the operation being made */
	size_t nblocks, nvalues, nvars;
	size_t ninsns;           /* operations made so far, removed ones among them */
	uint64_t nlive;          /* entries of the blocks' live_in and live_out */
	size_t nbefore;          /* values before copies of phis were made */
	uint32_t regs;           /* registers in use */
	bool unfit;              /* the kernel does not fit the registers: there is no code */
};

/* Sources 0 and 1 are halves of registers. */
static inline bool ir_halves(const struct ir_insn *i)
{
	return i->op == IR_MUL16 || i->op == IR_MAD16 || (i->op == IR_SET && ptx_bytes((enum ptx_type)i->type) == 2);
}

/* Ways out of a block. */
static inline unsigned ir_edges(const struct ir_block *b)
{
	return b->end == END_EXIT ? 0 : b->end == END_JUMP ? 1 : 2;
}

/* The operation has a form with an immediate: short fields, no guard, no flags, no other rounding. */
static inline bool ir_immediate(const struct ir_insn *i)
{
	return ir_op_info[i->op].flags & IMM && !i->guard.kind && !i->flags && i->round != ROUND_RZ && !i->sat;
}

/* ---- making (ir.c) ---- */

struct ir_block *ir_block(struct ir *f);
struct value *ir_value(struct ir *f, enum value_class class);
struct ir_insn *ir_insn(struct ir *f, enum ir_op op);    /* appended at f->current, or before f->before */
struct ir_insn *ir_insn_new(struct ir *f, enum ir_op op);
void ir_append(struct ir *f, struct ir_block *b, struct ir_insn *i);
void ir_before(struct ir_insn *at, struct ir_insn *i);
void ir_remove(struct ir_insn *i);
void ir_edge(struct ir *f, struct ir_block *from, struct ir_block *to);
/* The predecessor's place in to->from. */
size_t ir_from(const struct ir_block *to, const struct ir_block *from);
/* The current block ends with a branch (other NULL: a jump); operations go on in block b. */
void ir_end_block(struct ir *f, struct source test, struct ir_block *taken, struct ir_block *other);
void ir_begin_block(struct ir *f, struct ir_block *b);
static inline void ir_jump(struct ir *f, struct ir_block *to) { ir_end_block(f, (struct source){ 0 }, to, NULL); }

/* Variables, in the way of Braun and others (Simple and Efficient Construction of SSA Form, 2013). */
void ir_write(struct ir *f, struct ir_block *b, uint32_t var, struct source s);
struct source ir_read(struct ir *f, struct ir_block *b, uint32_t var);
void ir_seal(struct ir *f, struct ir_block *b);
/* An unfinished phi has the values of its block's predecessors; and, the block itself has a value of the variable. */
void ir_fill(struct ir *f, struct ir_insn *phi);
bool ir_defines(const struct ir *f, const struct ir_block *b, uint32_t var);

static inline struct source number(uint32_t bits)
{
	return (struct source){ .kind = SOURCE_NUMBER, .bits = bits };
}

static inline struct source of(struct value *v)
{
	return (struct source){ .kind = SOURCE_VALUE, .value = v };
}

static inline struct source word_of(struct value *v, unsigned sub)
{
	return (struct source){ .kind = SOURCE_VALUE, .value = v, .sub = (uint8_t)sub };
}

static inline struct source half_of(struct source s, unsigned half)
{
	if (s.kind == SOURCE_NUMBER)
		s.bits = half == 2 ? s.bits >> 16 : s.bits & 0xffff;
	else
		s.half = (uint8_t)half;
	return s;
}

/* An operation of up to three sources, folded where sources are numbers; the result as a source. */
struct source ir_op(struct ir *f, enum ir_op op, unsigned n, const struct source *s);
#define OP(f, op, ...) ir_op((f), IR_##op, sizeof((struct source[]){ __VA_ARGS__ }) / sizeof(struct source), \
			     (struct source[]){ __VA_ARGS__ })
struct source ir_typed(struct ir *f, enum ir_op op, enum ptx_type t, unsigned n, const struct source *s);
#define TYPED(f, op, t, ...) ir_typed((f), IR_##op, (t), sizeof((struct source[]){ __VA_ARGS__ }) / \
				      sizeof(struct source), (struct source[]){ __VA_ARGS__ })
/* if test then a else b, words. */
struct source ir_select(struct ir *f, struct source test, struct source a, struct source b);
/* A comparison of numbers. */
bool ir_holds(unsigned cond, unsigned type, uint32_t a, uint32_t b);
/* A comparison as a predicate, or as all ones and 0. */
struct source ir_set(struct ir *f, enum ir_op op, enum cond c, enum ptx_type t, struct source a, struct source b);
struct source ir_setw(struct ir *f, enum ir_op op, enum cond c, enum ptx_type t, struct source a, struct source b);
struct source ir_cvt(struct ir *f, enum ptx_type to, enum ptx_type from, enum rounding r, struct source s);
/* A predicate as 0 and all ones; and back, by not zero. */
struct source ir_mask_of(struct ir *f, struct source p);
struct source ir_pred_of(struct ir *f, struct source word);

/* Follow `same`. */
void ir_resolve(struct source *s);
#define IR_EACH_SOURCE(i, s) for (struct source *s = (i)->op == IR_PHI || (i)->op == IR_PACK ? (i)->args : (i)->src, \
	*s##_end = s + (i)->nsrc; s < s##_end; s++)

/* ---- passes, in their order ---- */

void lower(struct ir *f);                /* lower.c: PTX to operations */
void simplify(struct ir *f);             /* simplify.c: copies, common operations, dead ones, multiplications */
/* spaces.c: the memory behind addresses of a lowered function, a set of SPACE_BIT for each statement that asks */
uint8_t *find_spaces(struct ir *f);
bool asks_space(const struct ptx_module *m, const struct ptx_insn *n);
/* lower_texture.c: every texture instruction gets the number of its texture; lowering.textures says where the handles
 * are. */
void number_textures(struct ir *f);
void simplify_phis(struct ir *f);        /* phis of a single value go */
void simplify_phis_of(struct ir *f, struct ir_block *b);         /* of a block; uses elsewhere are resolved later */
void common_operations(struct ir *f);    /* copies go through, an operation is made once; needs order and dominators */
void thread_branches(struct ir *f);      /* thread.c: edges pass blocks whose branch an earlier branch decides */
void predicate(struct ir *f);            /* predicate.c: small bodies of branches get guards; blocks are joined */
void structure(struct ir *f);            /* structure.c: uniformity, joinat and join */
/* meet.c: joins and joinats fit, and lanes meet before barriers. */
void check_meetings(struct ir *f);
void find_gathering(struct ir *f);       /* f->gather, and `gathers` of each block */
/* A barrier or vote that both sides of the branch at the end of b come to before they meet; NULL: none. `must_follow`:
 * only such as all paths from b lead to. */
const struct ir_insn *meets_too_late(struct ir *f, struct ir_block *b, const struct ir_block *meet, bool must_follow);
void drop_dead(struct ir *f);            /* simplify.c: operations without a use go; counts uses */
void legalize(struct ir *f);             /* legalize.c: kinds of sources, guards, results in place */
void allocate(struct ir *f);             /* allocate.c: registers, spills, copies of phis */
struct emitter;
void emit(struct ir *f, struct emitter *e);      /* emit.c: native instructions */

/* graph.c: order, dominators, post-dominators along the paths to a block's own end, depth. */
void graph_order(struct ir *f);
/* Blocks that the entry reaches, a block behind the blocks that follow; ids are places in f->blocks. Returns how many.
 * ways_out_first: of two blocks that follow, the one in fewer loops is looked at first, and so ends up behind the other
 * block in the reverse order. */
size_t graph_post_order(struct ir *f, bool ways_out_first, struct ir_block **post);
/* The edge from the k-th predecessor goes, with the sources of phis. */
void graph_drop_edge(struct ir_block *to, size_t k);
void graph_dominators(struct ir *f);
/* Ends of the thread stand in an order, from the last in the text on, and paths to the first of them count before
 * others: `first` is the number of another end to stand first. Returns the number of ends. */
size_t graph_postdominators(struct ir *f, size_t first);
/* Lanes on an edge to the last block wait for no others there. */
bool graph_own_end(const struct ir *f, const struct ir_block *to);
struct ir_block *graph_common_dominator(struct ir_block *a, struct ir_block *b);
bool graph_dominates(const struct ir_block *a, const struct ir_block *b);
/* Find the blocks that are reached from `from` without passing `stop`: f->region lists them, up to the next search.
 * `from` is a member only on a way back to `from`. */
void graph_region(struct ir *f, struct ir_block *from, const struct ir_block *stop);
/* Stores, barriers and other operations with an effect: a pass that moves blocks loses none. */
size_t graph_effects(const struct ir *f);
/* Steps of searches that are not linear: too many end the compilation. */
void graph_count_steps(struct ir *f, size_t steps);
/* The loop of the head has the block, at any depth. */
bool graph_in_loop(const struct ir_block *b, const struct ir_block *head);
static inline bool graph_inside(const struct ir *f, const struct ir_block *b) { return b->region == f->region.number; }

#endif
