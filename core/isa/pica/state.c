/* The layout of a warp's state: struct pica_warp, behind it the geometry unit, if any, the warp's own uniforms, if
 * uniforms receive inputs, and groups of lanes, if a policy has them. */
#include "core/isa/pica/scope.h"

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

static size_t bytes_without_groups(const struct program *p)
{
	if (pica_receives(p))
		return pica_uniforms_offset() + sizeof(struct pica_uniforms);
	return pica_geometry_offset() + (p->target.mode == PICA_GS ? sizeof(struct geometry) : 0);
}

size_t pica_groups_offset(const struct program *p)
{
	return (bytes_without_groups(p) + 127) / 128 * 128;
}

size_t pica_warp_bytes(const struct program *p, const struct rules *rules)
{
	return reconverge_policy(rules) ? pica_groups_offset(p) + groups_bytes(rules, LANES) : bytes_without_groups(p);
}
