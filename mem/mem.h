/* The memory spaces of instructions. Instruction sets map their operand files to spaces. */
#ifndef WB_MEM_MEM_H
#define WB_MEM_MEM_H

enum mem_space {
	MEM_SHARED,     /* s[]: shared by a block */
	MEM_CONST,      /* c0[] … c15[]: read only, shared by a launch */
	MEM_LOCAL,      /* l[]: private to a thread */
	MEM_GLOBAL,     /* g0[] … g15[]: views of a 32-bit space */
	MEM_ATTR,       /* a[]: inputs of a graphics program */
	MEM_PRIM,       /* p[]: vertices of the primitive */
	MEM_OUT,        /* o[]: outputs */
	MEM_VARYING,    /* v[]: interpolated inputs */
	MEM_TEXTURE,    /* lines of memory under a texture access */
	MEM_SPACES,
};

#endif
