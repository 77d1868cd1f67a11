/* Vertices of a launch: the inputs of its threads. */
#ifndef WB_DEVICE_INPUTS_VERTICES_H
#define WB_DEVICE_INPUTS_VERTICES_H

#include "device/launch.h"

/* Inputs of one thread; words are 0 before a text is read. */
struct vertex {
	uint32_t *words;        /* four for each input register */
	unsigned used;          /* registers up to the last register with a value */
	uint32_t registers_set; /* bit n: register n has a value */
	unsigned numbers;       /* numbers in a list; 0: registers by name */
};

/* Give the launch the stream's threads, one warp a block. */
void stream_threads(struct wb_launch *l);
bool vertex_read(const struct wb_launch *l, const struct isa_inputs *in, const char *text, struct vertex *out,
		 struct diag *d);

#endif
