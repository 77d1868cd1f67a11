/* Warpbeam: an emulator of GPU multiprocessors that run warps. This is the public C API; the command line, the window,
 * the benches and other programs use this header and nothing else.
 *
 * CONTENTS
 *
 *   1 Basics          statuses, diagnostics, the version, the ABI
 *   2 Configuration   every option of a run, by its name on the command line
 *   3 Programs        load a file or bytes; list the kernels in a file
 *   4 Text            disassemble, assemble, list, lint; the reference of an instruction set
 *   5 Launches        a kernel with arguments, memory and vertices; run it
 *   6 The report      counters, the bill of lane slots, stalls, by branch, by pc, by warp
 *   7 Stepping        forwards and backwards by issues and cycles; breakpoints, watches, expressions
 *   8 Looking         warps, stacks, registers, barriers, locks, shared memory, code of a launch that stands still
 *   9 Events          record the events of a run, and read such records
 *  10 Chips           occupancy, and the numbers of the timing model
 *  11 Devices         memory, variables and prepared kernels that outlive launches; facts about chips
 *
 * EXAMPLE: load a file, run its only kernel, print all counters
 *
 *     struct wb_program *program = NULL;
 *     struct wb_launch *launch = NULL;
 *     struct wb_diag d;
 *     if (wb_program_open(path, NULL, &program, &d) != WB_OK ||
 *         wb_launch_new(program, NULL, NULL, &launch, &d) != WB_OK || wb_launch_run(launch, &d) != WB_OK)
 *             fprintf(stderr, "%s:%d:%d: %s\n", d.file, d.line, d.column, d.text);
 *     const struct wb_report *r = launch ? wb_launch_report(launch) : NULL;
 *     for (unsigned i = 0; r && i < r->ncounters; i++)
 *             printf("%s %g\n", r->counters[i].name, r->counters[i].value);
 *     wb_launch_free(launch);
 *     wb_program_free(program);
 *
 * RULES for everything below, unless a comment says otherwise
 *
 * Errors. A function that can fail returns a status, which is also the exit code of the command line, and fills the
 * wb_diag if the caller passed one. No function prints or exits.
 *
 * Ownership. Handles (wb_config, wb_program, wb_launch, wb_output, wb_events, wb_device, wb_prepared) are opaque and
 * belong to the caller until the matching _free or _close. Every pointer that a function returns or puts into a struct
 * belongs to the library and is valid until the handle of the call is freed; a pointer from a call without a handle, as
 * long as the library is loaded. Functions copy texts, bytes and configurations: the caller may change or free an
 * argument after the call. Three arguments are borrowed and must outlive the borrower: a program (by its launches and
 * listings), the files of wb_config_files (by all users of the configuration), and the bytes of wb_events_open (by the
 * reader).
 *
 * NULL. Every _free and _close takes NULL and does nothing. A struct wb_diag * may be NULL: the caller then has the
 * status alone. A const struct wb_config * may be NULL: every option has its default. Any other pointer must not be
 * NULL unless the function's comment gives NULL a meaning. A member of a struct is NULL only where its comment gives
 * NULL a meaning, or where an array has no elements; an absent text is "".
 *
 * Failure. A function that fails sets *out of a handle to NULL and leaves nothing to free in a wb_text or wb_listing.
 * Do not read any other output of a function that failed or returned false.
 *
 * Threads. The library keeps no state outside its handles; different handles may be used from different threads. One
 * thread at a time uses a handle, with these exceptions: wb_launch_interrupt, _progress and _work may be called from
 * any thread, and any number of launches may share a program or a prepared kernel. A launch of wb_launch_on and its
 * device count as one handle. A callback may not call functions on the handle that calls the callback.
 *
 * Floats. Results, texts and reports do not depend on the caller's float mode (fesetround, flushed denormals, unmasked
 * exceptions). A function that computes with floats brings the caller's mode back at its end; callbacks see C's usual
 * mode.
 *
 * Units. Addresses and pcs are in bytes; a pc counts from the start of its kernel. Cycles are shader clocks. Lane masks
 * have bit n for lane n, warp masks bit n for warp n of the block. A lane slot is one lane for one issue of its warp.
 *
 * Order. An `index` counts from 0.
 *
 * GROWTH of the ABI. WB_ABI_VERSION is the number in the library's soname. Within one number:
 *   - functions, structs and enumerators are added, never removed or changed; an enumerator keeps its value;
 *   - a struct marked "grows" is made by the library alone and read through a pointer: members are added at its end.
 *     Do not copy or embed it, and do not step through an array of them by pointer arithmetic;
 *   - every other struct stays as it is, and so do the constants that size an array (WB_LANES, WB_STALLS, …).
 * Anything else raises the number. A linked program cannot meet a library of another number; a program that loads the
 * library itself compares wb_abi() with WB_ABI_VERSION first. tests/abi/abi.sh enforces this; docs/reference/abi.md
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
#define WB_ABI_VERSION 3

/* The version of the library in use: "0.3.0". */
WB_API const char *wb_version(void);
/* The WB_ABI_VERSION of the library in use, from its build. */
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
	WB_INTERRUPTED = 130    /* stopped by wb_launch_interrupt */
};

/* The failure of a call: where, what was found, what was expected. Only valid after a function has failed. */
struct wb_diag {
	enum wb_status status;  /* the function's return value */
	char file[192];         /* file name; "" if the failure is in no file */
	int line;               /* 1-based; 0 without a line */
	int column;             /* 1-based, in bytes; 0 without a column */
	int64_t offset;         /* byte offset in a binary file; -1 elsewhere */
	char text[400];         /* one line, without a line end */
};

/* Array size for the lanes of a warp of any machine; wb_machine.lanes is a machine's own number. */
enum { WB_LANES = 64 };

/* Parse a number of bytes: "4096", "0x1000", "4K", "4KB" or "4KiB", M and G likewise, in units of 1024. False: any
 * other text. Options and arguments in bytes take the same texts. */
WB_API bool wb_size(const char *text, uint64_t *bytes);
/* The n bytes as text that terminals, JSON, XML and people can have: each byte of a control or direction character, and
 * each that is no UTF-8, becomes \xNN; control characters in `kept` ("" or "\n\t") stay, and with LF among them the CR
 * before an LF is dropped. Writes at most `size` bytes with the NUL, cuts no character, and returns the length of the
 * whole text, like snprintf. Names, labels, sources and messages that the library returns are clean already. */
WB_API size_t wb_clean(const void *bytes, size_t n, const char *kept, char *out, size_t size);
/* The index-th SIMD level of this build that the host can run: "base", "avx2", "avx512", best last; NULL past the
 * end. */
WB_API const char *wb_simd_level(unsigned index);

/* ==== 2 Configuration ============================================================================================= */

/* Every option of a run, by the names of the command line ("chip", "diverge", "lock", …). */
struct wb_config;

enum wb_option_kind {
	WB_OPT_SWITCH,          /* "on" or "off" */
	WB_OPT_NUMBER,          /* decimal or 0x…; where the argument's name is BYTES, as wb_size reads text */
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
	bool repeats;           /* may be given again; values add up */
};

/* The table of run options, in the order of the help; NULL past the end. */
WB_API const struct wb_option_info *wb_option(unsigned index);
/* The ways of diverged lanes to reconverge: words, those of option "reconverge" first, and what each does, in words for
 * a person. The first is every machine's own way. *counted, if not NULL, is set: no run goes that way, and a run by the
 * first with the option of that name "on" counts what it would issue. NULL past the end. */
WB_API const char *wb_reconverge_name(unsigned index, bool *counted);
WB_API const char *wb_reconverge_text(unsigned index);

/* All defaults. NULL: the host has no memory. */
WB_API struct wb_config *wb_config_new(void);
/* A copy of c, which may not be NULL. NULL: the host has no memory. */
WB_API struct wb_config *wb_config_copy(const struct wb_config *c);
WB_API void wb_config_free(struct wb_config *c);
/* Set one option from text; a switch takes "on" or "off". Options that accumulate (global, const) add. WB_USAGE names
 * what was found, what is accepted, and the nearest option name. */
WB_API enum wb_status wb_config_set(struct wb_config *c, const char *name, const char *value, struct wb_diag *d);
/* The value in force, as text; valid until the next call on c. NULL: no option has this name. */
WB_API const char *wb_config_get(struct wb_config *c, const char *name);
/* Whether wb_config_set has set the option, even to its default. c may not be NULL. */
WB_API bool wb_config_given(const struct wb_config *c, const char *name);

/* A file by the name that a program, an option or an argument uses for it. */
struct wb_file {
	const char *name;
	const void *bytes;      /* NULL only if size is 0 */
	size_t size;            /* bytes */
};

/* Give c, its copies, and everything loaded and launched with them these files in place of the host's: the library then
 * reads and writes no file of the host. Array, names and bytes are borrowed and must outlive all users. files NULL:
 * back to the host's files. */
WB_API void wb_config_files(struct wb_config *c, const struct wb_file *files, size_t n);

/* ==== 3 Programs ================================================================================================== */

struct wb_program;

/* Load a file, or n bytes of memory, in any known format: cubin (text, ELF, inside an executable or archive), SHBIN,
 * AMD code object, OpenCL C, PTX, assembly, raw or hex words. Options "format", "chip", "mode", "regs", "smem",
 * "lmem", "entry" of c are used. `name` stands for the bytes in diagnostics, and its ending may tell the instruction
 * set. The program must outlive its launches. */
WB_API enum wb_status wb_program_open(const char *path, const struct wb_config *c, struct wb_program **out,
				      struct wb_diag *d);
WB_API enum wb_status wb_program_load(const void *bytes, size_t n, const char *name, const struct wb_config *c,
				      struct wb_program **out, struct wb_diag *d);
WB_API void wb_program_free(struct wb_program *p);

/* A parameter that a file declares. */
struct wb_param {
	const char *name;
	const char *type;       /* type as the file spells it; "" if the file gives none */
	uint32_t offset;        /* bytes from the first parameter */
	uint32_t size;          /* bytes */
};

/* A name of a shader: "uniform" "projection" "c0-c3", "constant" "" "c95" "0, 1, -1, 0.5". A text is "" where the file
 * gives none. */
