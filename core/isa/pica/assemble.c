/* Texts in one of the unit's two languages, nihstro's and picasso's, to program images. Names that end in .pica, and
 * texts with a directive of picasso's, are picasso's. */
#include <ctype.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/pica/nihstro.h"
#include "core/isa/pica/picasso.h"
#include "core/isa/pica/shader_image.h"
#include "core/isa/pica/state.h"

/* A text without the blanks around. */
static const char *text_of(struct arena *a, const char *from, const char *to)
{
	char *copy;

	while (from < to && isspace((unsigned char)*from))
		from++;
	while (to > from && isspace((unsigned char)to[-1]))
		to--;
	copy = arena_alloc(a, (size_t)(to - from) + 1, 1);
	if (copy)
		memcpy(copy, from, (size_t)(to - from));        /* the arena's bytes are 0 */
	return copy;
}

/* The rest of each comment that begins with `word`: "// vertex: 1,2,3". */
static const char *const *notes(const struct isa_source *source, const char *word, struct arena *a, bool *ok)
{
	const char *end = source->text + source->size, *line = source->text;
	const char **note = NULL;
	size_t n = 0, length = strlen(word);

	for (int pass = 0; pass < 2 && *ok; pass++) {
		n = 0;
		for (line = source->text; line < end; line++) {
			const char *stop = memchr(line, '\n', (size_t)(end - line));
			stop = stop ? stop : end;
			if ((size_t)(stop - line) > length && !memcmp(line, word, length)) {
				if (note)
					*ok = (note[n] = text_of(a, line + length, stop)) && *ok;
				n++;
			}
			line = stop;
		}
		if (!pass)
			*ok = !n || (note = ARENA_ARRAY(a, const char *, n + 1));
	}
	return note;
}

static bool is_picasso(const struct isa_source *source, const char *file)
{
	static const char ending[] = ".pica";
	size_t n = file ? strlen(file) : 0;

	return (n >= sizeof ending && !strcmp(file + n - strlen(ending), ending)) ||
	       picasso_sniff(source->text, source->size);
}

static bool assemble_nihstro(const struct isa_source *source, struct image *im, struct shader *s, struct diag *d)
{
	const struct nihstro_options o = {
		.geometry = source->mode == PICA_GS, .entry = source->entry, .file = im->file,
		.include = source->include, .context = source->context,
	};

	return nihstro_assemble(s, &im->arena, source->text, source->size, &o, d);
}

static bool assemble_picasso(const struct isa_source *source, struct image *im, struct shader *s, struct diag *d)
{
	enum { FILES = 64 };
	struct picasso_source file[FILES];
	unsigned n = picasso_files(&im->arena, im->file, source->text, source->size, file, FILES);

	return picasso_assemble(s, &im->arena, file, n, source->entry, d);
}

bool pica_assemble(const struct isa_source *source, struct image *im, struct diag *d)
{
	struct shader *s = ARENA_NEW(&im->arena, struct shader);
	bool picasso = is_picasso(source, im->file), ok = true;

	if (!s)
		return diag_set(d, DIAG_ENV, "no memory for the assembly");
	if (!(picasso ? assemble_picasso : assemble_nihstro)(source, im, s, d) || !shader_image(s, im, d))
		return false;
	im->kernels[0].launch.vertices = notes(source, picasso ? "; vertex:" : "// vertex:", &im->arena, &ok);
	im->kernels[0].launch.expect = notes(source, picasso ? "; expect:" : "// expect:", &im->arena, &ok);
	return ok || diag_set(d, DIAG_ENV, "out of memory for the source's notes");
}
