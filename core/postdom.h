/* Immediate post-dominators of a control-flow graph: for each node, the nearest other node on every path from the node
 * to the end. */
#ifndef WB_CORE_POSTDOM_H
#define WB_CORE_POSTDOM_H

#include <stdbool.h>
#include <stdint.h>

#define POSTDOM_NONE UINT32_MAX

/* Nodes are 0 … n−1 and the end, n. succ[i] are node i's successors, POSTDOM_NONE where it has fewer. Sets ipdom[0
 * … n−1]: a node, n for the end, or POSTDOM_NONE where no path leads to the end. False: the host has no memory. */
bool postdominators(uint32_t n, const uint32_t (*succ)[2], uint32_t *ipdom);

#endif
