/* Warpbeam: an emulator of GPU multiprocessors that run warps. This is the public C API; the command line, the window,
 * the benches and other programs use this header and nothing else.
 *
 * CONTENTS
 *
 *   1 Basics          statuses, diagnostics, the version, the ABI
 *   2 Configuration   every option of a run, by its name on the command line
 *   3 Programs        load a file or bytes; which kernels they contain
 *   4 Text            disassemble, assemble, list, lint; the reference of an instruction set
 *   5 Launches        a kernel with arguments, memory and vertices; run it
 *   6 The report      counters, the bill of lane slots, stalls, by branch, by pc, by warp
 *   7 Stepping        forwards and backwards by issues and cycles; breakpoints, watches, expressions
 *   8 Looking         warps, stacks, registers, barriers, locks, shared memory, code of a launch that stands still
 *   9 Events          record what happens in a run, and read such records
 *  10 Chips           occupancy, and the numbers of the timing model
 *
 * EXAMPLE: load a file, run its only kernel, print all counters
 *
 *     struct wb_program *program = NULL;
 *     struct wb_launch *launch = NULL;
 *     struct wb_diag d;
 *     if (wb_program_open(path, NULL, &program, &d) != WB_OK ||
 *         wb_launch_new(program, NULL, NULL, &launch, &d) != WB_OK || wb_launch_run(launch, &d) != WB_OK)
 *             fprintf(stderr, "%s\n", d.text);
 *     const struct wb_report *r = launch ? wb_launch_report(launch) : NULL;
 *     for (unsigned i = 0; r && i < r->ncounters; i++)
 *             printf("%s %g\n", r->counters[i].name, r->counters[i].value);
 *     wb_launch_free(launch);
 *     wb_program_free(program);
 *
 * RULES that hold wherever a comment does not say otherwise
 *
 * Errors. A function that can fail returns a status, which is also the exit code that the command line gives for it,
 * and fills the wb_diag if one is passed. No function prints or exits.
 *
 * Ownership. Handles (wb_config, wb_program, wb_launch, wb_output, wb_events) are opaque and belong to the caller until
 * the matching _free or _close. Every pointer that a function returns or puts into a struct belongs to the library: it
 * is valid until the handle that it was asked of is freed, and if it was asked of none, as long as the library is
 * loaded. What a function is given (texts, bytes, configurations) it copies; the caller may change or free it when the
 * function has returned. Borrowed are a program by its launches and listings, the files of wb_config_files by all that
 * uses the configuration, and the bytes of wb_events_open by the reader: they must outlive these.
 *
 * NULL. Every _free and _close takes NULL and does nothing. A struct wb_diag * may be NULL: the status is all there is.
 * A const struct wb_config * may be NULL: every option has its default. Any other pointer must not be NULL unless the
 * function's comment says what NULL means. A member of a struct is NULL only where its comment says what that means, or
 * where it points to an array of none; a text that is absent is "".
 *
 * Failure. A function that fails sets *out of a handle to NULL and leaves nothing to free in a wb_text or wb_listing.
 * What else a function that failed or returned false may have written is not to be read.
 *
 * Threads. The library keeps no state outside its handles; different handles may be used from different threads. A
 * handle is used by one thread at a time, but for wb_launch_interrupt and wb_launch_progress, and for programs, which
 * any number of launches may share. A callback may not call functions on the handle that calls it.
 *
 * Units. Addresses and pcs are in bytes; a pc counts from the start of its kernel. Cycles are shader clocks. Lane masks
 * have bit n for lane n, warp masks bit n for warp n of the block. A lane slot is one lane for one issue of its warp.
 *
 * GROWTH of the ABI. WB_ABI_VERSION is the number in the library's soname. Within one number:
 *   - functions, structs and enumerators are added, never removed or changed; an enumerator keeps its value;
 *   - a struct marked "grows" is made by the library alone and read through a pointer: members are added at its end.
 *     Do not copy or embed it, and do not step from one to the next by pointer arithmetic;
 *   - every other struct stays as it is, and so do the constants that size an array (WB_LANES, WB_STALLS, …).
 * Anything else raises the number. A program that was linked cannot meet a library of another number; one that loads
 * the library itself compares wb_abi() with WB_ABI_VERSION first. tests/abi/abi.sh enforces this; docs/reference/abi.md
 * explains it. */
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

/* ==== 1 Basics ==================================================================================================== */

#define WB_VERSION_MAJOR 0
#define WB_VERSION_MINOR 3
#define WB_VERSION_PATCH 0
#define WB_ABI_VERSION 2

/* The version of the library in use: "0.3.0". */
WB_API const char *wb_version(void);
/* The WB_ABI_VERSION that the library in use was built with. */
WB_API unsigned wb_abi(void);

enum wb_status {
	WB_OK = 0,
	WB_FAILED = 1,          /* a check or a comparison failed */
	WB_USAGE = 2,           /* a bad option or argument */
	WB_ENV = 3,             /* the host: cannot open, cannot write, no memory */
	WB_INPUT = 4,           /* a bad file or text */
	WB_FAULT = 5,           /* the guest program faulted; the state is intact and the report complete */
	WB_LIMIT = 6,           /* a limit that the caller set was reached */
	WB_HANG = 7,            /* deadlock or livelock */
	WB_INTERNAL = 70,       /* a bug of this library */
	WB_INTERRUPTED = 130    /* wb_launch_interrupt was called */
};

/* What went wrong, where, what was found and what was expected; to be read only after a function has failed. */
struct wb_diag {
	enum wb_status status;  /* what the function returned */
	char file[192];         /* "" if there is none */
	int line;               /* 1-based; 0 if it does not apply */
	int column;             /* 1-based, in bytes; 0 if it does not apply */
	int64_t offset;         /* byte offset in a binary; -1 if it does not apply */
	char text[400];         /* one line, without a line end */
};

/* Room for the lanes of a warp of any machine; wb_machine.lanes says how many a machine has. */
enum { WB_LANES = 64 };

/* "4096", "0x1000", "4K", "4KB" or "4KiB", M and G likewise: bytes, in units of 1024. False: it is none of these.
 * Options and arguments that take a number of bytes take this. */
WB_API bool wb_size(const char *text, uint64_t *bytes);
/* SIMD levels that this build has and this host can run: "base", "avx2", "avx512", best last; NULL past the end. */
WB_API const char *wb_simd_level(unsigned index);

/* ==== 2 Configuration ============================================================================================= */

/* Every option of a run, by the names of the command line ("chip", "diverge", "lock", …). */
struct wb_config;

enum wb_option_kind {
	WB_OPT_SWITCH,          /* "on" or "off" */
	WB_OPT_NUMBER,          /* decimal or 0x…; bytes, if the argument's name is BYTES, as wb_size reads them */
	WB_OPT_CHOICE,          /* one of the words of the argument */
	WB_OPT_TEXT
};

