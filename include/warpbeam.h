/* Warpbeam: an emulator of GPU multiprocessors that run warps. This is the public C API; the command line, the window,
 * the benches and other programs use this header and nothing else.
 *
 * Handles are opaque and belong to the caller until the matching _free. Functions that can fail return a status, which
 * is also the exit code the command line gives for it, and fill a wb_diag when one is passed. No function prints, exits
 * or keeps state outside its handles; different handles may be used from different threads. */
#ifndef WARPBEAM_H
#define WARPBEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WB_API __attribute__((visibility("default")))
#else
#define WB_API
#endif

enum wb_status {
	WB_OK = 0,
	WB_FAILED = 1,          /* a check or a comparison failed */
	WB_USAGE = 2,           /* a bad option or argument */
	WB_ENV = 3,             /* the host: cannot open, cannot write, no memory */
	WB_INPUT = 4,           /* a bad file or text */
	WB_FAULT = 5,           /* the guest program faulted; the state is intact and the report complete */
	WB_LIMIT = 6,           /* a limit that the caller set was reached */
	WB_HANG = 7,            /* deadlock or livelock */
	WB_INTERNAL = 70,
	WB_INTERRUPTED = 130
};

/* What went wrong, where, what was found and what was expected. */
struct wb_diag {
	enum wb_status status;
	char file[192];         /* "" if there is none */
	int line, column;       /* 1-based; 0 if they do not apply */
	int64_t offset;         /* byte offset in a binary; -1 if it does not apply */
	char text[400];
};

WB_API const char *wb_version(void);
/* "4096", "0x1000", "4K", "4KB" or "4KiB", M and G likewise: bytes, in units of 1024. False: it is none of these.
 * Options and arguments that take a number of bytes take this. */
WB_API bool wb_size(const char *text, uint64_t *bytes);
/* SIMD levels that this build has and this host can run: "base", "avx2", "avx512", best last; NULL past the end. */
WB_API const char *wb_simd_level(unsigned index);

/* ---- Configuration: every option of a run, by the names of the command line ("chip", "diverge", "lock", …) ---- */

struct wb_config;

enum wb_option_kind { WB_OPT_SWITCH, WB_OPT_NUMBER, WB_OPT_CHOICE, WB_OPT_TEXT };

struct wb_option_info {
	const char *name;       /* "diverge" */
	const char *argument;   /* "taken|fall|larger|random"; "" for a switch */
	const char *fallback;   /* default, as text */
	const char *group;      /* heading in the help */
	const char *help;       /* one line */
	enum wb_option_kind kind;
	bool repeats;           /* may be given again and adds */
};

/* The table of run options, in the order of the help; NULL past the end. */
WB_API const struct wb_option_info *wb_option(unsigned index);

WB_API struct wb_config *wb_config_new(void);
WB_API struct wb_config *wb_config_copy(const struct wb_config *c);
WB_API void wb_config_free(struct wb_config *c);
/* Set one option from text; a switch takes "on" or "off". Options that accumulate (global, const) add. WB_USAGE names
 * what was found, what is accepted, and the nearest option name. */
WB_API enum wb_status wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *d);
/* The value now in force, as text; valid until the next call on c. NULL: no such option. */
WB_API const char *wb_config_get(struct wb_config *c, const char *name);
/* Whether it was set, be it to what is the default anyway. */
WB_API bool wb_config_given(const struct wb_config *c, const char *name);

/* A file by the name that a program, an option or an argument uses for it. */
struct wb_file { const char *name; const void *bytes; size_t size; };
/* Read these files where c, its copies, and what is loaded and launched with them name some: no file of the host is
 * then read, and none is written. Borrowed: they outlive all of these. NULL: those of the host. */
WB_API void wb_config_files(struct wb_config *c, const struct wb_file *files, size_t n);

/* ---- Programs ---- */

struct wb_program;

/* Load a file, or n bytes of memory (copied), in any known format: cubin (text, ELF, inside an executable or archive),
 * assembly, raw or hex words. Options "format", "chip", "mode", "regs", "smem", "lmem", "entry" of c are used; c may be
 * NULL. */