struct wb_name {
	const char *kind;       /* "entry", "input", "uniform", "constant" or "output" */
	const char *name;
	const char *registers;  /* "c0-c3" */
	const char *value;      /* value of a constant */
};

struct wb_kernel {                      /* grows */
	const char *name;
	const char *machine;    /* instruction set, as wb_isa_reference takes it */
	const char *chip;       /* chip that the file names; NULL: none */
	const char *mode;       /* program type, "cp"; NULL: the file names none */
	uint32_t code_bytes;
	uint32_t registers;     /* 32-bit registers of a thread */
	uint32_t shared_bytes;  /* bytes of a block, without dynamic shared memory */
	uint32_t local_bytes;   /* bytes of a thread */
	uint32_t param_bytes;
	uint32_t barriers;      /* barriers of a block */
	uint32_t nparams;
	const struct wb_param *params;   /* nparams parameters; NULL if there are none */
	const char *grid;       /* launch default of an assembly file: grid, "4,2"; NULL: no default */
	const char *block;      /* launch default: block, "32"; NULL: no default */
	const char *const *args; /* launch default: texts for wb_launch_arg, NULL-terminated; NULL: no default */
	const char *const *expectations; /* texts after "// expect:", NULL-terminated; NULL: no expectations */
	uint32_t nnames;
	const struct wb_name *names;     /* nnames names of a shader: entry, inputs, uniforms, constants, outputs */
	uint32_t warp_registers;         /* scalar registers of a warp, each shared by all its lanes */
	uint32_t mps;           /* launch default: multiprocessors; 0: no default */
	const char *const *scene; /* launch default: lines of a JSON document, NULL-terminated; NULL: no default */
	const char *compiler;   /* what made the code, as the file says: "clang version 19.1.7"; NULL: not said */
};

/* The index-th file of the program: the loaded file, then the files that it includes. False: past the end. */
WB_API bool wb_program_file(const struct wb_program *p, unsigned index, struct wb_file *out);
/* File format: the name of a format that is read, such as "cubin-elf", "code-object", "ptx", "asm" or "raw". */
WB_API const char *wb_program_format(const struct wb_program *p);
/* The number of kernels, and the index-th kernel; NULL past the end. */
WB_API unsigned wb_program_kernels(const struct wb_program *p);
WB_API const struct wb_kernel *wb_program_kernel(const struct wb_program *p, unsigned index);
/* The index-th warning about an assembled text: a probable mistake, with file and line; false past the end. */
WB_API bool wb_program_warning(const struct wb_program *p, unsigned index, struct wb_diag *out);

/* ==== 4 Text: disassemble and assemble ============================================================================ */

/* A text or file image that belongs to the caller: freed with wb_text_free. */
struct wb_text {
	char *data;             /* NUL-terminated where it is text; NULL if empty */
	size_t size;            /* bytes, the NUL not counted */
};
/* Free the bytes of *t and make *t empty; the struct itself stays the caller's. */
WB_API void wb_text_free(struct wb_text *t);

/* The name nearest to a misspelled word, from an array ended by NULL: at most two letters differ, and at most one in
 * three. NULL: no name is near. */
WB_API const char *wb_nearest(const char *word, const char *const *names);

enum wb_list_flags {
	WB_LIST_BARE = 1,       /* texts alone */
	WB_LIST_UNDOC = 2,      /* also bits that the public disassembler does not know */
	WB_LIST_CFG = 4,        /* the control-flow graph instead */
	WB_LIST_SOURCE = 8      /* a text for the assembler */
};

/* The listing of every kernel of p, or of the kernel that option "kernel" of c names, for the chip and program type of
 * c, or of the file where c names none. WB_LIST_SOURCE: a text that assembles to the same words and the same header
 * data, so that it runs the same; WB_USAGE for a machine whose assembly language is another project's, and for programs
 * of several chips or types. WB_LIST_CFG: the control-flow graph of each kernel in the language of Graphviz: an edge is
 * labelled "branch" or "call", dashed to a reconvergence point, or bare where control falls through. Unreachable code
 * is left out. WB_USAGE for a machine without known control flow. */
WB_API enum wb_status wb_disassemble(const struct wb_program *p, const struct wb_config *c, unsigned flags,
				     struct wb_text *out, struct wb_diag *d);

struct wb_instruction {
	uint32_t pc;            /* byte address in the kernel */
	uint32_t words[2];
	unsigned nwords;
	const char *text;       /* "???" if the words are no instruction */
	const char *label;      /* label at this pc, owned by the program; NULL: none */
	int line;               /* source line, 1-based; 0: unknown */
};

/* A listing that belongs to the caller: freed with wb_listing_free. */
struct wb_listing {
	unsigned n;
	struct wb_instruction *instructions;   /* n instructions, by pc */
	char *texts;            /* storage of the instructions' texts */
};

/* The instructions of one kernel as an array. Flags: WB_LIST_UNDOC. Labels point into p, which must outlive the
 * listing. */
WB_API enum wb_status wb_program_listing(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
					 unsigned flags, struct wb_listing *out, struct wb_diag *d);
/* Free the arrays of *l and make *l empty; the struct itself stays the caller's. */
WB_API void wb_listing_free(struct wb_listing *l);
/* Disassemble one instruction of n words (1 or 2) into a text of at most `size` bytes with its NUL. WB_INPUT: the words
 * are no instruction (the text then begins with ???). */
WB_API enum wb_status wb_dis_words(const struct wb_config *c, const uint32_t *words, unsigned n, unsigned flags,
				   char *text, size_t size);
/* Uses that work here and go wrong on the hardware: one line for each finding, "pc 0x10: …". No text if there is no
 * finding, or no rule for the machine. */
WB_API enum wb_status wb_program_lint(const struct wb_program *p, unsigned kernel, const struct wb_config *c,
				      struct wb_text *out, struct wb_diag *d);
/* Assemble one line of text into *n words, at most 4. */
WB_API enum wb_status wb_asm_line(const struct wb_config *c, const char *text, uint32_t words[4], unsigned *n,
				  struct wb_diag *d);
/* Assemble a whole text of n bytes into a file image of format "raw", "hex", "cubin" or "shbin". `name` stands for the
 * text in diagnostics. */
WB_API enum wb_status wb_assemble(const struct wb_config *c, const char *text, size_t n, const char *name,
				  const char *format, struct wb_text *out, struct wb_diag *d);
/* The file of a program that was compiled here from PTX, or from OpenCL C for a chip that runs PTX: an ELF cubin with
 * parameters, constants, variables, labels, line tables and the PTX, which loads again as the same program. The kernels
 * are all, or the one that option "kernel" of c names. WB_USAGE: the program is of another kind. */
WB_API enum wb_status wb_program_cubin(const struct wb_program *p, const struct wb_config *c, struct wb_text *out,
				       struct wb_diag *d);
/* A compiled program as bytes that load again as the same program where its file does not: OpenCL C, PTX and code
 * objects in a lab page, which has no compilers and reads no ELF. Variables of the source stay out. WB_INPUT: assembly
 * text, which is its own file, a shader, or a file of several programs. */
WB_API enum wb_status wb_program_image(const struct wb_program *p, struct wb_text *out, struct wb_diag *d);
/* The reference of an instruction set, printed from its table: isa is a machine's name (wb_kernel.machine), format
 * "text", "md" or "json". */
WB_API enum wb_status wb_isa_reference(const char *isa, const char *format, struct wb_text *out, struct wb_diag *d);

/* ==== 5 Launches ================================================================================================== */

struct wb_launch;

/* Prepare kernel `kernel` of p (NULL: the kernel named by c, else the only kernel) for a run under c: arguments,
 * memory, blocks. p must outlive the launch. A launch runs once. Code compiled for another chip than the option "chip"
 * of c names, or for a higher compute capability, is refused with WB_USAGE: load sources with the launch's chip. */
WB_API enum wb_status wb_launch_new(const struct wb_program *p, const char *kernel, const struct wb_config *c,
				    struct wb_launch **out, struct wb_diag *d);
WB_API void wb_launch_free(struct wb_launch *l);

/* Add the next argument, as the words of `-a` ("u32=5", "zero=1024", "in=FILE", "pad=4", "state=FILE"); before the
 * launch is prepared. Without any call the launch has the arguments of wb_kernel.args. gN[] bindings and constants
 * come from the configuration. */
WB_API enum wb_status wb_launch_arg(struct wb_launch *l, const char *arg, struct wb_diag *d);
/* The index-th file that the launch's options and arguments have read. False: past the end. */
WB_API bool wb_launch_file(const struct wb_launch *l, unsigned index, struct wb_file *out);
/* Copy n bytes from or to buffer argument `index` (counting every argument from 0). WB_USAGE: the argument is no
 * buffer, or the buffer is shorter than offset + n. */
WB_API enum wb_status wb_launch_read_arg(struct wb_launch *l, unsigned index, size_t offset, void *out, size_t n,
					 struct wb_diag *d);
WB_API enum wb_status wb_launch_write_arg(struct wb_launch *l, unsigned index, size_t offset, const void *in, size_t n,
					  struct wb_diag *d);
/* Bytes of a buffer argument; 0: the argument is no buffer. */
WB_API size_t wb_launch_arg_bytes(const struct wb_launch *l, unsigned index);
/* Copy n bytes from or to memory of the prepared, stopped or finished launch: space "g", "s" or "l" (the last block,
 * thread 0 for l), "c0" … "c15", "g0" … "g15". A launch that is stepped (section 7) refuses writes: going back must
 * lead to the same state. */
WB_API enum wb_status wb_launch_read(struct wb_launch *l, const char *space, uint64_t addr, void *out, size_t n,
				     struct wb_diag *d);
WB_API enum wb_status wb_launch_write(struct wb_launch *l, const char *space, uint64_t addr, const void *in, size_t n,
				      struct wb_diag *d);
/* Give register `reg` of `file` ("r", "c", "a") in one lane the value `value` at the start of the warp, in place of the
 * machine's own. Registers and lanes that the warp lacks are ignored. WB_USAGE: the launch is already prepared. */
WB_API enum wb_status wb_launch_set_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file,
					unsigned reg, unsigned lane, uint32_t value, struct wb_diag *d);

