/* The parts of a shader program, whichever tool made the program: words and operand descriptors, shared by all entry
 * points, and for each entry point the constants, labels, outputs and uniforms. A SHBIN file is a shader on disk
 * (core/load/shbin.h), and the assemblers of the unit make them. Facts: 3dbrew, "SHBIN". */
#ifndef WB_CORE_SHADER_H
#define WB_CORE_SHADER_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SHADER_MAX_CODE = 4096,         /* words */
	SHADER_MAX_DESC = 128,
	SHADER_MAD_DESC = 32,           /* descriptors that a MAD can name */
	SHADER_FLOATS = 96,             /* registers: c */
	SHADER_INTS = 4,                /* i */
	SHADER_BOOLS = 16,              /* b */
	SHADER_VECTORS = 16,            /* v, o and r each */
	SHADER_ROWS = 3 * 4 * 16,       /* words of a vertex: v, r, o */
};

enum shader_constant_type { SHADER_BOOL, SHADER_INT, SHADER_FLOAT };

struct shader_constant {
	uint16_t type;          /* enum shader_constant_type */
	uint16_t reg;           /* number within c, i or b */
	uint32_t value[4];      /* float: four raw 24-bit values; int: four bytes; bool: value[0] is 0 or 1 */
};

struct shader_label {
	const char *name;
	uint32_t id, offset, size;      /* offset and size in words */
};

enum shader_output_type {
	OUTPUT_POSITION, OUTPUT_QUATERNION, OUTPUT_COLOR, OUTPUT_TEXCOORD0, OUTPUT_TEXCOORD0W, OUTPUT_TEXCOORD1,
	OUTPUT_TEXCOORD2, OUTPUT_DUMMY, OUTPUT_VIEW, OUTPUT_GENERIC /* facts: picasso's "dummy" */, OUTPUT_TYPES
};

struct shader_output {
	uint16_t type;          /* enum shader_output_type; files hold others too */
	uint16_t reg;           /* o0 … o15 */
	uint16_t mask;          /* bit 0 = x … bit 3 = w */
};

/* Registers of a uniform are counted through all files. */
enum { UNIFORM_V = 0x00, UNIFORM_C = 0x10, UNIFORM_I = 0x70, UNIFORM_B = 0x78, UNIFORM_END = 0x88 };

struct shader_uniform {
	const char *name;
	uint16_t first_register, last_register;
};

enum shader_gs_mode { GS_POINT, GS_VARIABLE, GS_FIXED };

struct shader_entry {
	bool     geometry;
	uint8_t  merge_outputs;
	uint32_t main, endmain;         /* word offsets */
	uint16_t in_mask, out_mask;
	uint8_t  gs_mode;               /* enum shader_gs_mode */
	uint8_t  gs_fixed_start;        /* GS_FIXED: the float uniform that receives the first attribute */
	uint8_t  gs_full_vertices;      /* GS_VARIABLE: vertices for which all attributes are sent */
	uint8_t  gs_fixed_count;        /* GS_FIXED: vertices */
	uint32_t nconstants, nlabels, noutputs, nuniforms;
	struct shader_constant *constant;
	struct shader_label *label;
	struct shader_output *output;
	struct shader_uniform *uniform;
};

struct shader {
	uint32_t ncode, ndesc, nentries;
	uint32_t *code;
	uint32_t *desc;
	struct shader_entry *entry;
	uint32_t *line;         /* by word: line of the source, 0 if unknown; NULL: no source */
};

/* "position", …; NULL for a type without a name. */
const char *shader_output_name(unsigned type);
/* A register of a uniform: "c12"; `name` holds 8 bytes. */
void shader_register_name(unsigned reg, char *name);

#endif