WB_API enum wb_status wb_program_open(const char *path, const struct wb_config *c, struct wb_program **out,
				      struct wb_diag *d);
WB_API enum wb_status wb_program_load(const void *bytes, size_t n, const char *name, const struct wb_config *c,
				      struct wb_program **out, struct wb_diag *d);
WB_API void wb_program_free(struct wb_program *p);

struct wb_param { const char *name, *type; uint32_t offset, size; };

/* "uniform" "projection" "c0-c3", "constant" "" "c95" "0, 1, -1, 0.5": "" for what a file does not say. */
struct wb_name { const char *kind, *name, *registers, *value; };

struct wb_kernel {
	const char *name;
	const char *machine, *chip, *mode;
	uint32_t code_bytes, registers, shared_bytes, local_bytes, param_bytes, barriers;
	uint32_t nparams;
	const struct wb_param *params;
	const char *grid, *block;        /* launch defaults of an assembly file, or NULL */
	const char *const *args;         /* likewise, NULL-terminated */
	const char *const *expectations; /* texts after "// expect:", NULL-terminated */
	uint32_t nnames;
	const struct wb_name *names;     /* of a shader: entry, inputs, uniforms, constants, outputs */
};

/* The index-th file that it was loaded from: itself, then what it includes. False: past the end. */
WB_API bool wb_program_file(const struct wb_program *p, unsigned index, struct wb_file *out);
WB_API const char *wb_program_format(const struct wb_program *p);   /* "cubin-text", "cubin-elf", "asm", "raw", "hex" */
WB_API unsigned wb_program_kernels(const struct wb_program *p);
WB_API const struct wb_kernel *wb_program_kernel(const struct wb_program *p, unsigned index);
/* What is probably a mistake in a text that was assembled, with its place; false past the last. */
WB_API bool wb_program_warning(const struct wb_program *p, unsigned index, struct wb_diag *out);

/* ---- Text: disassemble and assemble ---- */

struct wb_text { char *data; size_t size; };   /* freed with wb_text_free */
WB_API void wb_text_free(struct wb_text *t);

enum wb_list_flags { WB_LIST_BARE = 1, WB_LIST_UNDOC = 2, WB_LIST_CFG = 4, WB_LIST_SOURCE = 8 };

/* The listing of every kernel of p, for the chip and program type of c, or of the file where c (may be NULL) says none.
 * WB_LIST_BARE: texts alone; WB_LIST_UNDOC: also of what the public disassembler does not know.
 * WB_LIST_SOURCE: a text that is assembled to the same words and what else the file says; WB_USAGE for a machine whose
 * language is its own, and for programs of several chips or types.
 * WB_LIST_CFG: instead, the control-flow graph of each in the language of Graphviz: an edge labelled "branch" or
 * "call", or dashed to where lanes that part will meet; others fall through. Code that no path reaches is left out.
 * WB_USAGE for a machine whose control flow is not known so. */
WB_API enum wb_status wb_disassemble(const struct wb_program *p, const struct wb_config *c, unsigned flags,
				     struct wb_text *out, struct wb_diag *d);

struct wb_instruction {
	uint32_t pc, words[2];
	unsigned nwords;
	const char *text;       /* "???" if it is none */
	const char *label;      /* of a label that stands here, or NULL */
	int line;               /* of the source, 0 if there is none */
};
struct wb_listing { unsigned n; struct wb_instruction *instructions; char *texts; };

/* The instructions of one kernel, for programs; freed with wb_listing_free. Flags: WB_LIST_UNDOC. */
WB_API enum wb_status wb_program_listing(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
					 unsigned flags, struct wb_listing *out, struct wb_diag *d);
WB_API void wb_listing_free(struct wb_listing *l);
/* One instruction's words to its text; WB_INPUT if they are no instruction (the text then begins with ???). */
WB_API enum wb_status wb_dis_words(const struct wb_config *c, const uint32_t *words, unsigned n, unsigned flags,
				   char *text, size_t size);
/* What a kernel does that runs here and goes wrong on the hardware: a line for each finding, "pc 0x10: …"; no text if
 * there is none, or nothing is known of its machine. */
