/* Transfers of boxes between buffers and the program's memory, for mapping as well. */
#ifndef WB_FRONTENDS_OPENCL_TRANSFER_H
#define WB_FRONTENDS_OPENCL_TRANSFER_H

#include "frontends/opencl/opencl.h"

struct side {
	cl_mem mem;                     /* NULL: the program's memory */
	uint8_t *host;                  /* of the program's memory */
	size_t offset, row, slice;      /* bytes to the box, and from row to row and slice to slice */
};
/* A mapped box, which the program has at there.host: a copy from mapping to unmapping, or the device's own bytes. */
struct mapping {
	struct mapping *next;
	void *storage;                  /* memory of a copy; NULL: the host_ptr of the program, or no copy */
	bool is_own;                    /* the device's own bytes */
	struct side object, there;
	size_t region[3];               /* as of a transfer */
	cl_map_flags flags;
};
void mapping_free(struct mapping *p);

struct transfer {
	struct command command;
	struct side to, from;           /* memory objects are kept */
	size_t region[3];               /* bytes of a row, rows, slices */
	struct mapping *mapping;        /* to be freed at the end; NULL: none */
};
/* A command that copies a box; NULL with *error. */
struct transfer *transfer_new(cl_command_queue q, const struct order *o, const struct side *to,
			      const struct side *from, const size_t region[3], cl_int *error);
/* Make the command and enqueue it. */
cl_int transfer_enqueue(cl_command_queue q, const struct order *o, const struct side *to, const struct side *from,
			const size_t region[3]);
/* CL_SUCCESS, or the error of a bad queue or buffer, or of one with a forbidden flag. */
cl_int transfer_objects(cl_command_queue q, cl_mem m, cl_mem_flags forbidden);
/* Whether n bytes from an offset on are some of the object's. */
bool transfer_in_bounds(const struct _cl_mem *m, size_t offset, size_t n);
/* Whether two boxes of memory objects share a byte. */
bool transfer_overlap(const struct side *a, const struct side *b, const size_t region[3]);
/* Map the box of an object, whose flags allow `flags`. *there is the program's memory with its pitches; without a
 * there->host the function finds both. Returns the first byte, what the entry point returns: NULL with an error. */
void *transfer_map(cl_command_queue q, const struct order *o, cl_map_flags flags, const struct side *object,
		   struct side *there, const size_t region[3], cl_int *errcode_ret);
/* CL_SUCCESS, or the error of bad flags, or of flags that the object's own forbid. */
cl_int transfer_map_flags(const struct _cl_mem *m, cl_map_flags flags);
/* The time of a transfer, which is not emulated: of a bus between host and device. */
cl_ulong transfer_nanoseconds(size_t bytes);

#endif
