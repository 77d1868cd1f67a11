/* Variables of a source language, as a file's debug information describes them: names, types, scopes, and the place of
 * each value by pc. Loaders fill the tables, inspect/variables.c reads values through them.
 *
 * A place is a program for a small stack machine over unsigned 64-bit numbers, evaluated for one lane; the number that
 * remains is the value, or the address of the value in a memory. */
#ifndef WB_CORE_VARIABLES_H
#define WB_CORE_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NO_TYPE = UINT32_MAX, NO_SCOPE = UINT32_MAX };

enum type_kind { TYPE_UNSIGNED, TYPE_SIGNED, TYPE_FLOAT, TYPE_POINTER, TYPE_ARRAY, TYPE_RECORD, TYPE_OTHER };

/* Memories of places and pointers. */
enum place_space { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL };

struct source_type {
	const char *name;               /* as the source spells it; "" for a nameless record */
	uint8_t kind;                   /* enum type_kind */
	uint8_t space;                  /* of a pointer's target, enum place_space */
	bool is_vector;                 /* an array of the components x, y, z, w */
	uint32_t bytes;                 /* size of a value; 0: unknown */
	uint32_t of;                    /* index of the type of elements, or of a pointer's target; NO_TYPE: void */
	uint32_t count;                 /* elements of an array */
	uint32_t members, nmembers;     /* index of the first member of a record, and their number */
};

struct source_member {
	const char *name;
	uint32_t type, offset;          /* offset in bytes */
	uint8_t bit, bits;              /* of a bit field: lowest bit and width; width 0: no bit field */
};

/* PCs from low up to, and without, high. */
struct pc_range { uint32_t low, high; };

struct source_scope {
	const char *function;           /* name of a function, inlined or not; "" for a block of one */
	uint32_t parent;                /* index of the scope around; NO_SCOPE: the file */
	uint32_t depth;                 /* number of scopes around */
	uint32_t ranges, nranges;       /* index of the first range of pcs, and their number */
	bool is_kernel;                 /* a kernel: called by the launch alone */
};

enum place_code {
	PLACE_NUMBER,                   /* push `number` */
	PLACE_REGISTER,                 /* push register `reg` */
	PLACE_CODE,                     /* push the address of pc `number` in global memory */
	PLACE_LOAD,                     /* replace an address in memory `space` by the `number` bytes there */
	PLACE_DUP, PLACE_SWAP,
	PLACE_NEG, PLACE_NOT,
	PLACE_ZERO_EXTEND, PLACE_SIGN_EXTEND,   /* keep the lowest `number` bits */
	PLACE_ADD, PLACE_SUB, PLACE_MUL, PLACE_AND, PLACE_OR, PLACE_XOR, PLACE_SHL, PLACE_SHR, PLACE_SAR,
};

struct place_op {
	uint8_t code;                   /* enum place_code */
	uint8_t space;                  /* enum place_space */
	char reg[10];                   /* a register as the machine's texts name it */
	int64_t number;
};

enum place_kind { PLACE_VALUE, PLACE_MEMORY, PLACE_UNREADABLE /* of a form that no reader here knows */ };

/* The place of some bytes of a variable, for some pcs. */
struct source_place {
	struct pc_range range;
	uint8_t kind;                   /* enum place_kind */
	uint8_t space;                  /* PLACE_MEMORY: enum place_space */
	uint32_t offset, bytes;         /* first byte in the variable, and number; UINT32_MAX: up to its end */
	uint32_t ops, nops;             /* index of the first operation, and their number */
};

struct source_variable {
	const char *name;
	uint32_t type, scope, line;     /* line of the declaration; 0: not said */
	uint32_t places, nplaces;       /* index of the first place, and their number */
	uint32_t parameter;             /* of a kernel: ordinal plus 1; 0: no parameter of a kernel */
};

struct source_variables {
	bool arguments_only;            /* without debug information: the kernel's arguments as passed, no others */
	size_t ntypes, nmembers, nranges, nscopes, nops, nplaces, nvariables;
	struct source_type *types;
	struct source_member *members;
	struct pc_range *ranges;
	struct source_scope *scopes;    /* a scope stands behind the scope around */
	struct place_op *ops;
	struct source_place *places;
	struct source_variable *variables;
};

#endif
