/* The control-flow graph of a kernel as text for Graphviz. */
#ifndef WB_API_GRAPH_H
#define WB_API_GRAPH_H

#include <stdio.h>

#include "core/image.h"
#include "core/isa.h"

/* Write the basic blocks on paths from the kernel's entry, and the edges between blocks, as one digraph. */
bool graph_write(const struct image_kernel *k, const struct isa_target *t, FILE *out, struct diag *d);

#endif