WB_API enum wb_status wb_program_lint(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
				      struct wb_text *out, struct wb_diag *d);
/* One line of text to its words (at most 4). */
WB_API enum wb_status wb_asm_line(const struct wb_config *c, const char *text, uint32_t words[4], unsigned *n,
				  struct wb_diag *d);
/* A whole assembly text to a file image: format "raw", "hex", "cubin" or "shbin". */
WB_API enum wb_status wb_assemble(const struct wb_config *c, const char *text, size_t n, const char *name,
				  const char *format, struct wb_text *out, struct wb_diag *d);
/* The reference of an instruction set, printed from its table: isa is a machine's name (wb_kernel.machine), format
 * "text", "md" or "json". */
WB_API enum wb_status wb_isa_reference(const char *isa, const char *format, struct wb_text *out, struct wb_diag *d);

/* ---- A launch ---- */

struct wb_launch;

/* Prepare kernel `kernel` (NULL: the only one) of p for a run under c: arguments, memory, blocks. */
WB_API enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
				    struct wb_launch **out, struct wb_diag *d);
WB_API void wb_launch_free(struct wb_launch *l);

/* Arguments in order, as the words of `-a` ("u32=5", "zero=1024", "in=FILE", "pad=4"), and gN[] bindings, constants by
 * config. */
WB_API enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *d);
/* The index-th file that its options and arguments have read; valid as long as l. False: past the end. */
WB_API bool wb_launch_file(const struct wb_launch *l, unsigned index, struct wb_file *out);
/* Copy to or from buffer argument `index` (counting every argument from 0), or a global space. */
WB_API enum wb_status wb_launch_read_arg(struct wb_launch *l, unsigned index, size_t offset, void *out, size_t n,
					 struct wb_diag *d);
WB_API enum wb_status wb_launch_write_arg(struct wb_launch *l, unsigned index, size_t offset, const void *in, size_t n,
					  struct wb_diag *d);
WB_API size_t wb_launch_arg_bytes(const struct wb_launch *l, unsigned index);
/* Memory of the finished or stopped launch: space "g", "s" or "l" (the last block, thread 0 for l) or "c0"…"c15" or
 * "g0"…"g15". */
WB_API enum wb_status wb_launch_read(struct wb_launch *l, const char *space, uint32_t addr, void *out, size_t n,
				     struct wb_diag *d);
WB_API enum wb_status wb_launch_write(struct wb_launch *l, const char *space, uint32_t addr, const void *in, size_t n,
				      struct wb_diag *d);

/* Set up memory, multiprocessors and the first blocks, once all arguments are there: whatever can be refused is refused
 * here at the latest. Called by the functions that run, when need be. */
WB_API enum wb_status wb_launch_prepare(struct wb_launch *l, struct wb_diag *d);

/* Vertices, for machines whose threads have inputs and outputs of their own: n of them, wb_launch_in_words() words
 * each, copied. The launch gets as many threads; before the first run. 0 words: this program has no such inputs. */
WB_API unsigned wb_launch_in_words(const struct wb_launch *l);
WB_API unsigned wb_launch_out_words(const struct wb_launch *l);
WB_API enum wb_status wb_launch_vertices(struct wb_launch *l, const uint32_t *words, uint32_t n, struct wb_diag *d);
/* Add one vertex as a text: numbers set apart by commas, four for each input register, or registers by number or by
 * the file's name of it, "v0=1,2,3 normal=0,0,1"; what is missing of a register is 0, 0, 0, 1. Where a thread takes a
 * primitive of several vertices, their attributes follow each other; if their number may vary, it comes first. */
WB_API enum wb_status wb_launch_vertex(struct wb_launch *l, const char *text, struct wb_diag *d);
/* The outputs of vertex `index` after the run; NULL if there is none. Which of the output registers the file declares:
 * bit n = register n of four words. */
WB_API const uint32_t *wb_launch_output(const struct wb_launch *l, uint32_t index);
WB_API uint32_t wb_launch_output_mask(const struct wb_launch *l);