/* Set up memory, multiprocessors and the first blocks, after the last argument: an invalid launch is refused here at
 * the latest. Functions that run call this where needed. */
WB_API enum wb_status wb_launch_prepare(struct wb_launch *l, struct wb_diag *d);

/* Vertices, for machines whose threads have inputs and outputs: n vertices of wb_launch_in_words() words each. The
 * launch gets n threads; before the launch is prepared. 0 words: the program has no inputs. */
WB_API unsigned wb_launch_in_words(const struct wb_launch *l);
WB_API unsigned wb_launch_out_words(const struct wb_launch *l);
WB_API enum wb_status wb_launch_vertices(struct wb_launch *l, const uint32_t *words, uint32_t n, struct wb_diag *d);
/* Add one vertex as a text: numbers separated by commas, four for each input register, or registers by number or by the
 * file's name, "v0=1,2,3 normal=0,0,1"; missing components of a register are 0, 0, 0, 1. Where a thread takes a
 * primitive of several vertices, the attributes of all vertices follow each other; if the number of vertices varies,
 * the number comes first. */
WB_API enum wb_status wb_launch_vertex(struct wb_launch *l, const char *text, struct wb_diag *d);
/* The outputs of vertex `index` after the run, wb_launch_out_words() words; NULL past the end. */
WB_API const uint32_t *wb_launch_output(const struct wb_launch *l, uint32_t index);
/* The output registers that the file declares: bit n = register n of four words. */
WB_API uint32_t wb_launch_output_mask(const struct wb_launch *l);

/* A triangle emitted by a geometry program; triangles come in the order of the threads. */
struct wb_primitive {                   /* grows */
	uint32_t thread;
	bool winding;           /* the order of the vertices, from setemit */
	const uint32_t *vertices;       /* three vertices of wb_launch_out_words() words each */
};
/* The index-th triangle, valid until l moves. NULL: past the end, or the host has no memory. */
WB_API const struct wb_primitive *wb_launch_primitive(struct wb_launch *l, size_t index);

/* Read a scene (docs/reference/scenes.md), n bytes of JSON: the vertices, primitives or fragments of a graphics
 * program's threads, and their inputs; before the launch is prepared. `name` stands for the scene in diagnostics, and
 * the scene's files are relative to its folder. The option "scene" names a file instead. */
WB_API enum wb_status wb_launch_scene(struct wb_launch *l, const void *text, size_t n, const char *name,
				      struct wb_diag *d);

/* Graphics stage of a launch's threads. */
enum wb_stage { WB_STAGE_COMPUTE, WB_STAGE_VERTEX, WB_STAGE_PRIMITIVE, WB_STAGE_FRAGMENT };
/* The stage of a launch that has read a scene, and its number of threads; without a scene WB_STAGE_COMPUTE and 0.
 * Results have wb_launch_out_words() words; wb_launch_output has the results of vertices. */
WB_API enum wb_stage wb_launch_stage(const struct wb_launch *l, uint32_t *threads);
/* The stage of any launch, by the type of its program. */
WB_API enum wb_stage wb_launch_program_stage(const struct wb_launch *l);
/* A thread of a stage in words: "thread", "vertex", "primitive", "fragment"; several: "threads", "vertices", … NULL: no
 * stage. */
WB_API const char *wb_stage_name(enum wb_stage s, bool several);
/* The index-th vertex emitted by the thread of a primitive, and whether a strip ends with the vertex; NULL: past the
 * thread's last vertex or the limit. */
WB_API const uint32_t *wb_launch_emitted(const struct wb_launch *l, uint32_t thread, uint32_t index, bool *ends);
/* The rectangle of fragments: x, y, width, height in pixels. False: the threads are no fragments. */
WB_API bool wb_launch_rect(const struct wb_launch *l, uint32_t rect[4]);
/* The results of a pixel; NULL: the pixel is not covered, was killed, or has not ended yet. */
WB_API const uint32_t *wb_launch_pixel(const struct wb_launch *l, uint32_t x, uint32_t y);
/* The pixel of a thread: thread t is lane t modulo wb_machine.lanes of warp t / lanes of the launch. */
struct wb_fragment {
	uint32_t x;
	uint32_t y;
	bool covered;           /* false: a helper thread, which runs for the rest of its quad alone */
};
/* False: no such thread, or threads are no fragments. */
WB_API bool wb_launch_fragment(const struct wb_launch *l, uint32_t thread, struct wb_fragment *out);

/* What a call of printf in the program (OpenCL C) has printed for one lane. */
struct wb_print {
	const char *text;       /* UTF-8 with line ends as printed, no other control characters than tabs */
	uint32_t block;
	uint32_t warp;          /* of the block */
	uint32_t lane;
};
/* All that the program has printed up to now: by block, warp, order of issue within the warp, and lane. Returns the
 * number of elements of *out, which belongs to the library until the next call or the end of the launch; *lost is the
 * number of bytes that "printf-bytes" had no place for. */
WB_API size_t wb_launch_prints(struct wb_launch *l, const struct wb_print **out, uint64_t *lost);

/* Run to the end, or to the first fault, limit or hang. The report is valid in all cases. WB_USAGE: the launch has
 * already run. */
WB_API enum wb_status wb_launch_run(struct wb_launch *l, struct wb_diag *d);
/* Ask a running launch, from a signal handler or another thread, to stop: wb_launch_run returns WB_INTERRUPTED. */
WB_API void wb_launch_interrupt(struct wb_launch *l);
/* Saved runs. A launch that is not run yet may stop, between two turns of warps, to be saved: soon after this many
 * instructions have issued (UINT64_MAX: at no number), or after wb_launch_pause. wb_launch_run then returns WB_LIMIT,
 * or WB_INTERRUPTED after wb_launch_pause; the report is not valid, and the launch can only be saved and freed. The
 * launch runs instruction by instruction, as by the option "in-order". WB_USAGE: the launch has run or is stepped, or
 * has a policy or a record of the caller's. */
WB_API enum wb_status wb_launch_save_at(struct wb_launch *l, uint64_t instructions, struct wb_diag *d);
/* Ask a running launch of wb_launch_save_at, from a signal handler or another thread, to stop. */
WB_API void wb_launch_pause(struct wb_launch *l);
/* The run that stands still, as bytes for a file; the instructions issued up to now are in the message of
 * wb_launch_run. */
WB_API enum wb_status wb_launch_save(struct wb_launch *l, struct wb_text *out, struct wb_diag *d);
/* Go on with a saved run: l is a launch of the same version of the library with the same program, options (those of
 * the host apart), arguments and inputs, not run yet; wb_launch_run goes on to the results, report and status of a run
 * without a stop. The bytes are borrowed until then. writes: wb_launch_write_files writes the arguments' files, even
 * where wb_config_files has replaced the host's. WB_INPUT: the bytes are damaged, or another launch's, as wb_launch_run
 * may find. */
WB_API enum wb_status wb_launch_resume(struct wb_launch *l, const void *bytes, size_t n, bool writes,
				       struct wb_diag *d);
/* Progress of a running launch, from another thread: finished blocks, of all blocks. */
WB_API void wb_launch_progress(const struct wb_launch *l, uint64_t *done, uint64_t *all);
/* Instructions executed up to now, to within some ten thousand, and the number that the launch comes to if its other
 * blocks are like those executed completely; *expected is 0 where the ratio is not known: before the end of a first
 * block, and in runs that execute instructions one by one. Times of blocks follow their execution, so a launch is not
 * over when both are equal. */
WB_API void wb_launch_work(const struct wb_launch *l, uint64_t *executed, uint64_t *expected);
/* Write the out= and inout= buffers to their files. */
WB_API enum wb_status wb_launch_write_files(struct wb_launch *l, struct wb_diag *d);

/* Files as the library itself opens them, for callers whose own files should behave alike.
 *
 * An input: a descriptor to read from, which the caller closes; −1 and *d for a file that cannot be opened, for a
 * folder, and for a pipe without a writer for ten seconds. */
WB_API int wb_input_open(const char *path, struct wb_diag *d);
/* An output file is written without a name, in the folder of `path`, and replaces the file at `path` when closed as
 * whole; until then, and if the process ends early, the old file stays. A link at `path` is replaced, not followed;
 * devices, pipes, /dev/stdout and the like are written directly. NULL and *d: the output cannot be written. */
struct wb_output;
WB_API struct wb_output *wb_output_open(const char *path, struct wb_diag *d);
/* The descriptor to write to, which seeks where the file can; the output closes it. */
WB_API int wb_output_fd(const struct wb_output *o);
/* Close and free o. whole: false drops the written bytes. */
WB_API enum wb_status wb_output_close(struct wb_output *o, bool whole, struct wb_diag *d);
/* Open, write n bytes and close. */
WB_API enum wb_status wb_output_all(const char *path, const void *bytes, size_t n, struct wb_diag *d);

/* ==== 6 The report ================================================================================================ */

struct wb_counter {
	const char *name;       /* "divergent_branch" */
	double value;           /* in the unit that `help` names */
	bool integer;           /* a whole number */
	const char *help;       /* meaning, one line */
};
/* Names of all counters that reports can have; NULL past the end. */
WB_API const char *wb_counter_name(unsigned index);

/* Every lane slot of every issue, in exactly one member. Unit: lane slots. */
struct wb_bill {
	uint64_t lane_slots;    /* sum of all members below */
	uint64_t useful;        /* lanes that executed */
	uint64_t predicated;    /* active lanes that the predicate switched off */
	uint64_t branched_off;  /* lanes on another path */
	uint64_t brk;           /* lanes that broke out of a loop */
	uint64_t ret;           /* lanes that returned from a function */
	uint64_t exited;        /* lanes that ended */
	uint64_t absent;        /* lanes without a thread: the block does not fill the warp */
	uint64_t rejoin;        /* issues that only arrived at a join and switched paths */
	uint64_t helper; /* helper threads: fragments not covered or killed, which run for the rest of their quad */
};

/* A branch that sent lanes away. */
struct wb_branch {
	uint32_t pc;
	const char *text;       /* branch instruction */
	uint64_t splits;        /* times that lanes parted here; 0: every lane left, and the warp went on without */
	uint64_t lost;          /* lane slots lost by lanes on the other path */
};

