/* Shared by the files of lowering: a PTX instruction with understood words, and operands as sources. */
#ifndef WB_CORE_COMPILE_LOWER_H
#define WB_CORE_COMPILE_LOWER_H

#include "core/compile/ir.h"

enum { MOD_SAT = 1, MOD_FTZ = 2, MOD_WIDE = 4, MOD_HI = 8, MOD_LO = 16, MOD_CC = 32, MOD_APPROX = 64, MOD_FULL = 128,
	MOD_UNI = 256, MOD_VOLATILE = 512, MOD_CLAMP = 1024, MOD_WRAP = 2048, MOD_LEFT = 4096, MOD_RIGHT = 8192,
	MOD_TO = 16384 };

enum { CALL_DEPTH_MAX = 64 };    /* calls one inside another */

struct lowering {
	struct ir *f;
	struct ptx_module *m;
	struct ptx_func *func;
	uint32_t base;                   /* variables of the function begin here */
	const struct ptx_insn *insn;     /* the current one */
	struct source guard;             /* of the current instruction; none: no guard */
	bool fills;                      /* lanes without the guard have their result from another operation */
	struct ir_block **block;         /* by instruction: block that begins with the instruction */
	struct ir_block *exit;           /* where a return of the function goes; NULL: the thread ends */
	unsigned depth;
	/* of a function that calls itself, or has alloca (recursion.c): */
	struct ir_block *begin;          /* where further calls enter */
	struct call_site *sites;
	uint32_t nsites, return_var, frame_var;  /* variables: number of the call, begin of the frame */
	uint32_t result_base, *result_slot;      /* variables of results at the end, in registers and in .param */
	struct lowering *caller;
};

struct words {                           /* an instruction's words, understood */
	const struct ptx_insn *n;
	const char *op;
	enum ptx_type type[3];
	unsigned ntypes, mods, vector;
	enum rounding round;
	enum ptx_space space;
	uint8_t cond;                    /* of setp; hi, lo, ls, hs as unsigned ones */
	bool has_cond;
	char logic;                      /* 'a', 'o', 'x': .and, .or, .xor behind a comparison */
	bool pair;                       /* .f16x2, .bf16x2, .u16x2, .s16x2: two of a type in a word */
	const char *other[4];            /* remaining words: operations of atomics, dimensions of textures */
	unsigned nother;
};

struct wide { struct source lo, hi; };

typedef void lower_fn(struct lowering *l, const struct words *w);
struct lower_row { const char *op; lower_fn *lower; };
extern const struct lower_row lower_int[], lower_float[], lower_memory[], lower_warp[], lower_textures[],
	lower_surfaces[], lower_stack[], lower_video[];
lower_fn lower_half;             /* lower_half.c: instructions of f16, bf16 and pairs of them */

/* lower_float.c: the hyperbolic tangent of an f32, within 2^-11 of itself. */
struct source tangent(struct lowering *l, struct source s);
/* lower_half.c: the sum of two f16 or, where the words have .f16x2 or .bf16x2, of both halves of words. */
struct source half_sum(struct lowering *l, const struct words *w, struct source a, struct source b);

/* lower_float.c: min and max of f32; by .NaN no number beside one, by .xorsign.abs the size with the product's sign. */
struct source least_or_greatest(struct lowering *l, const struct words *w, struct source a, struct source b);
/* lower_float.c: clamped to [0, 1]; no number becomes 0. */
struct source saturated(struct lowering *l, struct source s);

/* lower_warp.c: the instruction's outcome is that of lanes together; and, on the chip of f, the instruction needs words
 * of s[]. */