struct wb_option_info {                 /* grows */
	const char *name;       /* "diverge" */
	const char *argument;   /* "taken|fall|larger|random"; "" for a switch */
	const char *fallback;   /* default, as text; "" if the file or the machine decides */
	const char *group;      /* heading in the help */
	const char *help;       /* one line */
	enum wb_option_kind kind;
	bool repeats;           /* may be given again and adds */
};

/* The table of run options, in the order of the help; NULL past the end. */
WB_API const struct wb_option_info *wb_option(unsigned index);

/* All defaults. NULL: the host has no memory. */
WB_API struct wb_config *wb_config_new(void);
/* A copy of c, which may not be NULL. NULL: the host has no memory. */
WB_API struct wb_config *wb_config_copy(const struct wb_config *c);
WB_API void wb_config_free(struct wb_config *c);
/* Set one option from text; a switch takes "on" or "off". Options that accumulate (global, const) add. WB_USAGE names
 * what was found, what is accepted, and the nearest option name. */
WB_API enum wb_status wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *d);
/* The value now in force, as text; valid until the next call on c. NULL: no such option. */
WB_API const char *wb_config_get(struct wb_config *c, const char *name);
/* Whether it was set, be it to what is the default anyway. c may not be NULL. */
WB_API bool wb_config_given(const struct wb_config *c, const char *name);

/* A file by the name that a program, an option or an argument uses for it. */
struct wb_file {
	const char *name;
	const void *bytes;      /* NULL only if size is 0 */
	size_t size;            /* bytes */
};

/* Read these files where c, its copies, and what is loaded and launched with them name some: no file of the host is
 * then read, and none is written. Borrowed, array, names and bytes: they outlive all of these. files NULL: those of the
 * host. */
WB_API void wb_config_files(struct wb_config *c, const struct wb_file *files, size_t n);

/* ==== 3 Programs ================================================================================================== */

struct wb_program;

/* Load a file, or n bytes of memory, in any known format: cubin (text, ELF, inside an executable or archive), SHBIN,
 * assembly, raw or hex words. Options "format", "chip", "mode", "regs", "smem", "lmem", "entry" of c are used. `name`
 * is what diagnostics call the bytes, and its ending may say which machine they are for. The program must outlive its
 * launches. */
WB_API enum wb_status wb_program_open(const char *path, const struct wb_config *c, struct wb_program **out,
				      struct wb_diag *d);
WB_API enum wb_status wb_program_load(const void *bytes, size_t n, const char *name, const struct wb_config *c,
				      struct wb_program **out, struct wb_diag *d);
WB_API void wb_program_free(struct wb_program *p);

/* A parameter that a file declares. */
struct wb_param {
	const char *name;
	const char *type;       /* as the file has it; "" if it does not say */
	uint32_t offset;        /* bytes from the first parameter */
	uint32_t size;          /* bytes */
};

/* A name of a shader: "uniform" "projection" "c0-c3", "constant" "" "c95" "0, 1, -1, 0.5". "" for what a file does not
 * say. */
struct wb_name {
	const char *kind;       /* "entry", "input", "uniform", "constant" or "output" */
	const char *name;
	const char *registers;  /* "c0-c3" */
	const char *value;      /* of a constant */
};

struct wb_kernel {                      /* grows */
	const char *name;
	const char *machine;    /* the instruction set, as wb_isa_reference takes it */
	const char *chip;       /* NULL: the file does not say */
	const char *mode;       /* program type, "cp"; NULL: the file does not say */
	uint32_t code_bytes;
	uint32_t registers;     /* of a thread */
	uint32_t shared_bytes;  /* of a block, without dynamic ones */
	uint32_t local_bytes;   /* of a thread */
	uint32_t param_bytes;
	uint32_t barriers;      /* of a block */
	uint32_t nparams;
	const struct wb_param *params;   /* nparams of them; NULL if there are none */
	const char *grid;       /* launch default of an assembly file, "4,2"; NULL: it has none */
	const char *block;      /* likewise */
	const char *const *args;         /* likewise, as wb_launch_arg takes them, NULL-terminated; NULL: none */
	const char *const *expectations; /* texts after "// expect:", NULL-terminated; NULL: none */
	uint32_t nnames;
	const struct wb_name *names;     /* nnames of them, of a shader: entry, inputs, uniforms, constants, outputs */
	uint32_t warp_registers;         /* of a warp, one for all its lanes */
	uint32_t mps;           /* launch default of an assembly file: multiprocessors; 0: it has none */
	const char *const *scene;        /* likewise: lines of a JSON document, NULL-terminated; NULL: none */
};

/* The index-th file that it was loaded from: itself, then what it includes. False: past the end. */
WB_API bool wb_program_file(const struct wb_program *p, unsigned index, struct wb_file *out);
/* "cubin-text", "cubin-elf", "shbin", "asm", "raw" or "hex" */
WB_API const char *wb_program_format(const struct wb_program *p);
/* How many kernels it has, and the index-th; NULL past the end. */
WB_API unsigned wb_program_kernels(const struct wb_program *p);
WB_API const struct wb_kernel *wb_program_kernel(const struct wb_program *p, unsigned index);
/* What is probably a mistake in a text that was assembled, with its place; false past the last. */
WB_API bool wb_program_warning(const struct wb_program *p, unsigned index, struct wb_diag *out);

/* ==== 4 Text: disassemble and assemble ============================================================================ */

/* A text or file image that belongs to the caller: freed with wb_text_free. */
struct wb_text {
	char *data;             /* a text is NUL-terminated; NULL if there is none */
	size_t size;            /* bytes, the NUL not counted */
};
/* Free what t points to and make it empty; t itself is the caller's. */
WB_API void wb_text_free(struct wb_text *t);

/* The one of names, ended by NULL, that was probably meant by a word that is none of them: at most a letter in three
 * differs, and two. NULL: none is near. */
WB_API const char *wb_nearest(const char *word, const char *const *names);

enum wb_list_flags {
	WB_LIST_BARE = 1,       /* texts alone */
	WB_LIST_UNDOC = 2,      /* also what the public disassembler does not know */
	WB_LIST_CFG = 4,        /* the control-flow graph instead */
	WB_LIST_SOURCE = 8      /* a text that can be assembled */
};

/* The listing of every kernel of p, for the chip and program type of c, or of the file where c says none.
 * WB_LIST_SOURCE: a text that is assembled to the same words and what else the file says; WB_USAGE for a machine whose
 * language is its own, and for programs of several chips or types.
 * WB_LIST_CFG: the control-flow graph of each in the language of Graphviz: an edge labelled "branch" or "call", or
 * dashed to where lanes that part will meet; others fall through. Code that no path reaches is left out. WB_USAGE for a
 * machine whose control flow is not known so. */
