/* Registers of a warp by the names that texts of its machine use. */
#ifndef WB_INSPECT_REGISTERS_H
#define WB_INSPECT_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct isa_ops;
struct wb_launch;

enum { REGISTER_NAME = 16 };            /* bytes of the longest name, "$v[254:255]" and more */

/* Is "$r3", "v0.y", "v0.xy", "s[4:5]" or whatever the machine calls its registers, a name of one, or of two parts? */
bool register_exists(const struct isa_ops *isa, const char *name);
/* The characters of a range at the start of a text, "s[4:7]", whether the registers exist or not. 0: there is none,
 * or the machine's texts have none. */
size_t register_range(const struct isa_ops *isa, const char *text);
/* Its value in a lane. False: the warp is not there any more, or not yet, or has none of that name. */
bool register_in_lane(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, unsigned lane,
		      uint64_t *value);
/* Its value, if the warp has one for all lanes. */
bool register_of_warp(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *name, uint64_t *value);

#endif