/* Reasons of warps for not issuing, wb_stalls() of them: the first is issued, the last no_warp (the slot was empty),
 * all between are waits: not_selected, operand, pipe, memory, barrier, lock, fetch, texture; later releases insert more
 * before the last. Arrays of stalls have WB_STALLS elements, of which those from wb_stalls() on are 0. */
enum { WB_STALLS = 16 };
WB_API unsigned wb_stalls(void);
WB_API const char *wb_stall_name(unsigned index);   /* "not_selected"; NULL past the end */
WB_API const char *wb_stall_letter(unsigned index); /* for pictures, "o"; NULL past the end */
WB_API const char *wb_stall_text(unsigned index);   /* in words for a person; NULL past the end */
/* Colour of a reason in pictures on a light or dark ground, 0xrrggbb; 0: none of its own, or past the end. */
WB_API uint32_t wb_stall_colour(unsigned index, bool light);

struct wb_pc {
	uint32_t pc;
	const char *text;       /* instruction */
	const char *label;      /* label at this pc; NULL: none */
	int line;               /* source line, 1-based; 0: unknown */
	uint64_t issues;        /* issues of warps, arrivals at a join included */
	uint64_t threads;       /* lanes that executed the instruction, summed over issues */
	uint64_t lost;          /* lane slots lost by lanes that parted here */
	uint64_t taken;         /* issues as a branch taken by all active lanes */
	uint64_t not_taken;     /* issues as a branch taken by no lane */
	uint64_t diverged;      /* issues as a branch taken by some lanes */
	double lanes_mean;      /* active lanes of an issue, on average */
	uint64_t stalls[WB_STALLS];    /* warp cycles spent at this pc; all 0 without timing */
};

/* The producers of awaited results (option "producers"): warp cycles of the instruction at `pc`, for one reason, until
 * the result of the instruction at `producer` was ready. Where a warp waits for its own control flow or for a barrier,
 * `producer` is the branch or barrier; for a unit, each instruction that held the unit meanwhile, of whichever warp; at
 * the start of a warp, the waiting instruction. */
struct wb_cause {
	uint32_t pc;
	uint32_t producer;      /* pc of the producer */
	unsigned reason;        /* for wb_stall_name: operand, memory, texture, barrier or pipe */
	uint64_t cycles; /* warp cycles; in a finished launch, all causes of a pc and reason sum to its `stalls` */
};

/* The accesses of an instruction to one memory (option "accesses"), added up over the launch. Lanes access memory in
 * groups: half-warps on machines of 32 lanes. */
struct wb_access_cost {
	uint32_t pc;
	const char *space;      /* "s", "c", "l" or "g" */
	bool loads;
	bool stores;            /* both: atomics */
	uint64_t issues;        /* issues with lanes that accessed the memory */
	uint64_t threads;       /* those lanes */
	uint64_t groups;        /* groups with such lanes: the least number of passes */
	uint64_t passes;        /* passes through the banks of s[], or over the words of c[]; 0 for l[] and g[] */
	uint64_t transactions;  /* transactions of l[] and g[]; 0 for s[] and c[] */
	uint64_t bytes;         /* bytes of the transactions */
	uint64_t useful_bytes;  /* different bytes that the lanes of each group asked for */
};

struct wb_warp_report {
	uint32_t block;
	uint32_t warp;          /* index in the block */
	uint64_t issues;
	uint64_t cycles;        /* from its start to its end; 0 without timing */
	const uint64_t *stalls; /* wb_stalls() numbers of cycles, which sum to `cycles`; 0 without timing */
};

/* The launch in numbers. */
struct wb_launch_info {
	const char *kernel;
	const char *machine;    /* instruction set, as wb_isa_reference takes it */
	const char *chip;
	const char *format;     /* file format of the program, as wb_program_format */
	uint32_t grid[2];       /* blocks in x and y; those in z: wb_report.grid_z */
	uint32_t block[3];      /* threads in x, y and z */
	uint32_t blocks;        /* blocks of the grid; occupancy.warps_per_block warps each */
	uint32_t mps;           /* multiprocessors */
	uint32_t warp_lanes;    /* lanes of a warp */
	uint32_t warp_registers;            /* scalar registers of a warp; 0: the chip has none */
	enum wb_stage stage;                /* work of a shader's threads; blocks of a shader are warps */
	uint32_t stage_threads;             /* threads of the stage; 0: WB_STAGE_COMPUTE */
};

/* How the host executed the launch. Every other number of a report is independent of this. */
struct wb_execution {
	/* "trace-driven": each block was executed when placed, and timed by its traces; "precise": each instruction
	 * when issued; "untimed". */
	const char *kind;
	const char *precise_reason;         /* why the launch ran precisely; NULL: otherwise */
	unsigned threads;       /* host threads: the only number that may differ from run to run */
	const char *single_thread_reason;   /* why one thread ran although --threads asked for more; NULL: otherwise */
};

/* Resident blocks of a multiprocessor. */
struct wb_occupancy {
	uint32_t warps_per_block;
	uint32_t blocks;           /* blocks resident on a multiprocessor at once; 0: a block does not fit */
	uint32_t warps;            /* warps of the resident blocks */
	double percent;            /* resident warps in percent of the multiprocessor's warp slots */
	/* Resident blocks by each resource alone: */
	uint32_t limit_blocks;
	uint32_t limit_warps;
	uint32_t limit_regs;
	uint32_t limit_smem;
	uint32_t limit_warp_regs;  /* undefined on a chip without scalar registers (wb_chip.warp_registers 0) */
	const char *limiters[7];   /* resources that bound `blocks`; NULL-terminated */
};

/* The time of all warp slots by reason; all 0 without timing. */
struct wb_time {
	uint64_t slot_cycles;   /* warp slots of all multiprocessors × cycles: the sum of `stalls` */
	uint64_t stalls[WB_STALLS];         /* warp cycles */
	double warps_mean;      /* resident warps of a multiprocessor, averaged over cycles and multiprocessors */
	double path_busy;       /* share of cycles in which the path to global memory carried data, 0 to 1 */
};

struct wb_report {                      /* grows */
	const char *result;     /* ok fault limit deadlock livelock interrupted; NULL: not yet run */
	enum wb_status status;  /* return value of wb_launch_run */
	char digest[20];        /* hash of the event stream, hex */
	struct wb_launch_info launch;
	struct wb_execution execution;
	struct wb_occupancy occupancy;      /* of one multiprocessor, for any number of blocks in the grid */
	struct wb_time time;
	struct wb_bill bill;
	unsigned ncounters;
	const struct wb_counter *counters;
	unsigned nbranches;
	const struct wb_branch *branches;   /* most lost slots first */
	unsigned npcs;
	const struct wb_pc *pcs;            /* by address */
	unsigned ncauses;
	const struct wb_cause *causes;      /* by pc, most cycles first; empty without option "producers" */
	unsigned nwarps;
	const struct wb_warp_report *warps; /* by block and warp */
	unsigned nwaits;
	const char *const *waits; /* after a deadlock, livelock or fault: the state of each warp, a line each */
	unsigned nwarnings;
	const char *const *warnings;        /* one a line */
	uint32_t grid_z;        /* blocks in z, beside launch.grid */
	unsigned naccesses;
	const struct wb_access_cost *accesses;      /* by pc and memory; empty without option "accesses" */
};

/* The report of a finished launch, or of a stepped launch up to its position. The struct and all its pointers are valid
 * until l moves or is freed, or the next call. Before the run the report is empty. NULL: the host has no memory. */
WB_API const struct wb_report *wb_launch_report(struct wb_launch *l);
/* The same report without rows by pc, by branch, by access and by wait, whose texts take longer than many a launch of a
 * host program; with all rows if wb_launch_report has made them, or if l is stepped. */
WB_API const struct wb_report *wb_launch_totals(struct wb_launch *l);

/* ==== 7 Stepping ==================================================================================================
 *
 * A started launch stands before its first instruction, or after any later instruction; its position is the number of
 * instructions issued so far, in the order of the machine; a fault, a limit or a hang that ends the launch is one
 * position more. Everything is deterministic: a position is always the same state, reached forwards or backwards. */

enum wb_stop {                     /* reasons for a stop; several may hold */
	WB_STOP_COUNT = 1,         /* the goal's number of issues or cycles is reached */
	WB_STOP_DIVERGED = 2,      /* a branch split the warp, or an instruction took lanes from a mask register */
	/* paths met, one path has reached the reconvergence point, or a mask register has got lanes back */
	WB_STOP_REJOINED = 4,
	WB_STOP_BARRIER = 8,       /* a barrier released warps */
	WB_STOP_LOCK = 16,         /* a lock of s[] was released */
	WB_STOP_BREAK = 32,        /* a breakpoint, or the program's own */
	WB_STOP_WATCH = 64,        /* a watched expression changed its value */
	WB_STOP_WHEN = 128,        /* the goal's expression holds */
	/* A launch stops for these always: */
	WB_STOP_END = 256,         /* the launch is over (wb_where.result) */
	WB_STOP_START = 512,       /* backwards: position 0 is reached */
	WB_STOP_INTERRUPTED = 1024,
};

/* Effects of an instruction on the active mask. Where a machine steers lanes by a mask register
 * (wb_launch_mask_register), an instruction that takes launched lanes out has PUSH, with BRANCH and DIVERGED while
 * other lanes stay; an instruction that brings lanes back has MERGED, and POP with MERGED if all that ran are out in
 * exchange. */
enum wb_flow {
	WB_FLOW_BRANCH = 1,        /* a branch */
	WB_FLOW_TAKEN = 2,         /* taken by some lanes */
	WB_FLOW_DIVERGED = 4,      /* not taken by other lanes */
	WB_FLOW_PUSH = 8,          /* it pushed on the warp's stack */
	WB_FLOW_POP = 16,          /* popped from the warp's stack */
	WB_FLOW_REJOIN = 32,       /* only arrived at a join and switched paths */
	WB_FLOW_MERGED = 64,       /* a join let the merged mask through */
};

