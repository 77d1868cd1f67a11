/* A PTX module as parsed: names are resolved, nothing is computed yet. Everything lives in the module's arena. */
#ifndef WB_CORE_COMPILE_PTX_H
#define WB_CORE_COMPILE_PTX_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/compile/compile.h"

enum ptx_type {
	PTX_NONE, PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_U8, PTX_U16, PTX_U32, PTX_U64, PTX_S8, PTX_S16, PTX_S32,
	PTX_S64,
	PTX_F16, PTX_BF16, PTX_F32, PTX_F64, PTX_PRED, PTX_TYPES
};

static inline unsigned ptx_bytes(enum ptx_type t)
{
	static const uint8_t bytes[PTX_TYPES] = { 0, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 8, 4 };
	return bytes[t];
}

static inline bool ptx_signed(enum ptx_type t) { return t >= PTX_S8 && t <= PTX_S64; }
static inline bool ptx_float(enum ptx_type t) { return t >= PTX_F16 && t <= PTX_F64; }
static inline bool ptx_half(enum ptx_type t) { return t == PTX_F16 || t == PTX_BF16; }

enum ptx_space { SPACE_NONE, SPACE_PARAM, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST, SPACE_REG, SPACE_TEX };

struct ptx_reg {
	const char *name;
	enum ptx_type type;
	uint32_t index;                  /* by function, from 0 */
	const struct ptx_insn *reader;   /* the first instruction that reads the register; NULL: none so far */
	bool written;                    /* a result of some instruction, reached or not */
	bool fixed;                      /* its only result is the number `bits` */
	uint64_t bits;
	struct ptx_reg *next;            /* of the function */
};

/* Address of a variable, as so many bytes in the data of another. */
struct ptx_fixup { uint32_t offset; struct ptx_var *var; uint32_t addend; bool generic; uint8_t bytes; };

/* From one function's address to the next one's; the first is 8, and all lie below windows and buffers. */
enum { FUNCTION_STEP = 8 };

struct ptx_var {
	const char *name;
	enum ptx_space space;
	enum ptx_type type;              /* of an element */
	uint32_t align, size;            /* bytes */
	uint32_t offset;                 /* bytes from the start of its space; of a texture: its number */
	uint32_t handle;                 /* of a texture: place of the handle's address in c14[] */
	bool external, unsized;
	bool to_shared;                  /* a pointer to shared memory, by .ptr .shared */
	bool kernel_param;               /* of the entry that is compiled: in s[] */
	uint32_t frame;                  /* bytes from the begin of the frame, of a function that calls itself */
	uint32_t slot;                   /* another .param: the first of its words among the variables; 0: none yet */
	bool used;                       /* some compiled instruction names it */
	uint8_t *bytes;                  /* initial contents, size long; NULL: zero */
	size_t nfixups;
	struct ptx_fixup *fixups;
	int line;
	struct ptx_var *next;
};

enum operand_kind {
	OPERAND_NONE, OPERAND_REG, OPERAND_INT, OPERAND_FLOAT, OPERAND_DOUBLE, OPERAND_SPECIAL, OPERAND_VAR,
	OPERAND_FUNC,
	OPERAND_LABEL, OPERAND_VECTOR, OPERAND_ADDRESS, OPERAND_SINK, OPERAND_LIST, OPERAND_PART
};

enum special { SPECIAL_TID, SPECIAL_NTID, SPECIAL_CTAID, SPECIAL_NCTAID, SPECIAL_LANEID, SPECIAL_WARPID, SPECIAL_SMID,
	SPECIAL_GRIDID, SPECIAL_CLOCK, SPECIAL_CLOCK_HI, SPECIAL_PM, SPECIAL_NWARPID,
	SPECIAL_LANES_EQ, SPECIAL_LANES_LE, SPECIAL_LANES_LT, SPECIAL_LANES_GE, SPECIAL_LANES_GT,
	SPECIAL_RESERVED, SPECIAL_ENVIRONMENT, SPECIAL_NEVER };

struct ptx_operand {
	enum operand_kind kind;
	bool negated;                    /* !p or -r */
	uint8_t component;               /* of a special register: 0 x, 1 y, 2 z, 3 w; N of %pmN, %envregN, of a part */
	enum special special;
	const char *name;                /* of a special register */
	struct ptx_reg *reg;
	struct ptx_var *var;
	struct ptx_func *func;
	struct ptx_label *label;
	uint64_t bits;                   /* of a number; of an address: the offset; of a part: its width, 8 or 16 */
	struct ptx_operand *item;        /* of a vector, a list, an address (item[0]: the base) */
	unsigned nitems;
	int column;
};

struct ptx_label {
	const char *name;
	int line;
	bool defined;
	uint32_t insn;
	struct ptx_scope *scope;
	const struct ptx_targets *targets;       /* of .branchtargets or .calltargets; NULL: no such list */
};

/* Labels that brx.idx chooses from, or functions that a call through a register may meet. */
struct ptx_targets {
	size_t nlabels, nfuncs;
	struct ptx_label **labels;
	struct ptx_func **funcs;
};

enum { PTX_WORDS = 12, PTX_OPERANDS = 6 };

