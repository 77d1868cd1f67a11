/* Names of a shader's outputs and registers. */
#include "core/shader.h"

#include <stddef.h>
#include <stdio.h>

const char *shader_output_name(unsigned type)
{
	static const char *const name[OUTPUT_TYPES] = {
		"position", "quaternion", "color", "texcoord0", "texcoord0w", "texcoord1", "texcoord2", "dummy", "view",
		"generic",
	};

	return type < OUTPUT_TYPES ? name[type] : NULL;
}

void shader_register_name(unsigned reg, char *name)
{
	static const struct { unsigned first; char letter; } file[] = {
		{ UNIFORM_B, 'b' }, { UNIFORM_I, 'i' }, { UNIFORM_C, 'c' }, { UNIFORM_V, 'v' },
	};

	for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
		if (reg >= file[i].first) {
			snprintf(name, 8, "%c%u", file[i].letter, (reg - file[i].first) & 0xff);
			return;
		}
	}
}