/* A warp's latest attempt to issue an instruction. */
struct wb_action {
	uint64_t cycle;            /* cycle of the issue */
	uint32_t mp;               /* multiprocessor */
	uint32_t slot;             /* warp slot of the multiprocessor */
	uint32_t block;
	uint32_t warp;             /* index in the block */
	uint32_t pc;               /* pc of the instruction */
	uint64_t active;           /* mask: active lanes */
	uint64_t executed;         /* mask: active lanes that the predicate let execute */
	unsigned flow;             /* enum wb_flow bits */
	bool issued;               /* false: not issued, the warp must wait */
};

struct wb_where {
	unsigned stops;            /* enum wb_stop bits */
	int id;                    /* breakpoint or watch that stopped the launch; 0: none */
	uint64_t issue;            /* position */
	uint64_t cycle;            /* cycle of the multiprocessor that is furthest */
	bool began;                /* `last` is valid: a warp has acted */
	struct wb_action last;
	uint64_t turns;            /* issues and attempts run by this move */
	const char *result;        /* as wb_report.result; "ok" while the launch runs */
	bool over;
};

/* Target of a move; a member of zero sets no bound. */
struct wb_goal {
	/* enum wb_stop bits to stop at; WB_STOP_BREAK arms breakpoints, WB_STOP_WATCH watches */
	unsigned stops;
	uint64_t issues;           /* stop after this number of issues */
	uint64_t cycles;           /* stop after this number of cycles */
	bool one_warp;             /* count only issues of this warp, and stop only at its actions */
	uint32_t block;
	uint32_t warp;
	/* Count only issues and cycles of this multiprocessor, and stop only at its actions; breakpoints and watches of
	 * other multiprocessors stop too. Cycles of this multiprocessor ascend from position to position. Several
	 * multiprocessors take turns of some hundred cycles, within which each runs independently of the others. */
	bool one_mp;
	uint32_t mp;
	const char *when; /* stop where this expression is not 0 (docs/reference/expressions.md); NULL: nowhere */
};

/* One issue that has just happened. */
struct wb_issue {                       /* grows */
	uint64_t issue;            /* position after the issue */
	const struct wb_action *action;
	uint64_t gone; /* mask: lanes that broke, returned, exited or never existed; ~0: the block has ended */
	uint32_t depth;            /* entries on the warp's stack */
	const uint64_t *stalls;    /* wb_stalls() cycles of the warp by reason, this issue included; NULL untimed */
};
/* Call `issued` for every issue while l moves, also for issues that a move backwards runs again; before the start.
 * Arguments are valid until `issued` returns. NULL: no calls. */
WB_API void wb_launch_listen(struct wb_launch *l, void (*issued)(void *context, const struct wb_issue *i),
			     void *context);

/* Bytes that moves backwards may use, beside two copies of the machine's state; before the start. Default 48 MiB, and
 * at least three more copies. Within the recorded range a move runs at most 1,024 issues further than needed, n times
 * 1,024 on a machine with 32 (n - 1) to 32 n MiB of state; a move to an earlier position runs from the beginning. */
WB_API enum wb_status wb_launch_record_bytes(struct wb_launch *l, size_t bytes, struct wb_diag *d);
/* Prepare l if needed and stand before its first instruction. Functions below call this where needed. */
WB_API enum wb_status wb_launch_start(struct wb_launch *l, struct wb_diag *d);
/* Move until the goal is met; at most to the end. A move is at least one issue, unless none is left. Guest faults and
 * hangs are no errors here: the launch ends, and *where says why. */
WB_API enum wb_status wb_launch_forward(struct wb_launch *l, const struct wb_goal *g, struct wb_where *where,
					struct wb_diag *d);
WB_API enum wb_status wb_launch_back(struct wb_launch *l, const struct wb_goal *g, struct wb_where *where,
				     struct wb_diag *d);
/* Go to a position, or to the first position whose cycle is not less, forwards or backwards; breakpoints do not stop
 * the move. */
WB_API enum wb_status wb_launch_goto(struct wb_launch *l, uint64_t issue, struct wb_where *where, struct wb_diag *d);
WB_API enum wb_status wb_launch_goto_cycle(struct wb_launch *l, uint64_t cycle, struct wb_where *where,
					   struct wb_diag *d);
/* The present position; `stops` and `id` are 0. */
WB_API void wb_launch_where(const struct wb_launch *l, struct wb_where *where);
/* Cycle of multiprocessor mp of a started launch; 0: no such multiprocessor. */
WB_API uint64_t wb_launch_cycle(const struct wb_launch *l, uint32_t mp);
/* A hash of the whole machine state: equal at equal positions. */
WB_API uint64_t wb_launch_state_hash(const struct wb_launch *l);

/* Breakpoints and watches, for goals with WB_STOP_BREAK and WB_STOP_WATCH. A breakpoint's text is "PLACE", "PLACE if
 * EXPRESSION" or "if EXPRESSION". PLACE is a label or a pc: a warp stops before executing the instruction there. PLACE
 * may also be a source line, "FILE:LINE", ":LINE" or "line LINE", or the next line with instructions: a warp stops when
 * it comes to the line, at whichever of the line's instructions. A watch's text is an EXPRESSION. Without bN. and wN.
 * an expression is about the warp that acted last, in a watch about warp `warp` of block `block`. */
struct wb_break {
	int id;                    /* from 1 */
	enum wb_stop kind;         /* WB_STOP_BREAK or WB_STOP_WATCH */
	const char *text;          /* valid until the breakpoint is removed */
	uint64_t hits;             /* stops of the launch */
};
WB_API enum wb_status wb_launch_break(struct wb_launch *l, enum wb_stop kind, const char *text, uint32_t block,
				      uint32_t warp, int *id, struct wb_diag *d);
/* False: no breakpoint or watch has this id. */
WB_API bool wb_launch_unbreak(struct wb_launch *l, int id);
/* The index-th breakpoint or watch; false: past the end. */
WB_API bool wb_launch_breaks(const struct wb_launch *l, unsigned index, struct wb_break *out);
/* The resolved place of a breakpoint on a source line, "line 13, 0x0048", as snprintf; 0: no such id, or not set by a
 * line. */
WB_API size_t wb_launch_break_place(const struct wb_launch *l, int id, char *text, size_t size);
/* The value of an expression for a warp; WB_USAGE: a syntax error, or a name that does not exist. */
WB_API enum wb_status wb_launch_value(const struct wb_launch *l, const char *expression, uint32_t block, uint32_t warp,
				      uint64_t *value, struct wb_diag *d);

/* ==== 8 Looking at a launch that stands still ===================================================================== */

struct wb_machine {
	uint32_t mps;              /* multiprocessors */
	uint32_t slots;            /* warp slots of a multiprocessor */
	uint32_t lanes;            /* lanes of a warp, at most WB_LANES */
	uint32_t warps_per_block;
	uint32_t registers;        /* registers of a thread */
	uint32_t shared_bytes;     /* bytes of s[] of a block */
	uint32_t issue_cycles;     /* least cycles between two issues of a warp */
	uint32_t shared_banks;     /* banks of s[]: word n lies in bank n modulo shared_banks */
};
WB_API void wb_launch_machine(const struct wb_launch *l, struct wb_machine *out);
/* SIMDs of a multiprocessor, which issue in turn: warp slot s is on SIMD s modulo this number. */
WB_API uint32_t wb_launch_simds(const struct wb_launch *l);
/* The register that holds the active mask, as texts name it; NULL: a machine with a control-flow stack. */
WB_API const char *wb_launch_mask_register(const struct wb_launch *l);

enum wb_wait { WB_WAIT_NONE, WB_WAIT_BARRIER, WB_WAIT_LOCK, WB_WAIT_DONE, WB_WAIT_FAULT };

struct wb_warp {
	uint32_t mp;               /* multiprocessor */
	uint32_t slot;             /* warp slot of the multiprocessor */
	uint32_t block;
	uint32_t warp;             /* index in the block */
	uint32_t pc;               /* pc of the next instruction */
	uint64_t launched;         /* mask: lanes that exist; each is in exactly one of the next five masks */
	uint64_t active;           /* mask: lanes on the current path */
	uint64_t branched_off;     /* mask: lanes on another path */
	uint64_t broke;            /* mask: lanes that broke out of a loop */
	uint64_t returned;         /* mask: lanes that returned from a function */
	uint64_t exited;           /* mask: lanes that ended */
	enum wb_wait waits;
	uint32_t waits_for;        /* number of the barrier; 0 unless `waits` is WB_WAIT_BARRIER */
	const char *stall;         /* why the warp does not issue now, as wb_stall_name; NULL: ended, or no timing */
	unsigned depth;            /* entries on the control-flow stack */
	uint64_t issues;
	bool issued_last;          /* the latest issue of the multiprocessor was this warp's */
	bool acted;                /* `action` is valid */
	struct wb_action action;
};

/* The warp in a slot of a multiprocessor; false: the slot is empty. Finished warps stay until their block ends. */
WB_API bool wb_launch_warp(const struct wb_launch *l, uint32_t mp, uint32_t slot, struct wb_warp *out);
/* The warp of a block by index; false: the block is not resident. */
WB_API bool wb_launch_find_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, struct wb_warp *out);

/* A result that a warp's next instruction needs and that is not ready yet; with an empty name, the warp's previous
 * instruction, which is not over yet; with the name "its unit", the unit of a ready warp's next instruction, which
 * another instruction holds. */
struct wb_awaited {
	char name[16];             /* register, "$r7", or wait counter */
	bool known;                /* `producer` is valid: option "producers" was on */
	uint32_t producer;         /* pc of the instruction that makes the result, or holds the unit */
	unsigned reason;           /* reason charged for the wait, for wb_stall_name */
	uint64_t ready_at;         /* cycle of the multiprocessor in which the result is ready, as known now */
};
/* The index-th awaited result, latest first; false: past the end, or no timing. */
WB_API bool wb_launch_awaited(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index,
			      struct wb_awaited *out);
/* Mask of helper lanes of the warp in a slot: pixels not covered or killed, which run for the rest of their quad. */
WB_API uint64_t wb_launch_helpers(const struct wb_launch *l, uint32_t mp, uint32_t slot);

/* An entry of a warp's control-flow stack. */
struct wb_stack {
	const char *name;          /* "branch", "joinat", … */
	uint32_t pc;               /* pc after the entry is popped */
	uint64_t mask;             /* lanes that run there */
};
/* Entry `level` of a warp's stack, 0 = top; false: below the bottom. */
WB_API bool wb_launch_stack(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned level,
			    struct wb_stack *out);

