/* Assembly files: instructions, labels, comments and directives, in two passes.
 *
 *   name:                      a label; "#name" in an instruction is the label's address, from the start of the kernel
 *   // …                       a comment, as in C, with both kinds; "// expect: TEXT" is kept for the runner of the
 *                              file
 *   .chip NAME   .mode NAME chip and program type of the file; once a file
 *   .kernel NAME               a new kernel; lines before the first .kernel belong to the first kernel, too
 *   .regs N  .smem N .lmem N registers of a thread, bytes of s[] (header and parameters included), bytes of l[]
 *   .param TYPE NAME           u8 … u64, s8 … s64, b8 … b64, f32, f64, ptr (4 bytes) or shared (4 bytes, the place of
 *                              shared memory that the launch sizes); each aligns to its size
 *   .param OFFSET BYTES NAME   a parameter of another size or at another place
 *   .const BANK OFFSET: words  initial data of c[]; numbers as in instructions
 *   .word W [W]                the words of one instruction as written
 *   .grid X[,Y[,Z]] .block X[,Y[,Z]] .arg WORDS launch defaults
 *   .descriptor RSRC1 RSRC2 PROPERTIES  .sregs N  .kernarg BYTES  .hidden KIND OFFSET BYTES
 *                              of a kernel that a compiler made: words of its descriptor, registers of a warp, bytes of
 *                              all arguments, arguments that the launch fills in by itself
 *   .entry N  .code KERNEL     address of the first instruction; the code is that of an earlier kernel
 *   .memory BYTES CODE         of the file: the program's memory, in which the first kernel's code is at CODE
 *   .data OFFSET: words        contents of the program's memory
 *   .pointer OFFSET TO         the address of its byte TO, at OFFSET
 *   .scene TEXT                a line of the JSON document with the inputs of graphics threads
 *
 * A short form is taken when the text fits one. A long instruction at an odd place widens a short instruction
 * before. */
#ifndef WB_CORE_ISA_ASM_H
#define WB_CORE_ISA_ASM_H

#include "core/base/arena.h"
#include "core/isa/table.h"

enum { ASM_MPS_MAX = 1024 };     /* as --mps */

struct diag;

struct asm_line { uint32_t pc, line; };
struct asm_param { const char *type, *name; uint32_t offset, size; };   /* offset from the start of the parameters */
struct asm_const { uint32_t bank, offset, size; const uint8_t *bytes; };
struct asm_hidden { const char *kind; uint32_t offset, size; };
struct asm_pointer { uint32_t offset, to; };

/* about_regs: of .regs, which --regs overrides. */
struct asm_warning { uint32_t line, column; const char *text; bool about_regs; };

struct asm_kernel {
	const char *name;                /* "main" when the file names none */
	const uint8_t *code;
	uint32_t code_bytes;
	uint32_t regs;                   /* as said, or as many as the instructions name */
	uint32_t smem, lmem;             /* 0: not said */
	uint32_t param_bytes;
	uint32_t grid[3], block[3];      /* 0: not said; else missing dimensions are 1 */
	uint32_t mps;                    /* multiprocessors; 0: not said */
	uint32_t warp_regs, entry;
	bool described;                  /* by a descriptor: rsrc1, rsrc2, properties */
	uint32_t descriptor[3];
	size_t nhidden;
	struct asm_hidden *hidden;
	size_t nparams, nconsts, nlabels, nlines, nargs, nexpect, nscene;
	struct asm_param *params;
	struct asm_const *consts;
	struct isa_label *labels;        /* by name */
	struct asm_line *lines;          /* by pc, one line an instruction */
	const char **args, **expect, **scene;    /* nargs, nexpect and nscene long */
};

struct asm_program {
	struct arena arena;              /* owner of all arrays below */
	const char *chip, *mode;         /* assembled for */
	size_t nkernels;                 /* at least 1 */
	struct asm_kernel *kernels;
	/* Memory of the program, the code among it: bytes (0: none said), place of the code; contents and pointers. */
	uint32_t memory_bytes, code_at;
	size_t ndata, npointers;
	struct asm_const *data;
	struct asm_pointer *pointers;
	/* Branches to a number that is no instruction's address, a sign of a text that lists another program; registers
	 * beyond .regs. */
	size_t nwarnings;
	struct asm_warning *warnings;
};

/* Assemble a text of `size` bytes. chip and mode override the file's directives; NULL: the file's, else the table's
 * defaults. syntax: isa_target.syntax. On success *out is freed with asm_free; on failure *d has line and column. */
bool asm_assemble(const struct isa_ops *isa, const char *text, size_t size, const char *chip, const char *mode,
		  uint8_t syntax, struct asm_program *out, struct diag *d);
void asm_free(struct asm_program *p);
/* Bytes of a parameter's type; 0 for an unknown type. */
uint32_t asm_type_size(const char *type);

#endif
