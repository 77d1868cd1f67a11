/* Types and functions of the CLRX front end. The way of a text:
 *
 *   clrx_lines.c    a file to statements: comments, continued lines and `;` are gone
 *   clrx_flow.c     macros, repetitions and conditions choose the statements that count
 *   clrx_symbol.c   scopes and symbols, with values from clrx_assign.c;  clrx_expr.c  expressions with addresses
 *   clrx_section.c  sections;  clrx_op.c  pseudo-operations of sections, symbols and data;  clrx_config.c  of kernels
 *   clrx_insn.c     an instruction's text with numbers for all names, and its words
 *   clrx_finish.c   what waited for later lines, and the program's image
 *
 * An expression with a name of a later line is kept as text (struct clrx_text) with the values known so far, and is
 * evaluated at the end. */
#ifndef WB_CORE_ISA_GCN_CLRX_IMPL_H
#define WB_CORE_ISA_GCN_CLRX_IMPL_H

#include <stdint.h>
#include <uthash.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/isa/gcn/clrx_asm.h"
#include "core/isa/gcn/gcn.h"
#include "core/isa/gcn/launch.h"

enum {
	CLRX_SECTION_BYTES = 1 << 24,           /* of a section, as of a kernel of the engine's assembler */
	CLRX_STATEMENTS = 1 << 20,              /* executed, with all repetitions */
	CLRX_DEPTH = 128,                       /* files, macros and repetitions in each other */
	CLRX_CONDITIONS = 256, CLRX_NAME = 256, CLRX_WORD = 64,
	CLRX_KERNELS = 4096,
	CLRX_LETTERS = 1 << 26,                 /* of all expanded statements */
};

/* A table in the scratch arena, which CLRX_GROW makes longer. */
#define CLRX_TABLE(element) struct { element *list; size_t count, capacity; }

/* ---- statements ---- */

struct clrx_statement {
	const char *text;                       /* without blanks around */
	struct text_place position;
};

struct clrx_statements {
	struct clrx_statement *list;
	size_t count;
};

/* ---- symbols ---- */

enum { SECTION_NONE = -1 };
enum clrx_half { HALF_WHOLE, HALF_LOW, HALF_HIGH };

/* A number, or a place in a section. half: of an address in memory, the 32 bits that are meant. */
struct clrx_value {
	uint64_t number;
	int section;                            /* SECTION_NONE: a number */
	enum clrx_half half;
};

enum clrx_symbol_kind { SYMBOL_NONE, SYMBOL_VALUE, SYMBOL_TEXT, SYMBOL_REGISTERS, SYMBOL_CONSTANT };

/* A range of registers: source codes, or words of a variable of .regvar, which get their registers at the end. */
struct clrx_registers {
	uint16_t code, count;                   /* of a variable: code is the offset of the first word */
	struct clrx_variable *variable;         /* NULL: registers by number */
};

struct clrx_variable {
	const char *name;
	bool vector;
	uint16_t count, code;                   /* code: of the first register, when the variables have their places */
	struct text_place position;
	struct clrx_variable *next;
};

struct clrx_symbol {
	char *name;
	enum clrx_symbol_kind kind;             /* SYMBOL_NONE: undefined */
	bool once;                              /* may not change: labels, .equiv, .eqv, .enum */
	struct clrx_value value;
	const char *text;                       /* SYMBOL_TEXT: .eqv; SYMBOL_CONSTANT: an operand's text */
	struct clrx_registers registers;
	struct clrx_scope *scope;               /* of the text */
	bool is_label;
	bool lasting;                           /* a text of .eqv, which is evaluated at each use */
	UT_hash_handle hh;
};

struct clrx_using { struct clrx_scope *scope; struct clrx_using *before; };

struct clrx_scope {
	char *name;                             /* "": the file's, or one without a name */
	struct clrx_scope *parent, *all_next;
	struct clrx_scope *children;            /* by name */
	struct clrx_symbol *symbols;
	struct clrx_using *usings;              /* scopes in use, the latest first */
	uint64_t enumeration;
	UT_hash_handle hh;
};

/* ---- sections ---- */

