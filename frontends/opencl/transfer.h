/* Transfers of boxes between buffers and the program's memory, for mapping as well. */
#ifndef WB_FRONTENDS_OPENCL_TRANSFER_H
#define WB_FRONTENDS_OPENCL_TRANSFER_H

#include "frontends/opencl/opencl.h"

struct side {
	cl_mem mem;                     /* NULL: the program's memory */
	uint8_t *host;                  /* of the program's memory */
	size_t offset, row, slice;      /* bytes to the box, and from row to row and slice to slice */
};
struct transfer {
	struct command command;
	struct side to, from;           /* memory objects are kept */
	size_t region[3];               /* bytes of a row, rows, slices */
	struct mapping *mapping;        /* to be freed at the end; NULL: none */
};
/* A command that copies a box; NULL with *error. */
struct transfer *transfer_new(cl_command_queue q, const struct order *o, const struct side *to,
			      const struct side *from, const size_t region[3], cl_int *error);
/* CL_SUCCESS, or the error of a bad queue or memory object, or of one with a forbidden flag. */
cl_int transfer_objects(cl_command_queue q, cl_mem m, cl_mem_flags forbidden);
/* The time of a transfer, which is not emulated: of a bus between host and device. */
cl_ulong transfer_nanoseconds(size_t bytes);

#endif