/* A register by its name ("$r3", "$c0", "$a1"; of a shader "r2.y", "cmp.x", "aL", "emit.vertex"; the $ is optional) in
 * every lane: value[n] of lane n, 0 past the machine's lanes. The warp's block is resident, or has ended and no other
 * block has taken its slots yet. WB_USAGE: the warp's registers do not exist, or no register has this name. */
WB_API enum wb_status wb_launch_read_register(const struct wb_launch *l, uint32_t block, uint32_t warp,
					      const char *name, uint32_t value[WB_LANES], struct wb_diag *d);
/* The extent of a register: a value for each lane, one value for the warp, or a mask whose bit n is lane n's. */
enum wb_scope { WB_SCOPE_LANES, WB_SCOPE_WARP, WB_SCOPE_MASK };
struct wb_register {
	enum wb_scope scope;
	unsigned bits;             /* width of a value: 32 or 64; of a mask: the machine's lanes */
	uint64_t one;              /* value of a register of the whole warp, or the mask */
	uint64_t value[WB_LANES];  /* value[n] in lane n; of a mask, bit n */
};
/* The same for any register with its extent. The name may join two components ("v0.xy", x in the lower 32 bits), or two
 * registers where the machine's texts have ranges ("s[4:5]", "v[2:3]"). */
WB_API enum wb_status wb_launch_register(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name,
					 struct wb_register *out, struct wb_diag *d);

/* ---- variables of the source, by the debug information of a program that was compiled from C ---- */

enum wb_value_kind { WB_VALUE_UNSIGNED, WB_VALUE_SIGNED, WB_VALUE_FLOAT, WB_VALUE_POINTER };
/* A variable, or a part of one, at the pc of a warp's next instruction. */
struct wb_variable {
	const char *type;          /* as the source spells it: "uint", "float[6]", "struct body" */
	enum wb_value_kind kind;
	unsigned bits;             /* width of a value, 8 to 64; of a bit field less, of a half as a float 32 */
	unsigned parts;            /* members of a struct or elements of an array, without a value; 0: a value */
	bool is_array;             /* parts are elements of an array, or components of a vector */
	enum wb_scope scope;       /* WB_SCOPE_LANES, or WB_SCOPE_WARP: all lanes have one value, by its place */
	/* mask: lanes with a value or parts, active lanes alone, since the place is that of the active lanes' pc; 0:
	 * nothing is here now */
	uint64_t lanes;
	uint64_t value[WB_LANES];  /* value[n] in lane n: integers extended to 64 bits by kind, floats as bits */
	char place[160];           /* where the value is, "v3", "argument"; without lanes, why there is none */
};
/* The variable that a path names for a warp: "n", "a[3]", "a[i]", "body.at.x", "p->n", "p[2]", "*p"; 'n' in quotes is
 * never anything but a variable. WB_USAGE: no such variable, out of scope, or no debug information; the text says
 * which, and where the variable is in scope. */
WB_API enum wb_status wb_launch_variable(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *path,
					 struct wb_variable *out, struct wb_diag *d);
/* The path of part `index` of a variable with parts, "a[3]", as snprintf; 0: past the end, or no such variable. */
WB_API size_t wb_launch_variable_part(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *path,
				      unsigned index, char *text, size_t size);
/* The name of the index-th variable in scope at a pc, innermost scope first; NULL: past the end, or no debug
 * information. A name that an inner variable hides is left out. */
WB_API const char *wb_launch_variable_name(const struct wb_launch *l, uint32_t pc, unsigned index);
/* The length of the path at the start of a text; 0: no variable of the program begins there. */
WB_API size_t wb_launch_variable_path(const struct wb_launch *l, const char *text);

enum { WB_BARRIERS = 16 };
struct wb_barrier {
	uint32_t arrived;          /* warps */
	uint32_t expected;         /* warps; 0: no warp has arrived yet */
	uint64_t waiting;          /* mask: warps of the block */
};
/* Barrier n of the block of a slot's warp; false: the slot is empty, or n is WB_BARRIERS or more. */
WB_API bool wb_launch_barrier(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned n,
			      struct wb_barrier *out);

struct wb_lock {
	uint32_t addr;             /* byte address of the lock's word in s[] */
	uint32_t owner;            /* index in the block of the warp that holds the lock */
	uint64_t waiters;          /* mask: warps of the block */
};
/* The index-th lock held in the block of a slot's warp; false: past the end. */
WB_API bool wb_launch_lock(const struct wb_launch *l, uint32_t mp, uint32_t slot, unsigned index, struct wb_lock *out);
/* The shared memory of the block of a slot's warp, *bytes long; NULL: the slot is empty. Valid until the launch
 * moves. */
WB_API const uint8_t *wb_launch_shared(const struct wb_launch *l, uint32_t mp, uint32_t slot, uint32_t *bytes);

/* An instruction's access to one memory. Lanes access memory in groups, one group after another. */
enum { WB_GROUPS = 4 };            /* array size for the groups of any machine's warps */
struct wb_access {
	char space[8];             /* "s", "l", "c0" … "c15", "g0" … "g15" */
	bool loads;
	bool stores;               /* both: an atomic */
	uint32_t width;            /* bytes a lane */
	uint64_t lanes;            /* mask: lanes that accessed memory */
	uint64_t addr[WB_LANES];   /* byte address by lane; 0 for lanes that did not access memory */
	uint32_t group_lanes;      /* lanes of a group: 16, a half-warp, on machines of 32 lanes */
	uint32_t groups;           /* groups of a warp, at most WB_GROUPS */
	/* By group, after the machine's rules; 0 without an access: */
	uint32_t passes[WB_GROUPS]; /* passes through the banks of s[] or over the words of c[], broadcasts included */
	uint32_t transactions[WB_GROUPS];  /* transactions of g[] */
	uint32_t bytes[WB_GROUPS];         /* bytes of the transactions */
};
/* The index-th access of the latest instruction, at most two; false: past the end, or not counted (timing and
 * stats-level are off). */
WB_API bool wb_launch_access(const struct wb_launch *l, unsigned index, struct wb_access *out);

struct wb_code {
	uint32_t pc;
	uint32_t length;           /* bytes */
	char text[256];
	const char *label;         /* label at this pc; NULL: none */
	int line;                  /* source line, 1-based; 0: unknown */
};
/* Whether the instruction at `pc` waits for a result of an earlier instruction at `on`. */
enum wb_depends { WB_DEPENDS_NO, WB_DEPENDS_OPERAND, WB_DEPENDS_MEMORY /* a result from global memory */ };
/* *behind: later instructions of the same wait counter that may still be under way, else 0. WB_DEPENDS_NO in a launch
 * without timing, prepared or not. */
WB_API enum wb_depends wb_launch_depends(const struct wb_launch *l, uint32_t pc, uint32_t on, unsigned *behind);
/* Whether a compiler made the instructions from the source, many from a line; false also without a source. */
WB_API bool wb_launch_compiled(const struct wb_launch *l);
/* The instruction at a pc; false: outside the program. */
WB_API bool wb_launch_code(const struct wb_launch *l, uint32_t pc, struct wb_code *out);
/* The pc of a label; false: no label has this name. */
WB_API bool wb_launch_label(const struct wb_launch *l, const char *name, uint32_t *pc);
WB_API uint32_t wb_launch_code_bytes(const struct wb_launch *l);
/* The line of the text between source and code (PTX behind a source in C) that the instruction at `pc` was made of:
 * *line its number, *n its bytes without the line's end. NULL: there is no such text or line. */
WB_API const char *wb_launch_beside(const struct wb_launch *l, uint32_t pc, int *line, int *n);
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

/* Every kind has the first four members; wb_event_field tells the others of a kind. */
struct wb_event {
	enum wb_event_kind kind;
	uint64_t cycle;
	uint64_t mp;               /* multiprocessor */
	uint64_t slot;             /* warp slot of the multiprocessor */
	uint64_t block;
	uint64_t warp;             /* index in the block */
	uint64_t pc;               /* pc of the instruction */
	uint64_t active;           /* mask: lanes */
	uint64_t executed;         /* mask: lanes that the predicate let through */
	uint64_t depth;            /* entries of the control-flow stack after the issue */
	uint64_t flow;             /* enum wb_flow bits */
	uint64_t waited;           /* cycles without an issue since the warp's previous issue */
	uint64_t reason;           /* reason of most of the cycles in `waited`, for wb_reason */
	uint64_t barrier;          /* number of the barrier */
	uint64_t addr;             /* byte address of the lock's word in s[] */
	uint64_t warps;            /* mask: released warps of the block, or all warps of a new block */
	uint64_t fault;            /* kind of fault; wb_event_field has its name */
};

/* A piece of a record, as bytes with all state that a reader needs. */
struct wb_chunk {
	const void *bytes;         /* NULL: earlier chunks are void, see wb_launch_record */
	size_t size;               /* bytes */
	uint64_t events;
	uint64_t first_cycle;
	uint64_t last_cycle;
};

/* Record the events of l, which has not run yet, in a ring of `bytes` bytes (0: 12 MiB). `sink` (NULL: none) gets every
 * full chunk, and the rest at the end of wb_launch_run; a chunk is valid until `sink` returns. A chunk whose bytes are
 * NULL voids all earlier chunks: the launch starts again, precisely, because its traces cannot give the exact times. */
WB_API enum wb_status wb_launch_record(struct wb_launch *l, size_t bytes,
				       void (*sink)(void *context, const struct wb_chunk *c), void *context,
				       struct wb_diag *d);
/* Record the issues of l, which has not run yet, with all that a picture of the run needs, in the order of positions
 * (section 7): issue number i of the record, from 0, leads from position i to position i + 1, however the run is
 * executed. `sink` gets every chunk, as above, and may call wb_launch_interrupt on l: the run then ends soon, and the
 * record has all issues up to the last. wb_launch_where tells the position and the cycle of the end of such a run. */
WB_API enum wb_status wb_launch_record_issues(struct wb_launch *l,
					      void (*sink)(void *context, const struct wb_chunk *c), void *context,
					      struct wb_diag *d);