/* What a geometry program emits, in the order of its threads: three vertices of wb_launch_out_words() words. */
struct wb_primitive { uint32_t thread; bool winding; const uint32_t *vertices; };
/* NULL past the end. */
WB_API const struct wb_primitive *wb_launch_primitive(struct wb_launch *l, size_t index);

/* Run to the end, or to the first fault, limit or hang. The report is valid in all these cases. */
WB_API enum wb_status wb_launch_run(struct wb_launch *l, struct wb_diag *d);
/* Ask a running launch, from a signal handler or another thread, to stop: wb_launch_run returns WB_INTERRUPTED. */
WB_API void wb_launch_interrupt(struct wb_launch *l);
/* How far a running launch is, from another thread: blocks finished, of all. */
WB_API void wb_launch_progress(const struct wb_launch *l, uint64_t *done, uint64_t *all);
/* Write the out= and inout= buffers to their files. */
WB_API enum wb_status wb_launch_write_files(struct wb_launch *l, struct wb_diag *d);

/* ---- The report ---- */

struct wb_counter { const char *name; double value; bool integer; const char *help; };
/* Names of all counters that reports can have; NULL past the end. */
WB_API const char *wb_counter_name(unsigned index);
struct wb_bill {
	uint64_t lane_slots, useful, predicated, branched_off, brk, ret, exited, absent, rejoin;
};
struct wb_branch { uint32_t pc; const char *text; uint64_t splits, lost; };

/* Why warps did not issue: reasons in the order issued, not_selected, operand, pipe, memory, barrier, lock, fetch,
 * no_warp. */
enum { WB_STALLS = 9 };
WB_API const char *wb_stall_name(unsigned index);   /* "not_selected"; NULL past the end */
WB_API const char *wb_stall_text(unsigned index);   /* in words for a person */

struct wb_pc {
	uint32_t pc; const char *text; const char *label; int line;
	uint64_t issues, threads, lost, taken, not_taken, diverged;
	double lanes_mean;
	uint64_t stalls[WB_STALLS];    /* warp cycles spent at this pc; all 0 without timing */
};
struct wb_warp_report {
	uint32_t block, warp; uint64_t issues, cycles;
	const uint64_t *stalls;        /* WB_STALLS of them; they sum to `cycles` with timing, without they are 0 */
};

struct wb_report {
	const char *result;        /* ok fault limit deadlock livelock interrupted */
	enum wb_status status;
	const char *kernel, *machine, *chip, *format;
	uint32_t grid[2], block[3], blocks, warps_per_block, mps, warp_lanes;
	unsigned ncounters;  const struct wb_counter *counters;
	struct wb_bill bill;
	unsigned nbranches;  const struct wb_branch *branches;   /* most lost slots first */
	unsigned npcs;       const struct wb_pc *pcs;            /* by address */
	unsigned nwarps;     const struct wb_warp_report *warps;
	unsigned nwaits;     const char *const *waits;           /* deadlock, livelock, fault: who waits where */
	unsigned nwarnings;  const char *const *warnings;
	/* occupancy of one MP */
	uint32_t limit_blocks, limit_warps, limit_regs, limit_smem, resident_blocks, resident_warps;
	/* warps resident on a multiprocessor, averaged over time and multiprocessors; 0 without timing */
	double warps_mean;
	uint64_t slot_cycles;      /* warp slots of all multiprocessors × cycles: what `stalls` sums to */
	uint64_t stalls[WB_STALLS];
	double path_busy;          /* share of the time in which the path to global memory carried data */
	char digest[20];           /* hash of the event stream, hex */
	unsigned threads;          /* host threads that ran it: the only one here that may differ from run to run */
	const char *single_thread_reason;  /* why it was one although --threads asked for more; NULL: it was not */
	/* "trace-driven": blocks were executed when they were placed, and timed by their traces; "precise": each
	 * instruction when it issued; "untimed". Every other number here is the same whichever it was. */
	const char *execution;
	const char *precise_reason;        /* why it was precise; NULL: it was not */
};

/* Of the finished launch, or of one that stands where it was stepped to. Owned by the launch, valid until it is freed,
 * moves or is asked again. */
WB_API const struct wb_report *wb_launch_report(struct wb_launch *l);

