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

/* ---- Programs ---- */

struct wb_program;

/* Load a file, or n bytes of memory (copied), in any known format: cubin (text, ELF, inside an executable or archive),
 * assembly, raw or hex words. Options "format", "chip", "mode", "regs", "smem", "lmem", "entry" of c are used; c may be NULL. */
WB_API enum wb_status wb_program_open(const char *path, const struct wb_config *c, struct wb_program **out, struct wb_diag *d);
WB_API enum wb_status wb_program_load(const void *bytes, size_t n, const char *name, const struct wb_config *c,
				      struct wb_program **out, struct wb_diag *d);
WB_API void wb_program_free(struct wb_program *p);

struct wb_param { const char *name, *type; uint32_t offset, size; };

struct wb_kernel {
	const char *name;
	const char *machine, *chip, *mode;
	uint32_t code_bytes, registers, shared_bytes, local_bytes, param_bytes, barriers;
	uint32_t nparams;
	const struct wb_param *params;
	const char *grid, *block;        /* launch defaults of an assembly file, or NULL */
	const char *const *args;         /* likewise, NULL-terminated */
	const char *const *expectations; /* texts after "// expect:", NULL-terminated */
};

WB_API const char *wb_program_format(const struct wb_program *p);   /* "cubin-text", "cubin-elf", "asm", "raw", "hex" */
WB_API unsigned wb_program_kernels(const struct wb_program *p);
WB_API const struct wb_kernel *wb_program_kernel(const struct wb_program *p, unsigned index);

/* ---- Text: disassemble and assemble ---- */

struct wb_text { char *data; size_t size; };   /* freed with wb_text_free */
WB_API void wb_text_free(struct wb_text *t);

enum wb_list_flags { WB_LIST_BARE = 1, WB_LIST_UNDOC = 2, WB_LIST_CFG = 4 };

/* The listing of every kernel of p, for the chip and program type of c, or of the file where c (may be NULL) says none.
 * WB_LIST_BARE: texts alone; WB_LIST_UNDOC: also of what the public disassembler does not know; WB_LIST_CFG: blocks and
 * jumps as a graph in graphviz's language. */
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
/* One line of text to its words (at most 4). */
WB_API enum wb_status wb_asm_line(const struct wb_config *c, const char *text, uint32_t words[4], unsigned *n, struct wb_diag *d);
/* A whole assembly text to a file image: format "raw" or "hex" or "cubin". */
WB_API enum wb_status wb_assemble(const struct wb_config *c, const char *text, size_t n, const char *name, const char *format,
				  struct wb_text *out, struct wb_diag *d);
/* The reference of an instruction set, printed from its table: isa is a machine's name (wb_kernel.machine), format "text",
 * "md" or "json". */
WB_API enum wb_status wb_isa_reference(const char *isa, const char *format, struct wb_text *out, struct wb_diag *d);

/* ---- A launch ---- */

struct wb_launch;

/* Prepare kernel `kernel` (NULL: the only one) of p for a run under c: arguments, memory, blocks. */
WB_API enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
				    struct wb_launch **out, struct wb_diag *d);
WB_API void wb_launch_free(struct wb_launch *l);

/* Arguments in order, as the words of `-a` ("u32=5", "zero=1024", "in=FILE", "pad=4"), and gN[] bindings, constants by config. */
WB_API enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *d);
/* Copy to or from buffer argument `index` (counting every argument from 0), or a global space. */
WB_API enum wb_status wb_launch_read_arg(struct wb_launch *l, unsigned index, size_t offset, void *out, size_t n, struct wb_diag *d);
WB_API enum wb_status wb_launch_write_arg(struct wb_launch *l, unsigned index, size_t offset, const void *in, size_t n, struct wb_diag *d);
WB_API size_t wb_launch_arg_bytes(const struct wb_launch *l, unsigned index);
/* Memory of the finished or stopped launch: space "g", "s" or "l" (the last block, thread 0 for l) or "c0"…"c15" or "g0"…"g15". */
WB_API enum wb_status wb_launch_read(struct wb_launch *l, const char *space, uint32_t addr, void *out, size_t n, struct wb_diag *d);
WB_API enum wb_status wb_launch_write(struct wb_launch *l, const char *space, uint32_t addr, const void *in, size_t n, struct wb_diag *d);

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
struct wb_bill {
	uint64_t lane_slots, useful, predicated, branched_off, brk, ret, exited, absent, rejoin;
};
struct wb_branch { uint32_t pc; const char *text; uint64_t splits, lost; };
struct wb_pc {
	uint32_t pc; const char *text; const char *label; int line;
	uint64_t issues, threads, lost, taken, not_taken, diverged;
	double lanes_mean;
};
struct wb_warp_report { uint32_t block, warp; uint64_t issues, threads, cycles; const char *status; uint32_t pc; };

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
	uint32_t limit_blocks, limit_warps, limit_regs, limit_smem, resident_blocks, resident_warps;   /* occupancy of one MP */
	char digest[20];           /* hash of the event stream, hex */
};

/* Owned by the launch, valid until it is freed or run again. */
WB_API const struct wb_report *wb_launch_report(struct wb_launch *l);

/* ---- Looking inside, for vectors, debuggers and tests ---- */

/* Register state of one warp of a launch that has been prepared or stopped: file "r", "c", "a". */
WB_API enum wb_status wb_launch_get_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file, unsigned reg,
					unsigned lane, uint32_t *value, struct wb_diag *d);
WB_API enum wb_status wb_launch_set_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file, unsigned reg,
					unsigned lane, uint32_t value, struct wb_diag *d);

/* ---- Occupancy ---- */

struct wb_occupancy {
	uint32_t warps_per_block, blocks, warps;
	double percent;
	uint32_t limit_blocks, limit_warps, limit_regs, limit_smem;
	const char *limiters[5];   /* NULL-terminated */
};
WB_API enum wb_status wb_occupancy(const char *chip, uint32_t threads, uint32_t regs, uint32_t smem, const char *rules,
				   struct wb_occupancy *out, struct wb_diag *d);

#ifdef __cplusplus
}
#endif

#endif