/* Totals of a record, including events no longer in the ring. */
struct wb_record {
	uint64_t events;
	uint64_t dropped;          /* events that have left the ring */
	uint64_t chunks;           /* chunks in the ring */
	uint64_t by_kind[WB_EVENT_KINDS];   /* events of each kind */
};
WB_API void wb_launch_recorded(const struct wb_launch *l, struct wb_record *out);
/* The index-th chunk in the ring, oldest first; false: past the end. Its bytes are valid until l moves. Events go by
 * cycle, then by multiprocessor; with several multiprocessors, events of the latest few hundred cycles follow once
 * those cycles are over. */
WB_API bool wb_launch_chunk(const struct wb_launch *l, uint64_t index, struct wb_chunk *out);

/* A reader of the events of one chunk. */
struct wb_events;
/* Open a reader. The bytes must outlive the reader. NULL: the host has no memory. */
WB_API struct wb_events *wb_events_open(const void *bytes, size_t size);
/* The next event. False: the end, or bytes that are no event (*bad, which may be NULL, tells). */
WB_API bool wb_events_next(struct wb_events *r, struct wb_event *e, bool *bad);
/* What an issue of a record of issues has beside its event. */
struct wb_issue_detail {                /* grows */
	uint64_t gone;             /* mask: lanes that broke, returned, exited or never existed, after the issue */
	uint32_t waits[WB_STALLS]; /* cycles of wb_event.waited, by reason */
};
/* The detail of the issue e that wb_events_next has just read, valid until the next call on r. */
WB_API const struct wb_issue_detail *wb_events_detail(struct wb_events *r, const struct wb_event *e);
WB_API void wb_events_close(struct wb_events *r);

/* The name of a kind, "issue"; k is below WB_EVENT_KINDS. */
WB_API const char *wb_event_name(enum wb_event_kind k);
/* The name of wb_event.reason, by wb_stall_name; NULL past the end. */
WB_API const char *wb_reason(unsigned reason);
/* The name of the index-th field of events, in the order of the JSON object; NULL past the end. The field's value in e
 * goes to `text`, at most `size` bytes, "" if e's kind lacks the field. e NULL: the name alone, and text is not
 * touched. */
WB_API const char *wb_event_field(const struct wb_event *e, unsigned index, char *text, size_t size);
/* One event as a line of text, or as a JSON object; returns the length of the whole text, like snprintf. */
WB_API size_t wb_event_text(const struct wb_event *e, bool json, char *text, size_t size);

/* ==== 10 Chips ==================================================================================================== */

struct wb_block_needs {
	uint32_t threads;
	uint32_t registers;        /* 32-bit registers of a thread */
	uint32_t warp_registers;   /* scalar registers of a warp; 0 on a chip without scalar registers */
	uint32_t shared_bytes;     /* bytes of a block, static and dynamic */
};
/* The number of blocks with these needs that a multiprocessor of the chip takes. rules: "xls" or "occ7"; NULL:
 * "xls". */
WB_API enum wb_status wb_occupancy(const char *chip, const struct wb_block_needs *block, const char *rules,
				   struct wb_occupancy *out, struct wb_diag *d);

/* The limits of a chip. Fixed. */
struct wb_chip {
	uint32_t warp_lanes;       /* lanes of a warp */
	uint32_t max_threads;      /* threads of a block */
	uint32_t max_registers;    /* registers of a thread */
	uint32_t warp_registers;   /* scalar registers that the warps share; 0: the chip has none */
	uint32_t shared_bytes;     /* s[] of a block, at most */
	uint32_t shared_unit;      /* bytes: a block's s[] is rounded up to a multiple */
};
/* WB_USAGE: no chip has this name. */
WB_API enum wb_status wb_chip(const char *name, struct wb_chip *out, struct wb_diag *d);

struct wb_timing_info {
	const char *key;           /* "alu.latency" */
	const char *unit;          /* unit of the value: "cycles" */
	const char *label;         /* kind of evidence: "A", "B", "ours", … (docs/explanation/timing.md) */
	const char *source;        /* document or measurement */
	uint32_t value;
};
/* Number `index` of a chip's timing model; WB_USAGE past the end or for an unknown chip. */
WB_API enum wb_status wb_timing(const char *chip, unsigned index, struct wb_timing_info *out);

/* ==== 11 Devices: memory and prepared kernels that outlive launches ===============================================
 *
 *     struct wb_device *device;
 *     struct wb_prepared *kernel;
 *     uint64_t a;
 *     wb_device_new(config, &device, &d);
 *     wb_memory_alloc(device, 4096, &a, &d);
 *     wb_prepare(device, program, "scale", &kernel, &d);
 *     for (int i = 0; i < 10; i++) {
 *             struct wb_launch *launch;
 *             wb_launch_on(device, kernel, &(struct wb_launch_size){ { 8 }, { 128 } }, &a, sizeof a, &launch, &d);
 *             wb_launch_run(launch, &d);
 *             wb_launch_free(launch);
 *     }
 *
 * Ownership. A program must outlive the devices that have loaded it; a device and a prepared kernel must outlive their
 * launches. Threads. One thread at a time uses a device, its launches included; a prepared kernel is const, and any
 * number of threads may launch it, each on a device of its own. */

struct wb_device;
struct wb_prepared;

/* A device: the chip that the option "chip" of c names (g200 if none), with memory of its own, and c as the options of
 * all its launches. c is copied. */
WB_API enum wb_status wb_device_new(const struct wb_config *c, struct wb_device **out, struct wb_diag *d);
WB_API void wb_device_free(struct wb_device *v);

/* Allocate `bytes` zero bytes of global memory at *address, a multiple of 256. Addresses follow from the order of the
 * calls: the first free place that is large enough. 0 bytes: an address with nothing behind, not to be freed. WB_USAGE:
 * no place is left; WB_LIMIT: the option "max-memory"; WB_ENV: the host has no memory. While a launch on the device is
 * stepped (section 7), functions that change memory fail with WB_USAGE. */
WB_API enum wb_status wb_memory_alloc(struct wb_device *v, uint64_t bytes, uint64_t *address, struct wb_diag *d);
/* What kernels may do with an allocation: bits of enum wb_memory_use, both at first. Anything else is a finding of the
 * option "check" with "bounds". WB_USAGE: no allocation begins at the address; WB_ENV: the host has no memory. */
enum wb_memory_use { WB_MEMORY_LOADS = 1, WB_MEMORY_STORES = 2 };
WB_API enum wb_status wb_memory_allow(struct wb_device *v, uint64_t address, unsigned uses, struct wb_diag *d);
/* Free an allocation; later accesses are a fault of the launch. WB_USAGE: none begins at the address. */
WB_API enum wb_status wb_memory_free(struct wb_device *v, uint64_t address, struct wb_diag *d);
/* The allocation, or the variable, with an address: its first address and its bytes. False: there is none. */
WB_API bool wb_memory_find(const struct wb_device *v, uint64_t address, uint64_t *start, uint64_t *bytes);
/* Copy n bytes from and to global memory, and within global memory, where the ranges may overlap; write the
 * `pattern_bytes` (1 to 128) bytes of `pattern` over n bytes again and again, the last time in part. WB_USAGE: not all
 * n bytes exist; nothing is changed then. */
WB_API enum wb_status wb_memory_read(const struct wb_device *v, uint64_t address, void *out, size_t n,
				     struct wb_diag *d);
WB_API enum wb_status wb_memory_write(struct wb_device *v, uint64_t address, const void *in, size_t n,
				      struct wb_diag *d);
WB_API enum wb_status wb_memory_copy(struct wb_device *v, uint64_t to, uint64_t from, size_t n, struct wb_diag *d);
WB_API enum wb_status wb_memory_fill(struct wb_device *v, uint64_t address, const void *pattern, size_t pattern_bytes,
				     size_t n, struct wb_diag *d);
/* The n bytes from an address on as bytes of the host, which launches change and the caller may change between
 * launches; valid until the memory is freed. NULL: not all exist, or they do not lie side by side in the host: copy
 * them. Memory within a multiple of 64 KiB does, and so do larger allocations that begin at such an address. */
WB_API void *wb_memory_view(struct wb_device *v, uint64_t address, size_t n);

/* Place the variables of a program in the device's memory, once, with their first values; they keep address and value
 * from launch to launch. Of a program for several chips, the part for the device's chip. wb_prepare calls this where
 * needed. WB_USAGE: no part of the program is for the device's chip. */
WB_API enum wb_status wb_device_load(struct wb_device *v, const struct wb_program *p, struct wb_diag *d);

/* A variable of a loaded program. */
struct wb_variable_place {              /* grows */
	const char *name;       /* as the file has it; "": a section of variables whose names the file lacks */
	const char *space;      /* "g": global memory; "c0" … "c15": a constant bank */
	uint64_t address;       /* in global memory, or offset in the constant bank */
	uint64_t bytes;
};
/* The index-th variable, valid until the next call on v; NULL: past the end, or the program is not loaded. */
WB_API const struct wb_variable_place *wb_device_variable(struct wb_device *v, const struct wb_program *p,
							  unsigned index);
/* Copy n bytes from or to the variable of this name, from byte `offset` on, in either space. Launches made later see
 * what is written to a constant. WB_USAGE: no such variable, or it is shorter. */
WB_API enum wb_status wb_device_read_variable(struct wb_device *v, const struct wb_program *p, const char *name,
					      uint64_t offset, void *out, size_t n, struct wb_diag *d);
WB_API enum wb_status wb_device_write_variable(struct wb_device *v, const struct wb_program *p, const char *name,
					       uint64_t offset, const void *in, size_t n, struct wb_diag *d);

/* Decode, bind and translate kernel `kernel` of p (NULL: the option "kernel", else the only kernel) for v's chip and
 * options, once for any number of launches. The prepared kernel may be launched on every device of the same chip. */
WB_API enum wb_status wb_prepare(struct wb_device *v, const struct wb_program *p, const char *kernel,
				 struct wb_prepared **out, struct wb_diag *d);
WB_API void wb_prepared_free(struct wb_prepared *k);

