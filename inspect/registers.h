/* Registers of a warp by their names in the machine's texts. */
#ifndef WB_INSPECT_REGISTERS_H
#define WB_INSPECT_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa_ops;
struct warp;
struct wb_launch;

enum { REGISTER_NAME = 16 };            /* bytes of the longest name, "$v[254:255]" and more */

/* A warp whose registers are still in memory: its block is resident, or was the last block there. NULL: none. */
struct warp *launch_warp(const struct wb_launch *l, uint32_t block, uint32_t warp);
/* Whether a name ("$r3", "v0.y", "v0.xy", "s[4:5]") is a register of the machine, or two. */
bool register_exists(const struct isa_ops *isa, const char *name);
/* The length of a range at the start of a text, "s[4:7]", of any registers. 0: no range, or the machine has no
 * ranges. */
size_t register_range(const struct isa_ops *isa, const char *text);
/* The value of a register in a lane. False: the warp's registers do not exist, or no register has the name. */
bool register_in_lane(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, unsigned lane,
		      uint64_t *value);
/* The value of a register that the warp has once for all lanes. */
bool register_of_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, uint64_t *value);

#endif
