/* What CUDA's kernels have of a texture or surface: the description, and of a texture the number of its handle's
 * variable. */
#include <string.h>

#include "frontends/runtime/texture.h"

cudaError_t object_bytes(struct runtime *r, const struct wb_texture *t, uint64_t texels, uint32_t slot,
			 struct object_bytes *out)
{
	(void)r, (void)texels;
	memcpy(out->bytes, t, sizeof *t);
	memcpy(out->bytes + sizeof *t, &slot, sizeof slot);
	out->n = sizeof *t + sizeof slot;
	return cudaSuccess;
}