enum clrx_section_kind { SECTION_CODE, SECTION_DATA, SECTION_BSS, SECTION_ABSOLUTE, SECTION_CONFIG, SECTION_ASIDE };

/* An instruction: its offset, its line in the program's own file, 0: of another; vector registers that it needs. */
struct clrx_code_line { uint32_t offset, line; uint16_t registers; };

struct clrx_section {
	const char *name;
	enum clrx_section_kind kind;
	int kernel;                             /* -1: of all kernels */
	uint8_t *bytes;
	uint64_t size, capacity;
	uint32_t address;                       /* in the program's memory, if `mapped`, which is at the end */
	bool mapped;
	CLRX_TABLE(struct clrx_code_line) lines;
};

/* ---- kernels ---- */

struct clrx_argument {
	const char *name, *type, *kind, *space, *access;
	uint32_t offset, size;
	bool hidden;                            /* kind is a hidden argument's */
};

/* Scalar registers of .userdata; kind: a hidden argument's (launch.h), or GCN_NO_SGPRS. */
struct clrx_user_data { const char *kind; uint8_t first_register, count; };

enum { CONFIG_NUMBERS = 24, USER_DATA = 16 };

struct clrx_kernel {
	const char *name;
	struct text_place position;
	int code, setup, latest;                /* sections; latest: where the kernel was left */
	bool configured;                        /* has .config, .hsaconfig, .args or .arg */
	bool hsa;                               /* .hsaconfig: the configuration names SGPRs one by one */
	int64_t number[CONFIG_NUMBERS];         /* by enum clrx_number; -1: not said */
	uint32_t properties;                    /* enum gcn_properties of .use_* */
	uint32_t flags;                         /* enum clrx_flags */
	uint32_t group[3], dims[2];             /* required size of a group; sets of axes of group and thread */
	bool dims_said;
	CLRX_TABLE(struct clrx_argument) arguments;
	struct clrx_user_data user_data[USER_DATA];
	unsigned nuser_data;
};

enum clrx_number {
	NUMBER_SGPRS, NUMBER_VGPRS, NUMBER_LOCAL, NUMBER_SCRATCH, NUMBER_RSRC1, NUMBER_RSRC2, NUMBER_FLOAT_MODE,
	NUMBER_KERNARG, NUMBER_ENTRY, NUMBER_USER, NUMBER_PRIORITY, NUMBER_EXCEPTIONS,
};

enum clrx_flags {
	FLAG_ARGS = 1, FLAG_SETUP = 2, FLAG_ENQUEUE = 4, FLAG_GENERIC = 8, FLAG_TGSIZE = 16, FLAG_IEEE = 32,
	FLAG_DX10 = 64,
};

enum clrx_format { FORMAT_AMD, FORMAT_GALLIUM, FORMAT_RAW, FORMAT_AMDCL2, FORMAT_ROCM, FORMATS };

/* ---- what waits for the end ---- */

/* Marks in texts that wait: a known value, with the number of an element of clrx.values; an expression between two
 * marks, alone or as a literal; registers of a variable. */
enum { CLRX_SAVED = 1, CLRX_LATER, CLRX_LATER_LITERAL, CLRX_VARIABLE };

/* A text with names of later lines. */
struct clrx_text {
	const char *text;
	struct clrx_scope *scope;
	struct text_place position;
};

struct clrx_fixup {                             /* bytes of data, or an instruction */
	int section;
	uint32_t offset, size;
	bool is_instruction;
	struct clrx_text text;
};

/* A literal with half of an address in memory. */
struct clrx_relocation {
	int section, to;
	uint32_t offset;
	uint64_t addend;
	enum clrx_half half;
	struct text_place position;
};

/* ---- the whole ---- */

struct clrx_macro;
struct clrx_source;

/* Which statements count: files, macros, repetitions and conditions (clrx_flow.c). */
struct clrx_flow {
	struct clrx_source *input;              /* the innermost file, macro or repetition */
	unsigned depth;
	uint64_t statements, letters, expansions, locals_made;
	struct { bool taken, live, seen_else; struct text_place position; } condition[CLRX_CONDITIONS];
	unsigned nconditions, dead;             /* dead: conditions from the first that skips on */
	struct clrx_macro *macros;
	bool alternate, exact_macros;           /* .altmacro; .nomacrocase */
};