/* ---- Step by step ----
 *
 * A launch that has been started stands before its first instruction, or after any later one; its position is the
 * number of instructions issued so far, in the order of the machine; a fault, a limit or a hang that ends it is one
 * position more. Everything is deterministic: a position is always the same state, whichever way it was reached. */

enum wb_stop {                     /* why a launch stopped where it stands; several may hold */
	WB_STOP_COUNT = 1,         /* so many issues or cycles as were asked for */
	WB_STOP_DIVERGED = 2,      /* a branch split the warp */
	WB_STOP_REJOINED = 4,      /* paths met, or one path has reached the meeting point */
	WB_STOP_BARRIER = 8,       /* a barrier let warps go */
	WB_STOP_LOCK = 16,         /* a lock of s[] was let go */
	WB_STOP_BREAK = 32,        /* a breakpoint, or the program's own */
	WB_STOP_WATCH = 64,        /* a watched expression has another value than before */
	WB_STOP_WHEN = 128,        /* the goal's expression holds */
	/* At these a launch stops whether asked to or not: */
	WB_STOP_END = 256,         /* it is over (wb_where.result) */
	WB_STOP_START = 512,       /* backwards: no earlier position is left */
	WB_STOP_INTERRUPTED = 1024,
};

enum wb_flow {                     /* what an instruction did to the active mask */
	WB_FLOW_BRANCH = 1, WB_FLOW_TAKEN = 2, WB_FLOW_DIVERGED = 4, WB_FLOW_PUSH = 8, WB_FLOW_POP = 16,
	WB_FLOW_REJOIN = 32,       /* it only arrived at a join and switched paths */
	WB_FLOW_MERGED = 64,       /* a join let the merged mask through */
};

/* The last thing that a warp did. */
struct wb_did {
	uint64_t cycle;
	uint32_t mp, slot, block, warp, pc;
	uint64_t active, executed; /* lanes that were active; those of them that the predicate let through */
	unsigned flow;             /* enum wb_flow bits */
	bool issued;               /* false: it tried, and must wait */
};

struct wb_where {
	unsigned stops;            /* enum wb_stop bits */
	int id;                    /* of the breakpoint or watch that was hit; 0: none */
	uint64_t issue, cycle;     /* position; shader clocks of the multiprocessor that is furthest */
	bool began;                /* `last` is valid: something has happened */
	struct wb_did last;
	uint64_t ran;              /* turns that were run to come here */
	const char *result;        /* as in wb_report; "ok" while the launch is not over */
	bool over;
};

/* Where to go: zero means "not asked for". */
struct wb_goal {
	unsigned stops;            /* enum wb_stop bits to stop at */
	uint64_t issues, cycles;   /* stop after so many */
	/* With stops & WB_STOP_BREAK, breakpoints count, with WB_STOP_WATCH watches. */
	bool one_warp;             /* count only the issues of this warp, and stop only at what it did */
	uint32_t block, warp;
	/* Count only the issues and cycles of this multiprocessor, and stop only at what it did; breakpoints and
	 * watches of the others stop too. Its cycles ascend from position to position: several take turns, each
	 * through some hundred cycles, as they need not know of each other within them. */
	bool one_mp;
	uint32_t mp;
	const char *when;          /* stop where this expression holds (docs/reference/expressions.md) */
};

/* One issue, as it has just happened. */
struct wb_issue {
	uint64_t issue;            /* position after it */
	const struct wb_did *did;
	/* lanes of the warp that broke, returned, exited or never were; ~0: its block has ended */
	uint64_t gone;
	uint32_t depth;            /* entries on its stack */
};
/* Have every issue told while l moves, on the way back those too that are run again; before the start. `each` may
 * not touch l. */
WB_API void wb_launch_listen(struct wb_launch *l, void (*each)(void *context, const struct wb_issue *i), void *context);

/* How much memory the way back may take, beside two copies of the machine's state; before the start. Default 48 MiB,
 * and at least what three more copies take. As far back as it reaches a move runs at most 1,024 issues further than it
 * must, n times that on a machine with 32 (n - 1) to 32 n MiB of state; to what lies before that it runs from the
 * beginning. */
