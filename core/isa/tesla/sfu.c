/* The coefficients of the special function unit (sfu_rom.def), one array for each column. */
#include "core/isa/tesla/arith_sfu.h"

const struct sfu_rom sfu_rom = {
#define X(function, a, b, c) a,
	.a = {
#include "core/isa/tesla/sfu_rom.def"
	},
#undef X
#define X(function, a, b, c) b,
	.b = {
#include "core/isa/tesla/sfu_rom.def"
	},
#undef X
#define X(function, a, b, c) c,
	.c = {
#include "core/isa/tesla/sfu_rom.def"
	},
#undef X
};
