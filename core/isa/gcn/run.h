/* The functions behind struct isa_ops that run GCN programs. */
#ifndef WB_CORE_ISA_GCN_RUN_H
#define WB_CORE_ISA_GCN_RUN_H

#include "core/block.h"
#include "core/isa.h"
#include "core/latency.h"

struct image_kernel;
struct isa_launch;

bool gcn_prepare(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d);
bool gcn_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a);
bool gcn_launch(struct program *p, const struct isa_launch *to, struct diag *d);
size_t gcn_warp_bytes(const struct program *p, const struct rules *rules);
void gcn_check_state(struct state_check *c, const struct program *p, const struct rules *rules, const struct block *b,
		     const struct warp *w, const struct warp *read);
void gcn_start_block(struct block *b, const struct launch_params *params);
void gcn_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules);
void gcn_ports(const struct program *p, const struct insn *in, struct ports *out);
void gcn_port_name(unsigned port, char *text, size_t size);
bool gcn_lines(const struct program *p, uint32_t *line, struct arena *a);
bool gcn_edges(const struct program *p, struct isa_edge (*edge)[2]);
uint32_t *gcn_reg(struct warp *w, const char *file, unsigned reg, unsigned lane);
bool gcn_peek(const struct warp *w, const char *name, unsigned lane, uint32_t *value);
enum isa_scope gcn_scope(const struct warp *w, const char *name);
unsigned gcn_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out);

/* descriptor.c: T# and S# that a launch makes. */
extern const struct isa_descriptors gcn_descriptors;

/* ports.c: registers that instructions wait for. */
enum { GCN_PORT_S = 256, GCN_PORT_SCC = GCN_PORT_S + 128, GCN_PORT_CARRY, GCN_PORTS };

#endif
