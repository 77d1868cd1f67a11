/* The layout of a warp's state: struct pica_warp, behind it the geometry unit, if any, and the warp's own uniforms, if
 * uniforms receive inputs. */
#include "core/isa/pica/state.h"

size_t pica_geometry_offset(void)
{
	return (sizeof(struct pica_warp) + 127) / 128 * 128;
}

size_t pica_uniforms_offset(void)
{
	return pica_geometry_offset() + (sizeof(struct geometry) + 127) / 128 * 128;
}

bool pica_receives(const struct program *p)
{
	const struct pica_uniforms *u = p->uniforms;

	return p->target.mode == PICA_GS && u->receives < SHADER_FLOATS;
}

size_t pica_warp_bytes(const struct program *p, const struct rules *rules)
{
	if (pica_receives(p))
		return pica_uniforms_offset() + sizeof(struct pica_uniforms);
	return pica_geometry_offset() + (p->target.mode == PICA_GS ? sizeof(struct geometry) : 0);
}