WB_API enum wb_status wb_launch_record_bytes(struct wb_launch *l, size_t bytes, struct wb_diag *d);
/* Prepare l if it is not yet and stand before its first instruction. Called by the functions below when need be. */
WB_API enum wb_status wb_launch_start(struct wb_launch *l, struct wb_diag *d);
/* Move until the goal is met; at most to the end. Always moves by one issue at least, unless there is none. Guest
 * faults and hangs are no errors here: they end the launch, and *at says so. */
WB_API enum wb_status wb_launch_forward(struct wb_launch *l, const struct wb_goal *g, struct wb_where *at,
					struct wb_diag *d);
WB_API enum wb_status wb_launch_back(struct wb_launch *l, const struct wb_goal *g, struct wb_where *at,
				     struct wb_diag *d);
/* Go to a position, or to the first one whose cycle is not less, forwards or backwards; breakpoints do not matter. */
WB_API enum wb_status wb_launch_goto(struct wb_launch *l, uint64_t issue, struct wb_where *at, struct wb_diag *d);
WB_API enum wb_status wb_launch_goto_cycle(struct wb_launch *l, uint64_t cycle, struct wb_where *at, struct wb_diag *d);
WB_API void wb_launch_where(const struct wb_launch *l, struct wb_where *at);
/* Shader clocks of one multiprocessor where a started launch stands; 0: there is none of that number. */
WB_API uint64_t wb_launch_cycle(const struct wb_launch *l, uint32_t mp);
/* A hash of everything that the machine is in: equal at equal positions. */
WB_API uint64_t wb_launch_state_hash(const struct wb_launch *l);

/* Breakpoints and watches, for goals with WB_STOP_BREAK and WB_STOP_WATCH. Texts: "PLACE", "PLACE if EXPRESSION" or
 * "if EXPRESSION" with a label or a pc as the place, where a warp stops before it executes the place's instruction; a
 * watch is an EXPRESSION. Without bN. and wN. an expression is about the warp that acted last, and in a watch about
 * warp `warp` of block `block`. */
struct wb_break { int id; enum wb_stop kind; const char *text; uint64_t hits; };
WB_API enum wb_status wb_launch_break(struct wb_launch *l, enum wb_stop kind, const char *text, uint32_t block,
				      uint32_t warp, int *id, struct wb_diag *d);
WB_API bool wb_launch_unbreak(struct wb_launch *l, int id);
/* The index-th breakpoint or watch; false: there are no more. */
WB_API bool wb_launch_breaks(const struct wb_launch *l, unsigned index, struct wb_break *out);
/* The value of an expression for a warp; WB_USAGE: it is none, or names what is not there. */
WB_API enum wb_status wb_launch_value(const struct wb_launch *l, const char *expression, uint32_t block, uint32_t warp,
				      uint64_t *value, struct wb_diag *d);

/* ---- Reading a machine that stands still ---- */

enum wb_wait { WB_WAIT_NONE, WB_WAIT_BARRIER, WB_WAIT_LOCK, WB_WAIT_DONE, WB_WAIT_FAULT };

struct wb_machine {
	uint32_t mps, slots, lanes, warps_per_block, registers, shared_bytes;
	uint32_t issue_cycles;     /* that an issue takes: between its issues a warp waits for the rest */
};
WB_API void wb_launch_machine(const struct wb_launch *l, struct wb_machine *out);

struct wb_warp {
	uint32_t mp, slot, block, warp;
	uint32_t pc;               /* of its next instruction */
	/* Lanes: `launched` exist, `active` execute; the rest of `launched` is branched off, broke, returned or
	 * exited. */
	uint64_t launched, active, off, broke, returned, exited;
	enum wb_wait waits;
	uint32_t waits_for;        /* number of the barrier, or address of the lock's word if it holds one */
	/* why it does not issue now, in the words of wb_stall_name; NULL: ended, or no timing */
	const char *why;
	unsigned depth;            /* entries on its stack */
	uint64_t issues;
	bool latest;               /* it issued last on its multiprocessor */
	bool acted;                /* `did` is valid */
	struct wb_did did;
};

