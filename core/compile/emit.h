/* The growing list of a kernel's native instructions. items.c has the list, native.c makes an operation's
 * instruction, emit.c walks the blocks. */
#ifndef WB_CORE_COMPILE_EMIT_H
#define WB_CORE_COMPILE_EMIT_H

#include "core/compile/ir.h"
#include "core/isa/asm.h"
#include "core/isa/place.h"

enum { C1_WORDS = 128, C1_HALVES = 64 };

/* Contents of $a1 to $a4: (register << shift) + offset. */
struct address_registers {
	struct { bool valid; unsigned reg, shift, offset; } address[5];
};

struct emitter {
	struct ptx_module *m;
	struct isa_target target;
	const struct compile_chip *chip;
	unsigned sm;             /* the chip's */
	size_t nkernels;
	struct asm_kernel *kernels;      /* complete ones */
	unsigned kernel;                 /* number of the kernel, part of labels */
	/* Of the function: instructions; targets are numbers of blocks up to the end of emit. */
	struct isa_item *items;
	size_t nitems, item_space;
	size_t nlines, first_line;       /* lines of all kernels, one an instruction; those before this kernel */
	struct compile_line *lines;
	size_t nlabels;
	struct isa_label *labels;        /* pc: number of an item */
	uint32_t *begin;                 /* by number of a block: 1 + number of the first item; 0: no label */
	struct ir *f;
	uint32_t constant[C1_WORDS];
	unsigned nconstants;
	bool too_many;                   /* constants */
	bool join;                       /* the next instruction carries a join */
	size_t exit_carrier;             /* 1 + number of the last item, if a mark of exit fits there; else 0 */
	struct address_registers now, *at_end;   /* at the ends of blocks, by their ids */
	unsigned next_address;
	uint32_t line, file, source_line;
};

/* The machine of a chip, for the encoder. */
struct isa_target native_target(const char *chip);
/* The compute capability of the machine's code, 13 for 1.3, and whether the machine has warp primitives. */
unsigned native_capability(const struct isa_target *t);
bool native_lanes(const struct isa_target *t);
/* How many components of a texture the chip's texgather has. */
unsigned native_gathers(const struct isa_target *t);
/* An instruction with the executor (enum tesla_exec), unguarded, without operands. */
struct insn native_insn(unsigned exec);
/* Append an instruction. CARRIES: the form has a field for join and exit. WIDE: no short form. */
enum emit_manner { CARRIES = 1, WIDE = 2 };
void emit_insn(struct emitter *e, unsigned manner, const struct insn *in);
/* Append a nop that no lane executes, with marks. */
void emit_nop(struct emitter *e, unsigned manner, unsigned marks);
/* The guard of an instruction. */
void native_guard(struct insn *in, const struct source *p);
/* Append the operation's instruction, behind instructions that set address registers. */
void native_operation(struct emitter *e, const struct ir_insn *i);
/* Set the address register of an access. */
void native_address(struct emitter *e, const struct ir_insn *i);

#endif