WB_API enum wb_status wb_disassemble(const struct wb_program *p, const struct wb_config *c, unsigned flags,
				     struct wb_text *out, struct wb_diag *d);

struct wb_instruction {
	uint32_t pc;            /* byte address in the kernel */
	uint32_t words[2];
	unsigned nwords;
	const char *text;       /* "???" if it is none */
	const char *label;      /* that stands here; NULL: none does. The program's */
	int line;               /* of the source, 1-based; 0 if there is none */
};

/* A listing that belongs to the caller: freed with wb_listing_free. */
struct wb_listing {
	unsigned n;
	struct wb_instruction *instructions;   /* n of them, by pc */
	char *texts;            /* where their texts are */
};

/* The instructions of one kernel, for programs. Flags: WB_LIST_UNDOC. Its labels are p's, which must outlive it. */
WB_API enum wb_status wb_program_listing(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
					 unsigned flags, struct wb_listing *out, struct wb_diag *d);
/* Free what l points to and make it empty; l itself is the caller's. */
WB_API void wb_listing_free(struct wb_listing *l);
/* One instruction of n words (1 or 2) to its text, of at most `size` bytes with its NUL. WB_INPUT if they are no
 * instruction (the text then begins with ???). */
WB_API enum wb_status wb_dis_words(const struct wb_config *c, const uint32_t *words, unsigned n, unsigned flags,
				   char *text, size_t size);
/* What a kernel does that runs here and goes wrong on the hardware: a line for each finding, "pc 0x10: …"; no text if
 * there is none, or nothing is known of its machine. */
WB_API enum wb_status wb_program_lint(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
				      struct wb_text *out, struct wb_diag *d);
/* One line of text to its words (*n of them, at most 4). */
WB_API enum wb_status wb_asm_line(const struct wb_config *c, const char *text, uint32_t words[4], unsigned *n,
				  struct wb_diag *d);
/* A whole assembly text of n bytes to a file image: format "raw", "hex", "cubin" or "shbin". `name` is what diagnostics
 * call the text. */
WB_API enum wb_status wb_assemble(const struct wb_config *c, const char *text, size_t n, const char *name,
				  const char *format, struct wb_text *out, struct wb_diag *d);
/* The reference of an instruction set, printed from its table: isa is a machine's name (wb_kernel.machine), format
 * "text", "md" or "json". */
WB_API enum wb_status wb_isa_reference(const char *isa, const char *format, struct wb_text *out, struct wb_diag *d);

/* ==== 5 Launches ================================================================================================== */

struct wb_launch;

/* Prepare kernel `kernel` (NULL: the one that c names, else the only one) of p for a run under c: arguments, memory,
 * blocks. p must outlive the launch. A launch runs once. */
WB_API enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
				    struct wb_launch **out, struct wb_diag *d);
WB_API void wb_launch_free(struct wb_launch *l);

/* Add the next argument, as the words of `-a` ("u32=5", "zero=1024", "in=FILE", "pad=4"); before the launch is
 * prepared. A launch that is given none has those of wb_kernel.args. gN[] bindings and constants come by the
 * configuration. */
WB_API enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *d);
/* The index-th file that its options and arguments have read. False: past the end. */
WB_API bool wb_launch_file(const struct wb_launch *l, unsigned index, struct wb_file *out);
/* Copy n bytes from or to buffer argument `index` (counting every argument from 0). WB_USAGE: it is no buffer, or does
 * not reach so far. */
WB_API enum wb_status wb_launch_read_arg(struct wb_launch *l, unsigned index, size_t offset, void *out, size_t n,
					 struct wb_diag *d);
WB_API enum wb_status wb_launch_write_arg(struct wb_launch *l, unsigned index, size_t offset, const void *in, size_t n,
					  struct wb_diag *d);
/* Bytes of a buffer argument; 0: it is none. */
WB_API size_t wb_launch_arg_bytes(const struct wb_launch *l, unsigned index);
/* Copy n bytes from or to memory of the prepared, stopped or finished launch: space "g", "s" or "l" (the last block,
 * thread 0 for l), "c0" … "c15", "g0" … "g15". A launch that is stepped (section 7) may not be written: going back has
 * to lead to where it was. */
WB_API enum wb_status wb_launch_read(struct wb_launch *l, const char *space, uint64_t addr, void *out, size_t n,
				     struct wb_diag *d);
WB_API enum wb_status wb_launch_write(struct wb_launch *l, const char *space, uint64_t addr, const void *in, size_t n,
				      struct wb_diag *d);
/* Have register `reg` of `file` ("r", "c", "a") hold `value` in one lane when the warp starts, whatever the machine
 * would put there. A register or lane that the warp does not have is passed over. WB_USAGE: the launch is prepared
 * already. */
WB_API enum wb_status wb_launch_set_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file,
					unsigned reg, unsigned lane, uint32_t value, struct wb_diag *d);

/* Set up memory, multiprocessors and the first blocks, once all arguments are there: whatever can be refused is refused
 * here at the latest. Called by the functions that run, when need be. */
WB_API enum wb_status wb_launch_prepare(struct wb_launch *l, struct wb_diag *d);

/* Vertices, for machines whose threads have inputs and outputs of their own: n of them, wb_launch_in_words() words
 * each. The launch gets as many threads; before the launch is prepared. 0 words: this program has no such inputs. */
WB_API unsigned wb_launch_in_words(const struct wb_launch *l);
WB_API unsigned wb_launch_out_words(const struct wb_launch *l);
WB_API enum wb_status wb_launch_vertices(struct wb_launch *l, const uint32_t *words, uint32_t n, struct wb_diag *d);
/* Add one vertex as a text: numbers set apart by commas, four for each input register, or registers by number or by
 * the file's name of it, "v0=1,2,3 normal=0,0,1"; what is missing of a register is 0, 0, 0, 1. Where a thread takes a
 * primitive of several vertices, their attributes follow each other; if their number may vary, it comes first. */
WB_API enum wb_status wb_launch_vertex(struct wb_launch *l, const char *text, struct wb_diag *d);
/* The outputs of vertex `index` after the run, wb_launch_out_words() of them; NULL past the end. */
WB_API const uint32_t *wb_launch_output(const struct wb_launch *l, uint32_t index);
/* Which of the output registers the file declares: bit n = register n of four words. */
WB_API uint32_t wb_launch_output_mask(const struct wb_launch *l);

