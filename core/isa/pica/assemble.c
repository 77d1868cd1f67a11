/* Texts in nihstro's language to program images. */
#include "core/base/diag.h"
#include "core/isa/pica/nihstro.h"
#include "core/isa/pica/shader_image.h"
#include "core/isa/pica/state.h"

bool pica_assemble(const struct isa_source *source, struct image *im, struct diag *d)
{
	const struct nihstro_options o = {
		.geometry = source->mode == PICA_GS, .entry = source->entry, .file = im->file,
		.include = source->include, .context = source->context,
	};
	struct shader *s = ARENA_NEW(&im->arena, struct shader);

	if (!s)
		return diag_set(d, DIAG_ENV, "no memory for the assembly");
	return nihstro_assemble(s, &im->arena, source->text, source->size, &o, d) && shader_image(s, im, d);
}
