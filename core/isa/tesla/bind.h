/* Preparing Tesla programs and their blocks for a run; the functions behind struct isa_ops. */
#ifndef WB_CORE_ISA_TESLA_BIND_H
#define WB_CORE_ISA_TESLA_BIND_H

#include "core/block.h"
#include "core/isa/table.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"
#include "core/program.h"
#include "core/rules.h"
#include "mem/memory.h"

bool tesla_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a);
/* Traits of an instruction, a set of enum tesla_trait. */
static inline unsigned bind_traits(const struct insn *in)
{
	return tesla_table.exec[in->row->exec].traits;
}
void tesla_ready(const struct program *p, const struct memory *m);
bool tesla_fits(const struct program *p, const struct memory *m);
size_t tesla_warp_bytes(const struct program *p, const struct rules *rules);
void tesla_check_state(struct state_check *c, const struct program *p, const struct rules *rules, const struct block *b,
		       const struct warp *w, const struct warp *read);
void tesla_start_block(struct block *b, const struct launch_params *params);
void tesla_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules);
void tesla_ports(const struct program *p, const struct insn *in, struct ports *out);
void tesla_port_name(unsigned port, char *text, size_t size);
/* Rows that the program's warps may change beside their registers (struct tesla_code). */
uint16_t tesla_changes(const struct program *p);
uint32_t *tesla_reg(struct warp *w, const char *file, unsigned reg, unsigned lane);
unsigned tesla_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out);

#endif