/* What a geometry program emits, in the order of its threads. */
struct wb_primitive {                   /* grows */
	uint32_t thread;
	bool winding;           /* what setemit said of the order of its vertices */
	const uint32_t *vertices;       /* three of wb_launch_out_words() words each */
};
/* Valid until l moves. NULL: past the end, or the host has no memory. */
WB_API const struct wb_primitive *wb_launch_primitive(struct wb_launch *l, size_t index);

/* A scene (docs/reference/scenes.md), n bytes of JSON: the vertices, primitives or fragments that the threads of a
 * graphics program are, and what they read; before the launch is prepared. `name` is what diagnostics call it, and the
 * files that it names are relative to it. The option "scene" names a file instead. */
WB_API enum wb_status wb_launch_scene(struct wb_launch *l, const void *text, size_t n, const char *name,
				      struct wb_diag *d);

/* What a thread is. */
enum wb_stage { WB_STAGE_COMPUTE, WB_STAGE_VERTEX, WB_STAGE_PRIMITIVE, WB_STAGE_FRAGMENT };
/* Of a launch that has read a scene, and how many threads there are; else WB_STAGE_COMPUTE and 0. Results have
 * wb_launch_out_words() words: a vertex' are those of wb_launch_output. */
WB_API enum wb_stage wb_launch_stage(const struct wb_launch *l, uint32_t *threads);
/* The same of any launch, whether it has read a scene or not: by the type of its program. */
WB_API enum wb_stage wb_launch_program_stage(const struct wb_launch *l);
/* What a thread is: "thread", "vertex", "primitive", "fragment"; several: "threads", "vertices", … NULL: no stage. */
WB_API const char *wb_stage_name(enum wb_stage s, bool several);
/* The index-th vertex that the thread of a primitive has emitted, and whether a strip ends with it; NULL: there is
 * none, or it is beyond the limit. */
WB_API const uint32_t *wb_launch_emitted(const struct wb_launch *l, uint32_t thread, uint32_t index, bool *ends);
/* The rectangle of fragments: x, y, width, height. False: threads are none. */
WB_API bool wb_launch_rect(const struct wb_launch *l, uint32_t rect[4]);
/* The results of a pixel; NULL: it is not covered, was killed, or has not ended yet. */
WB_API const uint32_t *wb_launch_pixel(const struct wb_launch *l, uint32_t x, uint32_t y);
/* The pixel of a thread: thread t is lane t modulo wb_machine.lanes of warp t / lanes of the launch. */
struct wb_fragment {
	uint32_t x;
	uint32_t y;
	bool covered;           /* false: it executes for the others of its quad alone */
};
/* False: there is no such thread, or it is none. */
WB_API bool wb_launch_fragment(const struct wb_launch *l, uint32_t thread, struct wb_fragment *out);

/* Run to the end, or to the first fault, limit or hang. The report is valid in all these cases. WB_USAGE: it has run
 * already. */
WB_API enum wb_status wb_launch_run(struct wb_launch *l, struct wb_diag *d);
/* Ask a running launch, from a signal handler or another thread, to stop: wb_launch_run returns WB_INTERRUPTED. */
WB_API void wb_launch_interrupt(struct wb_launch *l);
/* How far a running launch is, from another thread: blocks finished, of all. */
WB_API void wb_launch_progress(const struct wb_launch *l, uint64_t *done, uint64_t *all);
/* Write the out= and inout= buffers to their files. */
WB_API enum wb_status wb_launch_write_files(struct wb_launch *l, struct wb_diag *d);

/* Files as the library itself opens them, for callers who want theirs treated alike.
 *
 * An input: a descriptor to read from, which the caller closes; −1 and *d for what cannot be opened, a folder, and a
 * pipe into which nothing is written for ten seconds. */
WB_API int wb_input_open(const char *path, struct wb_diag *d);
/* An output is written without a name, in the folder of `path`, and takes the place of what is there when it is closed
 * as whole; until then, and where the process ends before, that stays as it was. A link at `path` is replaced, not
 * followed; devices, pipes, /dev/stdout and its kin are written directly. NULL and *d: it cannot be written. */
struct wb_output;
WB_API struct wb_output *wb_output_open(const char *path, struct wb_diag *d);
/* Where to write, and where a file can be sought in; it stays the output's. */
WB_API int wb_output_fd(const struct wb_output *o);
/* The end of o. whole: false drops what was written. */
WB_API enum wb_status wb_output_close(struct wb_output *o, bool whole, struct wb_diag *d);
/* All three for n bytes. */
WB_API enum wb_status wb_output_all(const char *path, const void *bytes, size_t n, struct wb_diag *d);

/* ==== 6 The report ================================================================================================ */

struct wb_counter {
	const char *name;       /* "divergent_branch" */
	double value;           /* in the unit that the help says */
	bool integer;           /* a whole number */
	const char *help;       /* what it counts, one line */
};
/* Names of all counters that reports can have; NULL past the end. */
WB_API const char *wb_counter_name(unsigned index);

/* Every lane slot of every issue, in exactly one of these. Unit: lane slots. */
struct wb_bill {
	uint64_t lane_slots;    /* the sum of all below */
	uint64_t useful;        /* lanes that executed */
	uint64_t predicated;    /* active, but the predicate let them not through */
	uint64_t branched_off;  /* on another path */
	uint64_t brk;           /* broke out of a loop */
	uint64_t ret;           /* returned from a function */
	uint64_t exited;        /* ended */
	uint64_t absent;        /* never were: the block's threads do not fill the warp */
	uint64_t rejoin;        /* issues that only arrived at a join and switched paths */
	uint64_t helper;        /* fragments that execute for the others of their quad alone: not covered, or killed */
};

/* A branch that sent lanes away. */
struct wb_branch {
	uint32_t pc;
	const char *text;       /* its instruction */
	uint64_t splits;        /* times that lanes parted here */
	uint64_t lost;          /* lane slots that they lost by it */
};

/* Why warps did not issue: reasons in the order issued, not_selected, operand, pipe, memory, barrier, lock, fetch,
 * no_warp. */
enum { WB_STALLS = 9 };
WB_API const char *wb_stall_name(unsigned index);   /* "not_selected"; NULL past the end */
WB_API const char *wb_stall_letter(unsigned index); /* for pictures, "o"; NULL past the end */
WB_API const char *wb_stall_text(unsigned index);   /* in words for a person; NULL past the end */

struct wb_pc {
	uint32_t pc;
	const char *text;       /* its instruction */
	const char *label;      /* that stands here; NULL: none does */
	int line;               /* of the source, 1-based; 0: unknown */
	uint64_t issues;        /* of warps, arrivals at a join included */
	uint64_t threads;       /* lanes that executed it, summed over issues */
	uint64_t lost;          /* lane slots that lanes sent away from here lost */
	uint64_t taken;         /* issues as a branch that all active lanes took */
	uint64_t not_taken;     /* that none took */
	uint64_t diverged;      /* that some took */
	double lanes_mean;      /* active lanes of an issue */
	uint64_t stalls[WB_STALLS];    /* warp cycles spent at this pc; all 0 without timing */
};

