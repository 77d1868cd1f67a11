/* The compiler's object is loaded like any other; then the source takes the place of the object in views, and its
 * comments set the launch. */
#include "toolchain/opencl/make.h"

#include <string.h>

#include "core/base/text.h"
#include "toolchain/explain.h"
#include "toolchain/files.h"
#include "toolchain/language.h"
#include "toolchain/opencl/compile.h"
#include "toolchain/opencl/directives.h"
#include "toolchain/ptx.h"
#include "toolchain/source.h"

/* Say more of a source that the compiler refused. */
static bool explain(struct build *b)
{
	if (b->diag->kind == DIAG_INPUT && strstr(b->diag->text, "printf"))
		opencl_explain(b->bytes, b->size, b->diag);
	else if (b->diag->kind == DIAG_INPUT)
		languages_explain(b->bytes, b->size, true, b->diag);
	return false;
}

bool opencl_load_ptx(struct build *b, const struct opencl_object *o)
{
	if (ptx_image(b, (const char *)o->bytes, o->size, b->name))
		return true;
	b->diag->line = ptx_source_line((const char *)o->bytes, o->size, b->name, b->diag->line);
	b->diag->column = 0;
	return false;
}

static bool load_object(struct build *b, const struct opencl_object *o)
{
	if (file_load(b, o->bytes, o->size, "code-object", NULL))
		return true;
	opencl_explain(b->bytes, b->size, b->diag);
	return false;
}

bool opencl_put_source(struct build *b, const struct opencl_object *o, const char *format)
{
	struct image *im = b->image;
	char *lines = arena_lines(&im->arena, b->bytes, b->size);

	im->format = format;
	if (im->compiled && !source_beside(im, lines))
		lines = NULL;
	im->source = lines;
	if (o->nwarnings || !im->beside) {
		im->warnings = o->warning;
		im->nwarnings = o->nwarnings;
	}
	return lines;
}

static bool make_for_chip(struct build *b)
{
	struct opencl_object o;

	if (!opencl_compile(b, OPENCL_C, &o))
		return explain(b);
	return (ptx_sniff(o.bytes, o.size) ? opencl_load_ptx(b, &o) : load_object(b, &o)) &&
	       opencl_put_source(b, &o, "opencl") &&
	       directives_take(b->image, b->bytes, b->diag);
}

bool opencl_make(struct build *b)
{
	const struct build_options *given = b->options;
	struct build_options own;
	bool made = directives_chip(b, &own) && make_for_chip(b);

	b->options = given;
	return made || diag_in_file(b->diag, b->name);
}