bool gathers_lanes(const struct ptx_insn *n);
/* bar.warp.sync: lanes meet, and on a chip with primitives wait for the lanes of the mask. */
void meet_lanes(struct lowering *l, const struct words *w);
bool exchanges_words(const struct ir *f, const struct ptx_insn *n);
/* operands.c: the lane's number in the warp. */
struct source lane_number(struct lowering *l);
/* lower_warp.c: the word of the lowest of the lanes that are there, on a chip with warp primitives. */
struct source lead_word(struct lowering *l, struct source word);
/* At the kernel's begin: the lanes' words are 0. tid: the packed thread index; size: of the block. */
void begin_exchange(struct ir *f, struct source tid, const struct source size[3]);

/* lower_memory.c: the load or store of the instruction at an address of g[], and a word there. */
void global_load(struct lowering *l, const struct words *w, struct source address);
void global_store(struct lowering *l, const struct words *w, struct source address);
/* `op` of the number at the address with operand 1: add, min, max, and, or. */
void global_reduce(struct lowering *l, const struct words *w, const char *op, struct source address);
struct source global_word(struct lowering *l, struct source address, uint32_t offset);

/* recursion.c: mark functions that call themselves. */
void find_recursion(struct ptx_module *m);
/* recursion.c: the frame of an activation. */
void begin_frame(struct lowering *l);
void end_frame(struct lowering *l);
/* recursion.c: a call of a function that is being inlined: arguments are to be passed behind begin_recursive_call, then
 * comes the jump; results are taken in the returned block, before end_recursive_call. return_to_calls: the end of the
 * body, when all calls are known. */
struct ir_block *begin_recursive_call(struct lowering *l, struct lowering *active);
void end_recursive_call(struct lowering *l, struct lowering *active);
void return_to_calls(struct lowering *in);

/* print.c: give calls of printf and assert functions of their own. */
void print_functions(struct ptx_module *m, struct compile_result *out);

/* grammar.c: the words and operands belong to a form of grammar.def; else the instruction is refused. */
void grammar_check(struct lowering *l, const struct ptx_insn *n);

/* operands.c */

const char *spelled(struct lowering *l, const struct ptx_insn *n);      /* the instruction's words */
_Noreturn void lower_fail(struct lowering *l, const struct ptx_insn *n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The operation needs a chip of sm or later. */
void lower_needs(struct lowering *l, const struct ptx_insn *n, unsigned sm, const char *what);
_Noreturn void lower_never(struct lowering *l, const struct ptx_insn *n, const char *what, const char *why);

/* A word or half of s[] that no store reaches: a size of the block, a parameter. */
struct source shared_word(struct ir *f, uint32_t offset, enum ptx_type t);
struct source global_address(struct lowering *l, const struct ptx_var *v);
/* A variable in l[] of a function that calls itself: each activation has its own. */
bool is_in_frame(const struct lowering *l, const struct ptx_var *v);
struct source frame_address(struct lowering *l, const struct ptx_var *v);
/* A copy of an address, with a note of the memory where some access may ask. */
struct source in_space(struct lowering *l, enum ptx_space space, struct source address);
/* Operand `k` of type t: a word (types up to 32 bits; of wider registers the low word), two words, a pair for
 * f64, a predicate. */
struct source get(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t);
struct source get_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t);
struct wide get_wide(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t);
struct wide get_wide_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t);
struct source get_double(struct lowering *l, const struct words *w, unsigned k);
struct source get_pred(struct lowering *l, const struct words *w, unsigned k);
struct source get_guard(struct lowering *l, const struct ptx_insn *n);  /* none: kind SOURCE_NONE */
/* The 8 or 16 bits of a narrow type as 32, and words as they are. */
struct source extended(struct lowering *l, enum ptx_type t, struct source s);
struct source pack(struct lowering *l, struct wide d);
/* The result, operand `k`: extended to the register's width. */
void put(struct lowering *l, const struct words *w, unsigned k, enum ptx_type t, struct source s);
void put_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, enum ptx_type t,
	    struct source s);