/* The producers of what an instruction waited for (option "producers"): warp cycles that the instruction at `pc`
 * waited, for one reason, until the result of the one at `producer` was there. A warp's own control flow, or a barrier,
 * is the cause of a wait for itself to be over; so is, at the start of a warp, the instruction that waits. */
struct wb_cause {
	uint32_t pc;
	uint32_t producer;      /* a pc */
	unsigned reason;        /* for wb_stall_name: operand, memory or barrier */
	uint64_t cycles;        /* of a finished launch, those of a reason sum to its `stalls` */
};

struct wb_warp_report {
	uint32_t block;
	uint32_t warp;          /* of the block */
	uint64_t issues;
	uint64_t cycles;        /* from its start to its end; 0 without timing */
	const uint64_t *stalls; /* WB_STALLS of them, in cycles; they sum to `cycles` with timing, without they are 0 */
};

/* What was launched. */
struct wb_launch_info {
	const char *kernel;
	const char *machine;    /* the instruction set, as wb_isa_reference takes it */
	const char *chip;
	const char *format;     /* of the program's file, as wb_program_format has it */
	uint32_t grid[2];       /* blocks in x and y */
	uint32_t block[3];      /* threads in x, y and z */
	uint32_t blocks;        /* of the grid; each has as many warps as the report's occupancy says */
	uint32_t mps;           /* multiprocessors */
	uint32_t warp_lanes;    /* lanes of a warp */
	uint32_t warp_registers;            /* of a warp, one for all its lanes; 0: the chip has none */
	enum wb_stage stage;                /* what the threads of a shader's launch are; its blocks are warps */
	uint32_t stage_threads;             /* how many of them there are; 0: WB_STAGE_COMPUTE */
};

/* How the host executed it. Every other number of a report is the same however that was. */
struct wb_execution {
	/* "trace-driven": blocks were executed when they were placed, and timed by their traces; "precise": each
	 * instruction when it issued; "untimed". */
	const char *kind;
	const char *precise_reason;         /* why it was precise; NULL: it was not */
	unsigned threads;       /* host threads that ran it: the only number that may differ from run to run */
	const char *single_thread_reason;   /* why it was one although --threads asked for more; NULL: it was not */
};

/* How many blocks of a kind a multiprocessor takes. */
struct wb_occupancy {
	uint32_t warps_per_block;
	uint32_t blocks;           /* resident on a multiprocessor at once; 0: one does not fit */
	uint32_t warps;            /* of these */
	double percent;            /* of the warps that a multiprocessor has room for */
	/* Blocks that each resource has room for: */
	uint32_t limit_blocks;
	uint32_t limit_warps;
	uint32_t limit_regs;
	uint32_t limit_smem;
	uint32_t limit_warp_regs;  /* without meaning on a chip that has none (wb_chip.warp_registers) */
	const char *limiters[7];   /* resources that have room for no more; NULL-terminated */
};

/* Where the time of all warp slots went; all 0 without timing. */
struct wb_time {
	uint64_t slot_cycles;   /* warp slots of all multiprocessors × cycles: what `stalls` sums to */
	uint64_t stalls[WB_STALLS];         /* warp cycles */
	double warps_mean;      /* resident on a multiprocessor, averaged over cycles and multiprocessors */
	double path_busy;       /* share of the cycles in which the path to global memory carried data, 0 to 1 */
};

struct wb_report {                      /* grows */
	const char *result;     /* ok fault limit deadlock livelock interrupted; NULL: it has not been run */
	enum wb_status status;  /* what wb_launch_run returned */
	char digest[20];        /* hash of the event stream, hex */
	struct wb_launch_info launch;
	struct wb_execution execution;
	struct wb_occupancy occupancy;      /* of one multiprocessor, however many blocks the grid has for it */
	struct wb_time time;
	struct wb_bill bill;
	unsigned ncounters;
	const struct wb_counter *counters;
	unsigned nbranches;
	const struct wb_branch *branches;   /* most lost slots first */
	unsigned npcs;
	const struct wb_pc *pcs;            /* by address */
	unsigned ncauses;
	const struct wb_cause *causes;      /* by pc, the most cycles first; none unless they were asked for */
	unsigned nwarps;
	const struct wb_warp_report *warps; /* by block and warp */
	unsigned nwaits;
	const char *const *waits;           /* after a deadlock, livelock or fault: a line for each warp */
	unsigned nwarnings;
	const char *const *warnings;        /* one a line */
};

/* Of the finished launch, or of one that stands where it was stepped to. It and all that it points to are valid until
 * l is freed, moves or is asked again. Before the run there is nothing in it. NULL: the host has no memory. */
WB_API const struct wb_report *wb_launch_report(struct wb_launch *l);

/* ==== 7 Stepping ==================================================================================================
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
	WB_FLOW_BRANCH = 1,        /* it is a branch */
	WB_FLOW_TAKEN = 2,         /* that lanes took */
	WB_FLOW_DIVERGED = 4,      /* and others did not */
	WB_FLOW_PUSH = 8,          /* it pushed on the warp's stack */
	WB_FLOW_POP = 16,          /* it popped from it */
	WB_FLOW_REJOIN = 32,       /* it only arrived at a join and switched paths */
	WB_FLOW_MERGED = 64,       /* a join let the merged mask through */
};

/* The last thing that a warp did: issue an instruction, or try to. */
struct wb_action {
	uint64_t cycle;            /* of the issue */
	uint32_t mp;               /* multiprocessor */
	uint32_t slot;             /* warp slot of it */
	uint32_t block;
	uint32_t warp;             /* of the block */
	uint32_t pc;               /* of the instruction */
	uint64_t active;           /* mask: lanes that were active */
	uint64_t executed;         /* mask: those of them that the predicate let through */
	unsigned flow;             /* enum wb_flow bits */
	bool issued;               /* false: it tried, and must wait */
};

struct wb_where {
	unsigned stops;            /* enum wb_stop bits */
	int id;                    /* of the breakpoint or watch that was hit; 0: none */
	uint64_t issue;            /* position */
	uint64_t cycle;            /* of the multiprocessor that is furthest */
	bool began;                /* `last` is valid: something has happened */
	struct wb_action last;
	uint64_t turns;            /* issues and attempts that were run to come here */
	const char *result;        /* as in wb_report; "ok" while the launch is not over */
	bool over;
};