/* The warp in a slot of a multiprocessor; false: the slot is empty. Warps that are done stay until their block ends. */
WB_API bool wb_launch_warp(const struct wb_launch *l, uint32_t mp, uint32_t slot, struct wb_warp *out);
/* The same for a warp of a block; false: it is not resident. */
WB_API bool wb_launch_find_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, struct wb_warp *out);

struct wb_stack { const char *name; uint32_t pc; uint64_t mask; };   /* "branch", "joinat", … */
/* Entry `level` of a warp's stack, 0 = top. */
WB_API bool wb_launch_stack(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned level,
			    struct wb_stack *out);
/* A register by its name ("$r3", "$c0", "$a1"; of a shader "r2.y", "cmp.x", "aL") in every lane; false: the warp has
 * none of that name. */
WB_API bool wb_launch_register(const struct wb_launch *l, uint32_t mp, uint32_t slot, const char *name,
			       uint32_t value[64]);

enum { WB_BARRIERS = 16 };
/* expected 0: nobody has arrived yet; warps that wait */
struct wb_barrier { uint32_t arrived, expected; uint64_t waiting; };
WB_API bool wb_launch_barrier(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned n,
			      struct wb_barrier *out);

struct wb_lock { uint32_t addr; uint32_t owner; uint64_t waiters; };   /* warps of the block */
/* The index-th lock held in the block of a slot's warp; false: there are no more. */
WB_API bool wb_launch_lock(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index, struct wb_lock *out);
/* The shared memory of the block that a slot's warp belongs to; NULL: the slot is empty. Valid until the launch
 * moves. */
WB_API const uint8_t *wb_launch_shared(const struct wb_launch *l, uint32_t mp, uint32_t slot, uint32_t *bytes);

/* What an instruction asked of one memory. */
enum { WB_HALVES = 4 };
struct wb_access {
	char space[8];             /* "s", "l", "c0" … "c15", "g0" … "g15" */
	bool loads, stores;        /* both: an atomic */
	uint32_t width;            /* bytes a lane */
	uint64_t lanes;            /* that accessed it */
	uint32_t addr[64];         /* byte address of each of these; 0 for others */
	/* Of each half-warp of 16 lanes, by the machine's rules: passes through the banks of s[] or over the words of
	 * c[], with what is broadcast; transactions of g[] and their bytes. 0 where there is nothing. */
	uint32_t passes[WB_HALVES], transactions[WB_HALVES], bytes[WB_HALVES];
};
/* The index-th access of the last instruction issued, one of two at most; false: there are no more, or nobody asked for
 * them (timing and stats-level are off). */
WB_API bool wb_launch_access(const struct wb_launch *l, unsigned index, struct wb_access *out);

struct wb_code {
	uint32_t pc, length;       /* bytes */
	char text[256];
	const char *label;         /* of this pc, or NULL */
	int line;                  /* of the source, 1-based; 0: unknown */
};
/* The instruction at a pc; false: outside the program. */
WB_API bool wb_launch_code(const struct wb_launch *l, uint32_t pc, struct wb_code *out);
/* The pc of a label, or false. */
WB_API bool wb_launch_label(const struct wb_launch *l, const char *name, uint32_t *pc);
WB_API uint32_t wb_launch_code_bytes(const struct wb_launch *l);
/* The source text of an assembly file; NULL: there is none. */
WB_API const char *wb_launch_source(const struct wb_launch *l);

/* ---- Events: recording a run ---- */

enum wb_event_kind {               /* the list is core/event.def */
	WB_EVENT_ISSUE, WB_EVENT_BLOCK_START, WB_EVENT_BLOCK_END, WB_EVENT_WARP_END, WB_EVENT_BARRIER_WAIT,
	WB_EVENT_BARRIER_RELEASE,
	WB_EVENT_LOCK_WAIT, WB_EVENT_LOCK_TAKE, WB_EVENT_LOCK_RELEASE, WB_EVENT_FAULT, WB_EVENT_KINDS
};

struct wb_event {
	enum wb_event_kind kind;
	uint64_t cycle, mp, slot, block, warp, pc, active, executed, depth;
	uint64_t flow;             /* enum wb_flow bits */
	/* cycles before an issue in which the warp did not issue, and mostly why (wb_reason) */
	uint64_t waited, reason;
	uint64_t barrier, addr, warps, fault;
};

