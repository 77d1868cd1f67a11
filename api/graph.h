/* The control-flow graph of a kernel as text for Graphviz. */
#ifndef WB_API_GRAPH_H
#define WB_API_GRAPH_H

#include <stdio.h>

#include "core/image.h"
#include "core/isa.h"

/* Write the basic blocks that a path from the kernel's entry reaches, and the edges between them, as one digraph. */
bool graph_write(const struct image_kernel *k, const struct isa_target *t, FILE *out, struct diag *d);

#endif