void put_wide(struct lowering *l, const struct words *w, unsigned k, struct wide d);
void put_wide_of(struct lowering *l, const struct ptx_insn *n, const struct ptx_operand *o, struct wide d);
void put_double(struct lowering *l, const struct words *w, unsigned k, struct source s);
/* Word `n` of a call's .param: a variable like a register. */
struct source param_read(struct lowering *l, struct ptx_var *v, unsigned n);
void param_write(struct lowering *l, struct ptx_var *v, unsigned n, struct source s);
void put_pred(struct lowering *l, const struct ptx_operand *o, struct source p);
struct source pred_logic(struct lowering *l, enum ir_op op, struct source a, struct source b);

/* sequences.c */
/* IR_ADD or IR_SUB never folded into another operation, so that its carry can be read (of SUB: no borrow). */
struct source add_raw(struct ir *f, enum ir_op op, struct source a, struct source b);
struct source carry_of(struct ir *f, struct source sum);
struct wide mul_wide(struct ir *f, struct source a, struct source b, bool is_signed);
struct source mul_high(struct ir *f, struct source a, struct source b, bool is_signed);
struct wide mul64(struct ir *f, struct wide a, struct wide b);
struct wide mul64_high(struct ir *f, struct wide a, struct wide b, bool is_signed);
struct wide add64(struct ir *f, struct wide a, struct wide b);
struct wide sub64(struct ir *f, struct wide a, struct wide b);
struct wide shift64(struct ir *f, enum ir_op op, struct wide a, struct source n);
struct source less64(struct ir *f, enum cond c, enum ptx_type t, struct wide a, struct wide b);
struct source divide(struct ir *f, struct source a, struct source b, bool is_signed, bool remainder);
struct wide divide64(struct ir *f, struct wide a, struct wide b, bool is_signed, bool remainder);
/* Signed or unsigned parts of a word, of `bits` bits each, from bit `from` on. */
struct part_words { struct source word; unsigned bits, from; bool is_signed; };
/* sum + the products of the parts of a, which fill a word, and as many parts of b, of 16 and 8 bits or of 8 and 8. */
struct source dot_product(struct ir *f, struct part_words a, struct part_words b, struct source sum);
/* A function of the bits of three words, by its table: that of the words 0xf0, 0xcc and 0xaa. */
struct source logic_of_three(struct ir *f, unsigned table, const struct source s[3]);
struct source leading_zeros(struct ir *f, struct source x);
struct source leading_zeros64(struct ir *f, struct wide x);
struct wide field64(struct ir *f, struct wide x, struct source at, struct source n, bool is_signed);
struct wide insert64(struct ir *f, struct wide a, struct wide b, struct source at, struct source n);

/* sequences_float.c: functions of f32 and f64, rounded once (denormals of f32 are zeros), and 64 bits as f32 and back
 * for chips without the instruction */
struct source fma32(struct lowering *l, struct source a, struct source b, struct source c);
/* Rounded by r: for chips without f64 to nearest alone. */
struct source divide32(struct lowering *l, struct source a, struct source b, enum rounding r);
struct source root32(struct lowering *l, struct source a, enum rounding r);
struct source float_of64(struct lowering *l, struct wide x, bool is_signed, enum rounding r);
struct wide words_of_float(struct lowering *l, struct source a, bool is_signed, enum rounding r);
struct wide divide_f64(struct lowering *l, struct wide a, struct wide b, enum rounding r);
struct wide root_f64(struct lowering *l, struct wide a, enum rounding r);
struct wide reciprocal_root_f64(struct lowering *l, struct wide a);    /* at most 2 units off */
/* A half of type t as f32, and an f32 as a half: rounded to nearest, and cut (bf16). */
struct source half_as_float(struct ir *f, enum ptx_type t, struct source half);
struct source float_as_half(struct ir *f, enum ptx_type t, enum rounding r, struct source s);
/* The greater one of s and 0; no number stays none. */
struct source rectified(struct lowering *l, struct source s);
/* The predicate that holds where p does not. */
struct source opposite(struct source p);

#endif