struct clrx_names {
	struct clrx_scope *root, *scope, *scopes;
	struct clrx_symbol *locals;             /* "3": how many labels `3:` so far */
	struct clrx_symbol *awaited;            /* names without a scope that texts wait for */
	CLRX_TABLE(struct clrx_symbol *) waiting;       /* symbols whose values are texts that wait */
	CLRX_TABLE(struct clrx_value) values;   /* of \001 */
};

/* What the text says about chip and format. */
struct clrx_choices {
	const char *chip, *target_of;           /* target_of: the chip that the target is for */
	int gpu, arch;                          /* numbers of .get_gpu and .get_arch; gpu -1: not said */
	bool chip_said, code_begun;
	enum clrx_format format;
	bool wide;                              /* .64bit */
	bool separate_layout;                   /* amdcl2: code in each kernel; false: .hsalayout */
	bool plain_entry;                       /* .llvm10binfmt: no descriptor in front of the code */
	int64_t llvm_version, policy;
	bool kcode;
};

struct clrx {
	struct arena arena;                     /* scratch: dies with the assembly */
	struct image *im;
	const struct isa_source *source;
	struct diag *d;
	struct isa_target target;
	struct clrx_choices chosen;
	struct clrx_statement now;              /* at hand */
	struct clrx_flow flow;
	bool ended;                             /* .end */
	bool final;                             /* all names and places are known: an unknown one is an error */
	struct clrx_names names;

	CLRX_TABLE(struct clrx_section) sections;
	int here;                               /* section at hand */
	struct { int text, rodata, rwdata, bss, absolute, latest; } main;       /* sections of no kernel */
	CLRX_TABLE(struct clrx_kernel) kernels;
	int kernel;                             /* at hand; -1: none */

	CLRX_TABLE(struct clrx_fixup) fixups;
	CLRX_TABLE(struct clrx_relocation) relocations;
	struct clrx_variable *variables, **last_variable;
	uint64_t used[6];                       /* registers by number in instructions: s 0 to 127, v 0 to 255 */
};

/* All functions below return false (or NULL) with the diagnostic filled. */

