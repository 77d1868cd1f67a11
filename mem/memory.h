/* The memory a launch sees: one sparse global space behind g0[]…g15[], the constant banks, textures and samplers. */
#ifndef WB_MEM_MEMORY_H
#define WB_MEM_MEMORY_H

#include <stdint.h>

#include "mem/global.h"
#include "mem/texture.h"
#include "mem/view.h"

enum { GLOBAL_VIEWS = 16, CONST_BANKS = 16 };

struct const_bank {
	const uint8_t *bytes;
	uint32_t size;          /* reads past it give 0 */
};

struct memory {
	struct global *global;
	struct view g[GLOBAL_VIEWS];
	struct const_bank c[CONST_BANKS];
	const struct texture_set *textures;     /* NULL: the launch has none */
};

#endif
