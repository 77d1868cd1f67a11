/* clang's PTX has lines, and no variables: NVPTX writes DWARF sections that end clang with a signal where functions are
 * called, and virtual registers in them that a further compiler would have to follow. The parameters of the kernels
 * have names and types all the same (toolchain/opencl/text.h), and the launch has the values. */
#include "toolchain/argument_variables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/image.h"
#include "core/variables.h"

static const struct { const char *name; uint8_t kind, bytes; } scalars[] = {
	{ "char", TYPE_SIGNED, 1 }, { "short", TYPE_SIGNED, 2 }, { "int", TYPE_SIGNED, 4 }, { "long", TYPE_SIGNED, 8 },
	{ "uchar", TYPE_UNSIGNED, 1 }, { "ushort", TYPE_UNSIGNED, 2 }, { "uint", TYPE_UNSIGNED, 4 },
	{ "ulong", TYPE_UNSIGNED, 8 }, { "bool", TYPE_UNSIGNED, 1 }, { "size_t", TYPE_UNSIGNED, 4 },
	{ "half", TYPE_FLOAT, 2 }, { "float", TYPE_FLOAT, 4 }, { "double", TYPE_FLOAT, 8 },
};

static struct source_type *new_type(struct image *im, struct source_variables *v, struct source_type type)
{
	struct source_type *t = image_push(&im->arena, &v->types, &v->ntypes);

	if (t)
		*t = type;
	return t;
}

/* The n characters of a scalar's or vector's name; another type has `bytes` bytes and no value. False: the host has no
 * memory. */
static bool plain_type(struct image *im, struct source_variables *v, const char *name, size_t n, uint32_t bytes,
		       uint32_t *out)
{
	struct source_type type = { .name = arena_text(&im->arena, name, n), .kind = TYPE_OTHER, .of = NO_TYPE,
				    .bytes = bytes };
	size_t letters = n;
	uint32_t count;

	while (letters && isdigit((unsigned char)name[letters - 1]))
		letters--;
	count = letters < n ? (uint32_t)strtoul(name + letters, NULL, 10) : 0;
	for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
		if (strlen(scalars[i].name) == letters && !memcmp(scalars[i].name, name, letters)) {
			type.kind = scalars[i].kind;
			type.bytes = scalars[i].bytes;
		}
	if (count && type.kind != TYPE_OTHER) {
		struct source_type element = type;
		element.name = arena_text(&im->arena, name, letters);
		type.kind = TYPE_ARRAY;
		type.is_vector = true;
		type.of = (uint32_t)v->ntypes;
		type.count = count;
		type.bytes *= count == 3 ? 4 : count;
		if (!element.name || !new_type(im, v, element))
			return false;
	}
	*out = (uint32_t)v->ntypes;
	return type.name && new_type(im, v, type);
}

/* The type of a parameter, as the source spells it. */
static bool parameter_type(struct image *im, struct source_variables *v, const struct image_param *p, uint32_t *out)
{
	size_t n = strlen(p->type);
	bool is_pointer = n && p->type[n - 1] == '*', shared = p->kind && !strcmp(p->kind, "dynamic_shared_pointer");
	uint32_t of;

	if (!is_pointer)
		return plain_type(im, v, p->type, n, p->size, out);
	for (n--; n && p->type[n - 1] == ' '; n--)
		;
	if (!plain_type(im, v, p->type, n, 0, &of))
		return false;
	*out = (uint32_t)v->ntypes;
	return new_type(im, v, (struct source_type){ .name = p->type, .kind = TYPE_POINTER, .of = of, .bytes = p->size,
						     .space = shared ? SPACE_SHARED : SPACE_GLOBAL });
}

static bool add_kernel(struct image *im, struct image_kernel *k)
{
	struct source_variables *v = ARENA_NEW(&im->arena, struct source_variables);
	struct pc_range *range = v ? image_push(&im->arena, &v->ranges, &v->nranges) : NULL;
	struct source_scope *scope = v ? image_push(&im->arena, &v->scopes, &v->nscopes) : NULL;

	if (!range || !scope)
		return false;
	*range = (struct pc_range){ 0, k->code_bytes };
	*scope = (struct source_scope){ .function = k->name, .parent = NO_SCOPE, .nranges = 1, .is_kernel = true };
	v->arguments_only = true;
	for (size_t i = 0; i < k->nparams; i++) {
		struct source_variable *one = image_push(&im->arena, &v->variables, &v->nvariables);
		if (!one)
			return false;
		*one = (struct source_variable){ .name = k->params[i].name, .parameter = (uint32_t)i + 1 };
		if (!parameter_type(im, v, &k->params[i], &one->type))
			return false;
	}
	k->variables = v;
	return true;
}

bool argument_variables(struct image *im)
{
	for (size_t i = 0; i < im->nkernels; i++)
		if (!im->kernels[i].variables && im->kernels[i].nparams && !add_kernel(im, &im->kernels[i]))
			return false;
	return true;
}