/* A stretch of recorded events, as bytes that can be read by themselves. */
struct wb_chunk {
	const void *bytes;
	size_t size;
	uint64_t events, first_cycle, last_cycle;
};

/* Record the events of l, which has not run yet, in a ring of so many bytes (0: 12 MiB). Every full chunk is also given
 * to `sink`, if there is one, and the last one when wb_launch_run is over. A chunk whose bytes are NULL voids all chunks
 * before it: the launch begins again, precisely, as its traces turned out not to tell. */
WB_API enum wb_status wb_launch_record(struct wb_launch *l, size_t bytes,
				       void (*sink)(void *context, const struct wb_chunk *c), void *context,
				       struct wb_diag *d);
/* exact, whatever the ring still holds */
struct wb_record { uint64_t events, dropped, chunks, by_kind[WB_EVENT_KINDS]; };
WB_API void wb_launch_recorded(const struct wb_launch *l, struct wb_record *out);
/* The index-th chunk that the ring holds, oldest first; false: there are no more. Events go by cycle, then by
 * multiprocessor; with several of these the latest few hundred cycles follow when they are over. */
WB_API bool wb_launch_chunk(const struct wb_launch *l, uint64_t index, struct wb_chunk *out);

/* Read the events of a chunk one by one. NULL: the host has no memory. */
struct wb_events;
WB_API struct wb_events *wb_events_open(const void *bytes, size_t size);
/* False: the end, or bytes that are no event (*bad, which may be NULL, tells). */
WB_API bool wb_events_next(struct wb_events *r, struct wb_event *e, bool *bad);
WB_API void wb_events_close(struct wb_events *r);

WB_API const char *wb_event_name(enum wb_event_kind k);
/* The name of a waiting reason by its number, or NULL. */
WB_API const char *wb_reason(unsigned reason);
/* The index-th field that events can have, in the order of the JSON object, and its value in e as text, "" where this
 * kind has none; e may be NULL. Returns the name; NULL: there are no more. */
WB_API const char *wb_event_field(const struct wb_event *e, unsigned index, char *text, size_t size);
/* One event as a line of text, or as a JSON object; returns the length of all of it, like snprintf. */
WB_API size_t wb_event_text(const struct wb_event *e, bool json, char *text, size_t size);

/* ---- Looking inside, for vectors, debuggers and tests ---- */

/* Register state of one warp of a launch that has been prepared or stopped: file "r", "c", "a". */
WB_API enum wb_status wb_launch_get_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file,
					unsigned reg, unsigned lane, uint32_t *value, struct wb_diag *d);
WB_API enum wb_status wb_launch_set_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file,
					unsigned reg, unsigned lane, uint32_t value, struct wb_diag *d);

/* ---- Occupancy ---- */

struct wb_occupancy {
	uint32_t warps_per_block, blocks, warps;
	double percent;
	uint32_t limit_blocks, limit_warps, limit_regs, limit_smem;
	const char *limiters[5];   /* NULL-terminated */
};
WB_API enum wb_status wb_occupancy(const char *chip, uint32_t threads, uint32_t regs, uint32_t smem, const char *rules,
				   struct wb_occupancy *out, struct wb_diag *d);

/* What a chip allows: lanes of a warp, threads of a block, registers of a thread, bytes of s[] of a multiprocessor, and
 * the unit in which a block gets them. */
struct wb_chip { uint32_t warp_lanes, max_threads, max_registers, shared_bytes, shared_unit; };
/* WB_USAGE: there is no chip of that name. */
WB_API enum wb_status wb_chip(const char *name, struct wb_chip *out, struct wb_diag *d);

/* ---- The timing model's numbers ---- */

struct wb_timing_info { const char *key, *unit, *label, *source; uint32_t value; };
/* Number `index` of a chip, how it is known and where it is from; WB_USAGE past the end or for an unknown chip. */
WB_API enum wb_status wb_timing(const char *chip, unsigned index, struct wb_timing_info *out);

#ifdef __cplusplus
}
#endif

#endif
