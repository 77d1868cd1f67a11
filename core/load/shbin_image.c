/* A SHBIN file as a program image. */
#include "core/isa/pica/shader_image.h"
#include "core/load/loader.h"
#include "core/load/shbin.h"

bool shbin_image_load(struct load *l)
{
	struct shader *s = ARENA_NEW(&l->image->arena, struct shader);

	if (!s)
		return load_no_memory(l);
	return shbin_load(s, &l->image->arena, l->bytes, l->size, l->diag) && shader_image(s, l->image, l->diag);
}