/* A parameter of a prepared kernel. Texts are "" where the file does not say. */
struct wb_parameter {                   /* grows */
	const char *name;
	const char *type;       /* as the file spells it */
	const char *space;      /* memory that a pointer points to: "global", "constant", "local" (shared memory of a
	                         * block); "private": a value */
	const char *access;     /* of an image or a pointer: "read_only", "write_only", "read_write" */
	const char *kind;       /* "value", "pointer", "local" (the address of dynamic shared memory), "image", … */
	uint32_t offset;        /* bytes from the first parameter */
	uint32_t size;          /* bytes */
	const char *qualifiers; /* of a pointer's type: "const restrict volatile"; "": none, or not said */
};
/* An image of OpenCL C in global memory: an argument of kind "image" is the address of this, and one of kind "sampler"
 * the bits CLK_… of OpenCL C. Sizes that an image does not have are 1; layers of an array are its depth. In `reads` and
 * `writes` the four bits from 4 * k on are a number: in `reads`, of the channel that component k of a colour is read
 * from, 4 for the constant 0, 5 for 1; in `writes`, of the component that channel k is written from. */
enum wb_image_kind {
	WB_IMAGE_UNORM, WB_IMAGE_SNORM, WB_IMAGE_SIGNED, WB_IMAGE_UNSIGNED, WB_IMAGE_HALF, WB_IMAGE_FLOAT,
	WB_IMAGE_565, WB_IMAGE_555, WB_IMAGE_101010     /* a word a texel */
};
struct wb_image {                       /* fixed: kernels read it */
	uint64_t texels;        /* address of the first */
	uint32_t width;         /* texels */
	uint32_t height;
	uint32_t depth;
	uint32_t row;           /* bytes from row to row */
	uint32_t slice;         /* bytes from slice to slice */
	uint32_t texel;         /* bytes of a texel */
	uint32_t kind;          /* enum wb_image_kind */
	uint32_t channel_bytes;
	uint32_t channels;
	uint32_t reads;
	uint32_t writes;
	float scale;            /* of UNORM and SNORM: 1 / most */
	float most;             /* of UNORM and SNORM: the largest integer */
	float border;           /* fourth component of the colour outside, of which the others are 0 */
	uint32_t order;         /* CL_R… of OpenCL */
	uint32_t type;          /* CL_SNORM_INT8… of OpenCL */
};
/* A texture or surface in global memory: where a kernel of PTX has a handle, the handle is the address of this.
 * Surfaces take the words up to `depth` alone. Sizes that a shape does not have are 1. */
enum wb_texture_wrap { WB_WRAP_REPEAT, WB_WRAP_MIRROR, WB_WRAP_CLAMP, WB_WRAP_BORDER };
struct wb_texture {                     /* fixed: launches and kernels read it */
	uint32_t texels;        /* address of the first */
	uint32_t row;           /* bytes from row to row */
	uint32_t slice;         /* bytes from slice to slice, or from layer to layer */
	uint32_t row_bytes;     /* bytes of a row */
	uint32_t height;        /* rows */
	uint32_t depth;         /* slices; of an array layers, of a cube 6 faces */
	uint32_t width;         /* texels of a row */
	uint32_t levels;        /* 1; more: level behind level without a gap, and `row` and `slice` are not read */
	char shape[16];         /* type of a scene's texture: "2d", "2d_array", "cube" */
	char format[16];        /* likewise: "rgba8_unorm" */
	uint32_t normalized;    /* 1: coordinates are from 0 to 1; 0: in texels */
	uint32_t srgb;          /* 1: colours of 8 bits are sRGB */
	uint32_t wrap[3];       /* enum wb_texture_wrap of x, y and z */
	uint32_t linear;        /* 1: linear filter; 0: the nearest texel */
	uint32_t mip_linear;    /* 1: two levels are mixed; 0: the nearest level */
	float lod_bias;         /* levels */
	float min_lod;
	float max_lod;
	uint32_t border[4];     /* colour outside, bits of floats or integers */
};
/* A kernel that loads or computes its handles has the variables __warpbeam_texture_0 to _14, each for a handle (8
 * bytes, 0: none) of a texture that may turn up. The word behind such a texture's description is the variable's number.
 * A kernel reads as many as its textures by parameters leave of 15. */
enum { WB_LOADED_TEXTURES = 15 };
struct wb_prepared_info {               /* grows */
	const char *name;
	const char *machine;    /* instruction set */
	const char *chip;
	uint32_t warp_lanes;
	uint32_t registers;     /* of a thread */
	uint32_t warp_registers;        /* scalar registers of a warp; 0: the chip has none */
	uint32_t shared_bytes;  /* bytes of a block, without dynamic shared memory */
	uint32_t local_bytes;   /* bytes of a thread */
	uint32_t param_bytes;   /* bytes of the parameters that a launch takes; 0: the file does not say */
	uint32_t nparams;
	uint32_t block[3];      /* block that the file asks for; 0: any */
	uint32_t max_threads;   /* threads of the largest block for which a multiprocessor has registers and memory */
	uint32_t block_hint[3]; /* probable block by the source; 0: not said */
	const char *vector_hint;        /* type by which the source counts its work: "uint4"; "": not said */
	uint32_t ptx_target;    /* N of .target sm_N of the PTX that the kernel was compiled from; 0: from no PTX */
};
/* Both belong to k; a parameter past the end is NULL. */
WB_API const struct wb_prepared_info *wb_prepared_info(const struct wb_prepared *k);
WB_API const struct wb_parameter *wb_prepared_parameter(const struct wb_prepared *k, unsigned index);

/* The size of a launch. A 0 in place of y and z of grid or block is a 1. */
struct wb_launch_size {
	uint32_t grid[3];       /* blocks in x, y and z; 0 in y or z: 1, and no dimension that get_work_dim counts */
	uint32_t block[3];      /* threads in x, y and z, as well */
	uint32_t offset[3];     /* number of the first thread of the grid in x, y and z */
	uint32_t shared_bytes;  /* dynamic shared memory of a block, behind the kernel's own */
};
/* A launch of k on v: prepare, run, step, record and look at it as at any launch; its memory is v's. `params` are n
 * bytes, as the kernel finds its parameters: integers and floats little-endian, pointers as addresses of v's memory,
 * pointers to dynamic shared memory as addresses from wb_prepared_info.shared_bytes on, all at their offsets. NULL and
 * 0: the launch has the words of wb_launch_arg, else the file's. size NULL: the size is the options', else the file's.
 * Memory for the launch alone is v's until wb_launch_free, which must come before wb_device_free. WB_USAGE: a size
 * beyond the chip's, another number of bytes than the parameters', a device of another chip, or an offset for a kernel
 * that has no place for one. */
WB_API enum wb_status wb_launch_on(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size,
				   const void *params, size_t n, struct wb_launch **out, struct wb_diag *d);
/* Nanoseconds of the chip's clock from the start of a launch that has run to its end, at least 1; 0: not run, or run
 * without timing. */
WB_API uint64_t wb_launch_nanoseconds(const struct wb_launch *l);

/* All that a launch of wb_launch_on, not prepared yet, begins with: its size and parameters, the memory, variables and
 * constants of its device, as bytes for a file. The launch of wb_launch_new of the same kernel with the one argument
 * "state=FILE" begins with the same at the same addresses. WB_USAGE: another launch. */
WB_API enum wb_status wb_launch_state(struct wb_launch *l, struct wb_text *out, struct wb_diag *d);

/* Give every text that a compiler writes while programs are loaded with c, or with a copy of c, to `sink`: the whole
 * log of clang and of the PTX compiler, n bytes at a time, not NUL-terminated, of any encoding (wb_clean). sink NULL:
 * to nobody. */
WB_API void wb_config_log(struct wb_config *c, void (*sink)(void *context, const char *text, size_t n), void *context);

/* A scheduling policy of the caller's, for timed launches. When a multiprocessor's scheduler has a free issue slot, the
 * policy chooses one of the warps that can issue in this cycle. */
enum { WB_POLICY_WORDS = 8 };
struct wb_candidate {                   /* fixed */
	uint32_t slot;          /* warp slot of the multiprocessor */
	uint32_t block;         /* number in the grid */
	uint32_t warp;          /* number in the block */
	uint32_t pc;            /* of the instruction that would issue */
	uint64_t age;           /* number of the warp's arrival on the multiprocessor: a smaller one came earlier */
	uint64_t ready_since;   /* cycle since which the warp waits for its turn or a unit */
};
struct wb_choice {                      /* grows */
	uint32_t mp;
	uint32_t simd;          /* of the multiprocessor, whose turn it is */
	uint64_t cycle;
	uint32_t previous;      /* warp slot that issued last, on this SIMD; before the first issue the last slot */
	uint32_t n;             /* candidates, at least 1 */
	const struct wb_candidate *candidate;   /* in order of slots */
	/* WB_POLICY_WORDS words of the policy's own for each multiprocessor, 0 at the start; they go back in time with
	 * the machine */
	uint64_t *memory;
};
/* Let `choose` decide in launches with c, or with a copy of c, in place of the option `policy`: it returns the index of
 * a candidate. Any other number ends the run with WB_USAGE. A run may begin again from the start, several threads may
 * ask for different multiprocessors at once, and a repeated run gives the same cycles only if the answer depends on
 * nothing but the choice and its memory. choose NULL: the option's policy again. */
WB_API void wb_config_policy(struct wb_config *c, unsigned (*choose)(void *context, const struct wb_choice *choice),
			     void *context);

/* A fact about a chip: text, or a number with a unit. Fixed. */
struct wb_chip_fact {
	const char *key;        /* "clock", "multiprocessors", "max_block_x", … */
	const char *unit;       /* "kHz", "bytes", "threads", …; "" for a text */
	const char *text;       /* "GeForce GTX 280"; "" for a number */
	uint64_t number;        /* 0 for a text */
};
/* The index-th fact about a chip; false: past the end, or no such chip. And the fact of a key; WB_USAGE: no chip or no
 * fact has this name. */
WB_API bool wb_chip_fact(const char *chip, unsigned index, struct wb_chip_fact *out);
WB_API enum wb_status wb_chip_find_fact(const char *chip, const char *key, struct wb_chip_fact *out,
					struct wb_diag *d);

#ifdef __cplusplus
}
#endif

#endif