/* Where to go: zero means "not asked for". */
struct wb_goal {
	unsigned stops;            /* enum wb_stop bits to stop at; with WB_STOP_BREAK breakpoints count, with
				    * WB_STOP_WATCH watches */
	uint64_t issues;           /* stop after so many */
	uint64_t cycles;           /* stop after so many */
	bool one_warp;             /* count only the issues of this warp, and stop only at what it did */
	uint32_t block;
	uint32_t warp;
	/* Count only the issues and cycles of this multiprocessor, and stop only at what it did; breakpoints and
	 * watches of the others stop too. Its cycles ascend from position to position: several take turns, each
	 * through some hundred cycles, as they need not know of each other within them. */
	bool one_mp;
	uint32_t mp;
	const char *when;          /* stop where this expression holds (docs/reference/expressions.md); NULL: nowhere */
};

/* One issue, as it has just happened. */
struct wb_issue {                       /* grows */
	uint64_t issue;            /* position after it */
	const struct wb_action *action;
	uint64_t gone;             /* mask: lanes that broke, returned, exited or never were; ~0: its block has ended */
	uint32_t depth;            /* entries on its warp's stack */
	const uint64_t *stalls;    /* WB_STALLS cycles of its warp by reason, this issue included; NULL untimed */
};
/* Call `issued` for every issue while l moves, on the way back those too that are run again; before the start.
 * What it is given is valid until it returns. NULL: call nothing. */
WB_API void wb_launch_listen(struct wb_launch *l, void (*issued)(void *context, const struct wb_issue *i),
			     void *context);

/* How much memory the way back may take, beside two copies of the machine's state; before the start. Default 48 MiB,
 * and at least what three more copies take. As far back as it reaches a move runs at most 1,024 issues further than it
 * must, n times that on a machine with 32 (n - 1) to 32 n MiB of state; to what lies before that it runs from the
 * beginning. */
WB_API enum wb_status wb_launch_record_bytes(struct wb_launch *l, size_t bytes, struct wb_diag *d);
/* Prepare l if it is not yet and stand before its first instruction. Called by the functions below when need be. */
WB_API enum wb_status wb_launch_start(struct wb_launch *l, struct wb_diag *d);
/* Move until the goal is met; at most to the end. Always moves by one issue at least, unless there is none. Guest
 * faults and hangs are no errors here: they end the launch, and *where says so. */
WB_API enum wb_status wb_launch_forward(struct wb_launch *l, const struct wb_goal *g, struct wb_where *where,
					struct wb_diag *d);
WB_API enum wb_status wb_launch_back(struct wb_launch *l, const struct wb_goal *g, struct wb_where *where,
				     struct wb_diag *d);
/* Go to a position, or to the first one whose cycle is not less, forwards or backwards; breakpoints do not matter. */
WB_API enum wb_status wb_launch_goto(struct wb_launch *l, uint64_t issue, struct wb_where *where, struct wb_diag *d);
WB_API enum wb_status wb_launch_goto_cycle(struct wb_launch *l, uint64_t cycle, struct wb_where *where,
					   struct wb_diag *d);
/* Where it stands now; `stops` and `id` are 0. */
WB_API void wb_launch_where(const struct wb_launch *l, struct wb_where *where);
/* Shader clocks of one multiprocessor where a started launch stands; 0: there is none of that number. */
WB_API uint64_t wb_launch_cycle(const struct wb_launch *l, uint32_t mp);
/* A hash of everything that the machine is in: equal at equal positions. */
WB_API uint64_t wb_launch_state_hash(const struct wb_launch *l);

/* Breakpoints and watches, for goals with WB_STOP_BREAK and WB_STOP_WATCH. Texts: "PLACE", "PLACE if EXPRESSION" or
 * "if EXPRESSION" with a label or a pc as the place, where a warp stops before it executes the place's instruction, or
 * with a line of the source, "FILE:LINE", ":LINE" or "line LINE", which is the first instruction of it, or of the next
 * line that has one; a watch is an EXPRESSION. Without bN. and wN. an expression is about the warp that acted last, and
 * in a watch about warp `warp` of block `block`. */
struct wb_break {
	int id;                    /* from 1 */
	enum wb_stop kind;         /* WB_STOP_BREAK or WB_STOP_WATCH */
	const char *text;          /* valid until it is removed */
	uint64_t hits;             /* times that it stopped the launch */
};
WB_API enum wb_status wb_launch_break(struct wb_launch *l, enum wb_stop kind, const char *text, uint32_t block,
				      uint32_t warp, int *id, struct wb_diag *d);
/* False: there is none of that id. */
WB_API bool wb_launch_unbreak(struct wb_launch *l, int id);
/* The index-th breakpoint or watch; false: there are no more. */
WB_API bool wb_launch_breaks(const struct wb_launch *l, unsigned index, struct wb_break *out);
/* What a breakpoint's source line has become, "line 13, 0x0048", as snprintf; 0: it was not set by a line, or there is
 * none of that id. */
WB_API size_t wb_launch_break_place(const struct wb_launch *l, int id, char *text, size_t size);
/* The value of an expression for a warp; WB_USAGE: it is none, or names what is not there. */
WB_API enum wb_status wb_launch_value(const struct wb_launch *l, const char *expression, uint32_t block, uint32_t warp,
				      uint64_t *value, struct wb_diag *d);

/* ==== 8 Looking at a launch that stands still ===================================================================== */

struct wb_machine {
	uint32_t mps;              /* multiprocessors */
	uint32_t slots;            /* warp slots of a multiprocessor */
	uint32_t lanes;            /* of a warp, at most WB_LANES */
	uint32_t warps_per_block;
	uint32_t registers;        /* of a thread */
	uint32_t shared_bytes;     /* of a block */
	uint32_t issue_cycles;     /* that an issue takes: between its issues a warp waits for the rest */
	uint32_t shared_banks;     /* banks of s[]: word n lies in bank n modulo so many */
};
WB_API void wb_launch_machine(const struct wb_launch *l, struct wb_machine *out);
/* SIMDs of a multiprocessor, which issue in turn: warp slot s is on SIMD s modulo that. */
WB_API uint32_t wb_launch_simds(const struct wb_launch *l);
/* The register whose bits say which lanes of a warp run, as texts name it; NULL: the machine steers its lanes by a
 * stack. */
WB_API const char *wb_launch_mask_register(const struct wb_launch *l);

enum wb_wait { WB_WAIT_NONE, WB_WAIT_BARRIER, WB_WAIT_LOCK, WB_WAIT_DONE, WB_WAIT_FAULT };