bool clrx_no_memory(struct clrx *c);
/* An error at the statement at hand, at a piece of its text (NULL: the beginning), or at a place. */
bool clrx_error(struct clrx *c, const char *piece, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The error of the innermost open condition, which no .endif closes. */
bool clrx_never_closed(struct clrx *c);
/* One more element of a table of the scratch arena, zeroed. */
void *clrx_grow(struct clrx *c, void **table, size_t *count, size_t *capacity, size_t size);
#define CLRX_GROW(c, table) \
	((__typeof__((table).list))clrx_grow(c, (void **)&(table).list, &(table).count, &(table).capacity, \
					     sizeof *(table).list))

/* ---- texts ---- */

const char *clrx_skip(const char *p);
/* Letters of a name from p on, "." and "_" among them; 0: none begins there. */
size_t clrx_name_length(const char *p);
/* n letters, in the scratch arena. */
char *clrx_copy(struct clrx *c, const char *from, size_t n);
/* The end of the character or string that begins at p with a quote; NULL: none. */
const char *clrx_quoted_end(const char *p);
/* "text" at *p, without quotes, escapes resolved, its bytes in *n. */
bool clrx_string(struct clrx *c, const char **p, char **out, size_t *n);
bool clrx_word_is(const char *p, size_t n, const char *word);   /* in any case */
/* "," or the end; *more: a comma was there. */
bool clrx_comma(struct clrx *c, const char **p, bool *more);
bool clrx_ends(struct clrx *c, const char *p);

/* ---- clrx_lines.c ---- */

bool clrx_read_file(struct clrx *c, const char *file, const char *text, size_t n, struct clrx_statements *out);

/* ---- clrx_flow.c ---- */

/* The next statement that counts, in c->now; false with *end: there is none. */
bool clrx_next(struct clrx *c, bool *end);
bool clrx_open_file(struct clrx *c, const char *file, const char *text, size_t n);
/* A macro's call, if the statement at hand is one: *called. */
bool clrx_call_macro(struct clrx *c, const char *name, size_t n, const char *rest, bool *called);
/* *mine: a pseudo-operation of macros, repetitions or conditions. */
bool clrx_flow_op(struct clrx *c, const char *name, const char *rest, bool *mine);
void clrx_free_flow(struct clrx *c);

/* ---- clrx_symbol.c ---- */

/* The symbol of a name with a path; NULL without a diagnostic: an undefined name. */
struct clrx_symbol *clrx_find(struct clrx *c, struct clrx_scope *scope, const char *name, size_t n);
/* The symbol to define: made if missing, refused if it may not change. */
struct clrx_symbol *clrx_define(struct clrx *c, const char *name, size_t n, bool once);
/* A text waits for the name's first value. */
bool clrx_await(struct clrx *c, const char *name, size_t n);
/* Did a text wait for the name? No longer. */
bool clrx_awaited(struct clrx *c, const char *name, size_t n);
/* The letters of a name with its path "::a::b". */
size_t clrx_path_length(const char *p);
bool clrx_label(struct clrx *c, const char *name, size_t n);
bool clrx_open_scope(struct clrx *c, const char *name, size_t n);
bool clrx_close_scope(struct clrx *c);
bool clrx_use_scope(struct clrx *c, const char *name, size_t n, bool use);
struct clrx_scope *clrx_new_scope(struct clrx *c, const char *name, size_t n, struct clrx_scope *parent);
void clrx_free_scopes(struct clrx *c);

/* ---- clrx_assign.c ---- */

bool clrx_set_value(struct clrx *c, const char *name, size_t n, struct clrx_value v, bool once);
/* NAME = EXPRESSION or %REGISTERS */
bool clrx_assign(struct clrx *c, const char *name, size_t n, const char *rest, bool once, bool text);

/* ---- clrx_expr.c ---- */

/* The expression at *p, the longest one; *p moves behind. *known false: it has names of later lines, and *out is
 * nothing. scope: of the names. */
bool clrx_expression(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_value *out, bool *known);
/* Texts that wait get the values of names as they are now: a name has got its first value. */
bool clrx_settle_again(struct clrx *c);
/* The same with a known value and nothing but a number. */
bool clrx_number(struct clrx *c, const char **p, int64_t *out);
/* The text from..to with the known names as \001 values. */
const char *clrx_settle(struct clrx *c, struct clrx_scope *scope, const char *from, const char *to);
bool clrx_is_float(const char *p);

/* ---- clrx_section.c ---- */

int clrx_section(struct clrx *c, const char *name, enum clrx_section_kind kind, int kernel);
/* n bytes at the end of the section at hand; bytes NULL: zeros. */
bool clrx_emit(struct clrx *c, const void *bytes, uint64_t n);
/* A number in bytes, the lowest first. */
void clrx_put(uint8_t *to, uint32_t size, uint64_t value);

/* ---- clrx_op.c ---- */

/* A pseudo-operation with its name (without the point) and the rest of the statement. */
bool clrx_op(struct clrx *c, const char *name, size_t n, const char *rest);
/* ---- clrx_config.c ---- */

/* *mine: a pseudo-operation of kernels. */
bool clrx_config_op(struct clrx *c, const char *name, size_t n, const char *rest, bool *mine);
bool clrx_open_kernel(struct clrx *c, const char *rest);
/* Numbers of chips, and what begins with the first use of one. */
bool clrx_choose_gpu(struct clrx *c, const char *rest);
bool clrx_choose_arch(struct clrx *c, const char *rest);
int clrx_arch_named(const char *name, size_t n);
int clrx_gpu_named(const char *name, size_t n);

/* ---- clrx_insn.c ---- */

bool clrx_instruction(struct clrx *c, const char *text);
/* Encode again an instruction that waited. */
bool clrx_encode_again(struct clrx *c, const struct clrx_fixup *f);
/* %REGISTERS, the name of some, or of a part; false without a diagnostic: none is there. */
bool clrx_registers(struct clrx *c, struct clrx_scope *scope, const char **p, struct clrx_registers *out);

/* ---- clrx_finish.c ---- */

bool clrx_finish(struct clrx *c);

#endif
