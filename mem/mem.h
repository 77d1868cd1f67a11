/* The memory spaces an instruction can name. The instruction sets map their own operand files onto these. */
#ifndef WB_MEM_MEM_H
#define WB_MEM_MEM_H

enum mem_space {
	MEM_SHARED,     /* s[]: one per block */
	MEM_CONST,      /* c0[] … c15[]: read only, one per launch */
	MEM_LOCAL,      /* l[]: one per thread */
	MEM_GLOBAL,     /* g0[] … g15[]: views of one 32-bit space */
	MEM_ATTR,       /* a[]: inputs of a graphics program */
	MEM_PRIM,       /* p[]: vertices of the primitive */
	MEM_OUT,        /* o[]: outputs */
	MEM_VARYING,    /* v[]: interpolated inputs */
	MEM_TEXTURE,    /* lines that a texture access touches */
	MEM_SPACES,
};

#endif