struct wb_warp {
	uint32_t mp;               /* multiprocessor */
	uint32_t slot;             /* warp slot of it */
	uint32_t block;
	uint32_t warp;             /* of the block */
	uint32_t pc;               /* of its next instruction */
	uint64_t launched;         /* mask: lanes that exist; each is in exactly one of the five below */
	uint64_t active;           /* mask: execute */
	uint64_t branched_off;     /* mask: wait on another path */
	uint64_t broke;            /* mask */
	uint64_t returned;         /* mask */
	uint64_t exited;           /* mask */
	enum wb_wait waits;
	uint32_t waits_for;        /* number of the barrier, or address of the lock's word if it holds one */
	const char *stall;         /* why it does not issue now, by wb_stall_name; NULL: ended, or no timing */
	unsigned depth;            /* entries on its stack */
	uint64_t issues;
	bool issued_last;          /* on its multiprocessor */
	bool acted;                /* `action` is valid */
	struct wb_action action;
};

/* The warp in a slot of a multiprocessor; false: the slot is empty. Warps that are done stay until their block ends. */
WB_API bool wb_launch_warp(const struct wb_launch *l, uint32_t mp, uint32_t slot, struct wb_warp *out);
/* The same for a warp of a block; false: it is not resident. */
WB_API bool wb_launch_find_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, struct wb_warp *out);

/* A result that a warp's next instruction needs and that is not there yet, or, with an empty name, the warp's last
 * instruction, which is not over yet. */
struct wb_awaited {
	char name[16];             /* "$r7"; of a wait counter, its name */
	bool known;                /* `producer` is: option "producers" was on */
	uint32_t producer;         /* pc of the instruction that makes it */
	unsigned reason;           /* what the wait is charged to, for wb_stall_name */
	uint64_t ready_at;         /* cycle of the multiprocessor in which it is there, as far as is known now */
};
/* The index-th of them, the last to come first; false: there are no more, or there is no timing. */
WB_API bool wb_launch_awaited(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index,
			      struct wb_awaited *out);
/* Which lanes of the warp in a slot execute for the others of their quad alone: their pixel is not covered, or was
 * killed. */
WB_API uint64_t wb_launch_helpers(const struct wb_launch *l, uint32_t mp, uint32_t slot);

/* An entry of a warp's control-flow stack. */
struct wb_stack {
	const char *name;          /* "branch", "joinat", … */
	uint32_t pc;               /* where it leads */
	uint64_t mask;             /* lanes */
};
/* Entry `level` of a warp's stack, 0 = top; false: it has no such entry. */
WB_API bool wb_launch_stack(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned level,
			    struct wb_stack *out);

/* A register by its name ("$r3", "$c0", "$a1"; of a shader "r2.y", "cmp.x", "aL", "emit.vertex"; the $ may be left
 * out) in every lane: value[n] of lane n, 0 past the machine's lanes. The warp is resident, or ran last where it was:
 * when its block has ended, its registers last until the next block comes there. WB_USAGE: it is not there any more,
 * or not yet, or has none of that name. */
WB_API enum wb_status wb_launch_read_register(const struct wb_launch *l, uint32_t block, uint32_t warp,
					      const char *name, uint32_t value[WB_LANES], struct wb_diag *d);
/* A warp has one for each lane; or one for all of them; or one whose bit n is lane n's. */
enum wb_scope { WB_SCOPE_LANES, WB_SCOPE_WARP, WB_SCOPE_MASK };
struct wb_register {
	enum wb_scope scope;
	unsigned bits;             /* of a value: 32 or 64; of a mask, the machine's lanes */
	uint64_t one;              /* that the warp has of it, if it has one */
	uint64_t value[WB_LANES];  /* value[n] in lane n; of a mask lane n's bit */
};
/* The same with what the machine has of the register. The name may be that of two parts ("v0.xy", x in the lower 32
 * bits), or of two registers where the machine's texts have ranges ("s[4:5]", "v[2:3]"). */
WB_API enum wb_status wb_launch_register(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name,
					 struct wb_register *out, struct wb_diag *d);

enum { WB_BARRIERS = 16 };
struct wb_barrier {
	uint32_t arrived;          /* warps */
	uint32_t expected;         /* warps; 0: none has arrived yet */
	uint64_t waiting;          /* mask: warps of the block */
};
/* Barrier n of the block of a slot's warp; false: the slot is empty, or there is none of that number. */
WB_API bool wb_launch_barrier(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned n,
			      struct wb_barrier *out);

struct wb_lock {
	uint32_t addr;             /* of its word in s[] */
	uint32_t owner;            /* warp of the block */
	uint64_t waiters;          /* mask: warps of the block */
};
/* The index-th lock held in the block of a slot's warp; false: there are no more. */
WB_API bool wb_launch_lock(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index, struct wb_lock *out);
/* The shared memory of the block that a slot's warp belongs to, *bytes of it; NULL: the slot is empty. Valid until the
 * launch moves. */
WB_API const uint8_t *wb_launch_shared(const struct wb_launch *l, uint32_t mp, uint32_t slot, uint32_t *bytes);

/* What an instruction asked of one memory. Lanes access it in groups, which follow each other. */
enum { WB_GROUPS = 4 };            /* room for the groups of any machine's warps */
struct wb_access {
	char space[8];             /* "s", "l", "c0" … "c15", "g0" … "g15" */
	bool loads;
	bool stores;               /* both: an atomic */
	uint32_t width;            /* bytes a lane */
	uint64_t lanes;            /* mask: that accessed it */
	uint64_t addr[WB_LANES];   /* byte address of each of these; 0 for others */
	uint32_t group_lanes;      /* lanes of a group: 16, a half-warp, on machines of 32 lanes */
	uint32_t groups;           /* of a warp, at most WB_GROUPS */
	/* Of each group, by the machine's rules; 0 where there is nothing: */
	uint32_t passes[WB_GROUPS];        /* through the banks of s[] or over the words of c[], broadcasts included */
	uint32_t transactions[WB_GROUPS];  /* of g[] */
	uint32_t bytes[WB_GROUPS];         /* of these transactions */
};
/* The index-th access of the last instruction issued, one of two at most; false: there are no more, or they were not
 * asked for (timing and stats-level are off). */
WB_API bool wb_launch_access(const struct wb_launch *l, unsigned index, struct wb_access *out);

struct wb_code {
	uint32_t pc;
	uint32_t length;           /* bytes */
	char text[256];
	const char *label;         /* of this pc; NULL: it has none */
	int line;                  /* of the source, 1-based; 0: unknown */
};
/* Does the instruction at `pc` wait for a result of the one at `on`, if that was issued before it? */
enum wb_depends { WB_DEPENDS_NO, WB_DEPENDS_OPERAND, WB_DEPENDS_MEMORY /* which comes from global memory */ };
/* *behind: that many later ones that depend in the same way may still be under way (wait counters), else 0. With timing
 * only; prepared or not, WB_DEPENDS_NO without. */
