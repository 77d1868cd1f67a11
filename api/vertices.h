/* Vertices of a launch: what its threads take in. */
#ifndef WB_API_VERTICES_H
#define WB_API_VERTICES_H

#include "api/launch.h"

/* What one thread takes in; words are 0 before it is read. */
struct vertex {
	uint32_t *words;        /* four for each input register */
	unsigned used;          /* registers up to the last one given */
	uint32_t given;         /* bit n: register n is given */
	unsigned numbers;       /* in a list of them; 0: by name */
};

/* The launch has as many threads as its stream, a warp a block. */
void stream_threads(struct wb_launch *l);
bool vertex_read(const struct wb_launch *l, const struct isa_inputs *in, const char *text, struct vertex *out,
		 struct diag *d);

#endif