struct ptx_insn {
	const char *word[PTX_WORDS];     /* "mad", "lo", "s32": what the dots part; interned */
	unsigned nwords, noperands;
	struct ptx_operand *operand;
	struct ptx_operand *dual;        /* the second result of setp: p|q */
	struct ptx_reg *guard;
	bool guard_not;
	int line, column;
	uint32_t file, source_line;
};

struct ptx_func {
	const char *name;
	bool entry, has_body, marked;    /* marked: a kernel that is compiled calls the function */
	bool recursive;                  /* calls lead back to the function */
	bool seen;                       /* mark of a search (recursion.c) */
	bool taken;                      /* some instruction or variable has the function's address */
	uint32_t address;
	unsigned max_regs;               /* .maxnreg; 0: not said */
	uint32_t block[3];               /* .reqntid; 0: not said */
	uint32_t most_threads;           /* of a block, by .reqntid or .maxntid; 0: not said */
	size_t nparams, nrets, ninsns, nregs;
	struct ptx_var **params;         /* of a function: registers are in param_reg */
	struct ptx_reg **param_reg, **ret_reg;
	struct ptx_var **rets;
	struct ptx_insn *insns;
	struct ptx_reg *regs, **last_reg;
	struct ptx_var *vars;            /* declared inside, by their order */
	struct ptx_scope *scope;
	int line;
	struct ptx_func *next;
};

enum { PTX_FORMS_SEEN = 512 };

/* An instruction, and the form (grammar.c) with the instruction's words. */
struct ptx_form_seen {
	const struct ptx_insn *insn;
	uint16_t form;
};

struct ptx_module {
	struct arena *arena;
	struct diag *diag;
	void *end;                       /* of ptx_run, where an error ends the compilation */
	const struct compile_options *options;
	uint64_t memory;                 /* bytes that the arena may have without another question; 0: not asked yet */
	unsigned ticks;                  /* until the next look at the clock */
	const struct ptx_func *entry;    /* the kernel that is compiled; NULL: none yet */
	unsigned version, target;        /* 10 * major + minor; sm */
	unsigned address_size;           /* bits, as declared; 0: not declared */
	bool map_f64;
	bool points_to_constants;        /* some variable begins with the generic address of a .const variable */
	struct ptx_func *funcs;          /* by their order */
	struct ptx_var *vars;
	struct ptx_form_seen forms_seen[PTX_FORMS_SEEN]; /* by a hash of the words */
	uint32_t nfunctions;             /* with an address */
	struct ptx_symbol *symbols;      /* uthash table of all names; ptx_forget frees the table */
	const struct logic_step *logic;  /* of lop3 (sequences.c); NULL: no lop3 so far */
	size_t nfiles, nwarnings, ninsns, ntextures;     /* textures: variables of .tex and .texref */
	uint32_t nglobals;               /* variables of .global, in front of those with the handles of textures */
	struct compile_file *files;
	struct compile_warning *warnings;
	struct compile_global *behind_globals;   /* space for the variables with handles of loaded textures */
	bool loads_textures;             /* some entry reads textures by handles that the entry loads */
	size_t nhandles;                 /* of all entries compiled so far */
	struct compile_texture *handles;
};

/* The type with the name, such as "u32"; PTX_NONE: no type. */
enum ptx_type ptx_type_named(const char *name, size_t size);

/* A call through a register: of any function with a taken address. */
bool ptx_calls_any(const struct ptx_insn *n);

/* Parse a text of `size` bytes into *m, whose arena, diag and end are set. An error does not return. */
void ptx_parse(struct ptx_module *m, const char *text, size_t size);

void ptx_forget(struct ptx_module *m);

/* Run the passes of a compilation. False: one of them has ended the compilation, with the diagnostic. An error, a limit
 * or a lack of memory ends all passes at once (longjmp): what a pass holds is the module's, in the arena. */
bool ptx_run(struct ptx_module *m, void (*passes)(void *context), void *context);
/* End the compilation with a diagnostic for a place of the text, 0 for none. */
_Noreturn void ptx_fail_as(struct ptx_module *m, enum diag_kind kind, int line, int column, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
#define ptx_fail(m, line, column, ...) ptx_fail_as(m, DIAG_INPUT, line, column, __VA_ARGS__)
/* The same for a fault of the compiler itself: no program is made. */
#define ptx_fault(m, line, format, ...) ptx_fail_as(m, DIAG_INTERNAL, line, 1, \
	"a fault of Warpbeam, which makes no program of this kernel: " format "; please report the message with the " \
	"file", ##__VA_ARGS__)
void ptx_warn(struct ptx_module *m, int line, int column, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* End the compilation, with exit 6, where the time is over. For loops that may run long without asking for memory. */
void ptx_tick(struct ptx_module *m);
/* Zeroed memory of the module. The host having none, or the caller's limits of memory or time, end the compilation. */
void *ptx_new(struct ptx_module *m, size_t bytes);
/* The host has none: the compilation ends. For memory outside the arena. */
_Noreturn void ptx_no_memory(struct ptx_module *m);
/* Append a zeroed element of `size` bytes to an array of `*n` elements at *array; the array may move. */
void *ptx_push(struct ptx_module *m, void *array, size_t *n, size_t size);

#endif