WB_API enum wb_depends wb_launch_depends(const struct wb_launch *l, uint32_t pc, uint32_t on, unsigned *behind);
/* The instruction at a pc; false: outside the program. */
WB_API bool wb_launch_code(const struct wb_launch *l, uint32_t pc, struct wb_code *out);
/* The pc of a label; false: there is none of that name. */
WB_API bool wb_launch_label(const struct wb_launch *l, const char *name, uint32_t *pc);
WB_API uint32_t wb_launch_code_bytes(const struct wb_launch *l);
/* The source text of an assembly file; NULL: there is none. */
WB_API const char *wb_launch_source(const struct wb_launch *l);

/* ==== 9 Events: recording a run =================================================================================== */

enum wb_event_kind {               /* the list is core/event.def */
	WB_EVENT_ISSUE,
	WB_EVENT_BLOCK_START,
	WB_EVENT_BLOCK_END,
	WB_EVENT_WARP_END,
	WB_EVENT_BARRIER_WAIT,
	WB_EVENT_BARRIER_RELEASE,
	WB_EVENT_LOCK_WAIT,
	WB_EVENT_LOCK_TAKE,
	WB_EVENT_LOCK_RELEASE,
	WB_EVENT_FAULT,
	WB_EVENT_KINDS
};

/* Every kind has the first four; wb_event_field says which of the others. */
struct wb_event {
	enum wb_event_kind kind;
	uint64_t cycle;
	uint64_t mp;               /* multiprocessor */
	uint64_t slot;             /* warp slot of it */
	uint64_t block;
	uint64_t warp;             /* of the block */
	uint64_t pc;               /* of the instruction */
	uint64_t active;           /* mask: lanes */
	uint64_t executed;         /* mask: lanes that the predicate let through */
	uint64_t depth;            /* entries of the control-flow stack after it */
	uint64_t flow;             /* enum wb_flow bits */
	uint64_t waited;           /* cycles since the warp's last issue in which it did not issue */
	uint64_t reason;           /* what most of them were spent on, for wb_reason */
	uint64_t barrier;          /* its number */
	uint64_t addr;             /* of the lock's word in s[] */
	uint64_t warps;            /* mask: warps of the block that were let go, or all of a new block */
	uint64_t fault;            /* its kind; wb_event_field has the name */
};

/* A piece of a record, as bytes that can be read by themselves. */
struct wb_chunk {
	const void *bytes;         /* NULL: see wb_launch_record */
	size_t size;               /* bytes */
	uint64_t events;
	uint64_t first_cycle;
	uint64_t last_cycle;
};

/* Record the events of l, which has not run yet, in a ring of so many bytes (0: 12 MiB). Every full chunk is also given
 * to `sink` (NULL: to none), and the last one when wb_launch_run is over; what it is given is valid until it returns. A
 * chunk whose bytes are NULL voids all chunks before it: the launch begins again, precisely, as its traces turned out
 * not to tell. */
WB_API enum wb_status wb_launch_record(struct wb_launch *l, size_t bytes,
				       void (*sink)(void *context, const struct wb_chunk *c), void *context,
				       struct wb_diag *d);
/* What was recorded, exactly, whatever the ring still holds. */
struct wb_record {
	uint64_t events;
	uint64_t dropped;          /* events that the ring holds no longer */
	uint64_t chunks;           /* that it holds */
	uint64_t by_kind[WB_EVENT_KINDS];   /* events of each kind */
};
WB_API void wb_launch_recorded(const struct wb_launch *l, struct wb_record *out);
/* The index-th chunk that the ring holds, oldest first; false: there are no more. Its bytes are valid until l moves.
 * Events go by cycle, then by multiprocessor; with several of these the latest few hundred cycles follow when they are
 * over. */
WB_API bool wb_launch_chunk(const struct wb_launch *l, uint64_t index, struct wb_chunk *out);

/* A reader of the events of one chunk. */
struct wb_events;
/* Read them one by one. The bytes must outlive the reader. NULL: the host has no memory. */
WB_API struct wb_events *wb_events_open(const void *bytes, size_t size);
/* False: the end, or bytes that are no event (*bad, which may be NULL, tells). */
WB_API bool wb_events_next(struct wb_events *r, struct wb_event *e, bool *bad);
WB_API void wb_events_close(struct wb_events *r);

/* "issue"; k is below WB_EVENT_KINDS. */
WB_API const char *wb_event_name(enum wb_event_kind k);
/* The name of wb_event.reason, by wb_stall_name; NULL past the end. */
WB_API const char *wb_reason(unsigned reason);
/* The index-th field that events can have, in the order of the JSON object, and its value in e as text of at most
 * `size` bytes, "" where this kind has none. e NULL: the name alone, and text is not touched. Returns the name; NULL:
 * there are no more. */
WB_API const char *wb_event_field(const struct wb_event *e, unsigned index, char *text, size_t size);
/* One event as a line of text, or as a JSON object; returns the length of all of it, like snprintf. */
WB_API size_t wb_event_text(const struct wb_event *e, bool json, char *text, size_t size);

/* ==== 10 Chips ==================================================================================================== */

struct wb_block_needs {
	uint32_t threads;
	uint32_t registers;        /* of each thread */
	uint32_t warp_registers;   /* of each warp, one for all its lanes; 0 on a chip that has none */
	uint32_t shared_bytes;     /* in all */
};
/* How many such blocks a multiprocessor of the chip takes. rules: "xls" or "occ7"; NULL: "xls". */
WB_API enum wb_status wb_occupancy(const char *chip, const struct wb_block_needs *block, const char *rules,
				   struct wb_occupancy *out, struct wb_diag *d);

/* What a chip allows. Fixed. */
struct wb_chip {
	uint32_t warp_lanes;       /* lanes of a warp */
	uint32_t max_threads;      /* threads of a block */
	uint32_t max_registers;    /* of a thread */
	uint32_t warp_registers;   /* that warps share, one for all lanes of a warp; 0: there are none */
	uint32_t shared_bytes;     /* s[] of a block, at most */
	uint32_t shared_unit;      /* bytes: what a block gets of s[] is a multiple of it */
};
/* WB_USAGE: there is no chip of that name. */
WB_API enum wb_status wb_chip(const char *name, struct wb_chip *out, struct wb_diag *d);

struct wb_timing_info {
	const char *key;           /* "alu.latency" */
	const char *unit;          /* of the value: "cycles" */
	const char *label;         /* how it is known: "A", "B", "ours", … (docs/explanation/timing.md) */
	const char *source;        /* where it is from */
	uint32_t value;
};
/* Number `index` of a chip's timing model; WB_USAGE past the end or for an unknown chip. */
WB_API enum wb_status wb_timing(const char *chip, unsigned index, struct wb_timing_info *out);

#ifdef __cplusplus
}
#endif

#endif
