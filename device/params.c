/* The parameters that a file declares, and whether the arguments of a launch fit. */
#include <stdio.h>
#include <string.h>

#include "device/launch.h"
#include "core/image_param.h"

uint32_t params_bytes(const struct image_kernel *k, uint32_t offset)
{
	const struct image_param *next = NULL;

	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset >= offset && (!next || k->params[i].offset < next->offset))
			next = &k->params[i];
	return next ? next->size : 0;
}

uint32_t params_end(const struct image_kernel *k)
{
	uint32_t end = 0;

	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset + k->params[i].size > end)
			end = k->params[i].offset + k->params[i].size;
	return end;
}

bool params_take(struct wb_launch *l, const void *params, size_t n, struct diag *d)
{
	uint32_t end = params_end(l->plan.kernel);

	if (!params && !n)
		return true;
	if (n > sizeof l->plan.params || (l->plan.kernel->nparams && n != end))
		return diag_set(d, DIAG_USAGE, "%zu bytes of parameters: kernel %.60s takes %u", n,
				l->plan.kernel->name, l->plan.kernel->nparams ? end : (uint32_t)sizeof l->plan.params);
	if (l->plan.code.target.isa->inputs)
		return diag_set(d, DIAG_USAGE, "%zu bytes of parameters: a shader has none but vertices and uniforms",
				n);
	memcpy(l->plan.params, params, n);
	l->plan.param.size = (uint32_t)n;
	l->inputs->params_given = true;
	return true;
}

uint32_t params_place(const struct image_kernel *k, uint32_t offset)
{
	uint32_t next = UINT32_MAX;

	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *p = &k->params[i];
		if (offset >= p->offset && offset < p->offset + p->size)
			return offset;
		if (p->offset >= offset && p->offset < next)
			next = p->offset;
	}
	return next == UINT32_MAX ? offset : next;
}

static bool has_kind(const struct image_kernel *k, uint32_t offset, const char *kind)
{
	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset == offset && k->params[i].kind)
			return !strcmp(k->params[i].kind, kind);
	return false;
}

bool params_shared(const struct image_kernel *k, uint32_t offset)
{
	return has_kind(k, offset, "dynamic_shared_pointer");
}

bool params_image(const struct image_kernel *k, uint32_t offset)
{
	return has_kind(k, offset, "image");
}

/* Whether the argument is a pad=N, whose bytes stay untouched on purpose. */
static bool is_pad(const struct argument *a)
{
	return !a->is_buffer && !a->bytes;
}

/* Whether a type has several numbers ("float4", "struct point"), unlike "f32" and pointers. */
static bool has_members(const char *type)
{
	size_t n = strlen(type);

	return !n || !strncmp(type, "struct ", 7) ||
		(type[n - 1] >= '0' && type[n - 1] <= '9' && strspn(type, "abcdefghijklmnopqrstuvwxyz") > 1);
}

/* A structure or a wide vector by value, by its size. */
static bool has_layout(const struct image_param *p)
{
	return p->size > 8 && !(p->type && strchr(p->type, '*'));
}

/* A parameter of a scalar type is one argument. A structure, a vector, or a parameter without a type may take an
 * argument for each member. */
static bool fits(const struct image_param *p, const struct argument *a)
{
	if (p->type && !has_members(p->type) && !has_layout(p))
		return a->offset == p->offset && a->slot == p->size;
	return a->offset >= p->offset && a->offset + a->slot <= p->offset + p->size;
}

static bool has_place(const struct image_kernel *k, const struct argument *a)
{
	for (size_t i = 0; i < k->nparams; i++)
		if (fits(&k->params[i], a))
			return true;
	return is_pad(a);
}

/* The first argument without a parameter; nargs: none. */
static size_t first_misfit(const struct wb_launch *l)
{
	size_t i = 0;

	while (i < l->inputs->nargs && has_place(l->plan.kernel, &l->inputs->arg[i]))
		i++;
	return i;
}

static bool is_given(const struct wb_launch *l, const struct image_param *p)
{
	for (size_t i = 0; i < l->inputs->nargs; i++)
		if (l->inputs->arg[i].offset < p->offset + p->size &&
		    p->offset < l->inputs->arg[i].offset + l->inputs->arg[i].slot)
			return true;
	return false;
}

/* A parameter's name in the source. Compilers of CUDA C++ number parameters behind the kernel's name, which is none. */
static const char *name_of(const struct image_kernel *k, const struct image_param *p)
{
	size_t n = strlen(k->name);

	if (!p->name || (!strncmp(p->name, k->name, n) && !strncmp(p->name + n, "_param_", 7)))
		return "";
	return p->name;
}

/* Write "u32 n, f32 a, S (12 bytes) s, 8 bytes", cut to `size` bytes. */
static void list_params(const struct image_kernel *k, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < k->nparams && used < size - 1; i++) {
		const struct image_param *p = &k->params[i];
		bool typed = p->type && *p->type;
		const char *type = typed ? p->type : "", *name = name_of(k, p);
		char bytes[24] = "";
		if (!typed || has_layout(p))
			snprintf(bytes, sizeof bytes, typed ? " (%u bytes)" : "%u bytes", p->size);
		int n = snprintf(text + used, size - used, "%s%s%s%s%s%s", used ? ", " : "", image_param_space(p), type,
				 bytes, *name ? " " : "", name);
		used += (size_t)n < size - used ? (size_t)n : size - used - 1;
	}
}

static bool refuse(const struct wb_launch *l, const char *why, struct diag *d)
{
	const struct image_kernel *k = l->plan.kernel;
	char list[160];
	bool layouts = false;

	for (size_t i = 0; i < k->nparams; i++)
		layouts = layouts || has_layout(&k->params[i]);
	list_params(k, list, sizeof list);
	return diag_set(d, DIAG_USAGE, "%s; kernel %.40s takes %zu: %s (an -a for each%s; --no-check-args launches it "
			"all the same)", why, k->name, k->nparams, list, layouts ?
			", also float4=1,2,3,4, struct=float:1,int:2 and bytes=FILE" : "");
}

bool params_check(const struct wb_launch *l, struct diag *d)
{
	const struct image_kernel *k = l->plan.kernel;
	char why[80];
	size_t given = 0, missing = 0, misfit;

	if (!k->nparams || l->inputs->params_given || !config_number(l->inputs->config, OPT_CHECK_ARGS))
		return true;
	for (size_t i = 0; i < l->inputs->nargs; i++)
		given += !is_pad(&l->inputs->arg[i]);
	for (size_t i = 0; i < k->nparams; i++)
		missing += k->params[i].size && !is_given(l, &k->params[i]);
	misfit = first_misfit(l);
	if (!missing && misfit == l->inputs->nargs)
		return true;
	if (given == k->nparams && misfit < l->inputs->nargs)
		snprintf(why, sizeof why, "argument %zu has %u bytes at 0x%x", misfit, l->inputs->arg[misfit].slot,
			 l->inputs->arg[misfit].offset);
	else
		snprintf(why, sizeof why, "%zu argument%s", given, given == 1 ? "" : "s");
	return refuse(l, why, d);
}

enum number { NO_NUMBER, INTEGER, FLOAT };

/* Kind of the type as a file or an argument spells it. */
static enum number number_of(const char *type)
{
	static const char *const floats[] = { "float", "half", "double", "f16", "f32", "f64" };
	static const char *const integers[] = { "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
						"size_t", "u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64" };

	for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
		if (!strcmp(type, floats[i]))
			return FLOAT;
	for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
		if (!strcmp(type, integers[i]))
			return INTEGER;
	return NO_NUMBER;
}

const char *params_types(struct wb_launch *l)
{
	const struct image_kernel *k = l->plan.kernel;
	char text[240];

	for (size_t i = 0; i < l->inputs->nargs; i++) {
		const struct argument *a = &l->inputs->arg[i];
		for (size_t j = 0; j < k->nparams; j++) {
			const struct image_param *p = &k->params[j];
			enum number want = p->type ? number_of(p->type) : NO_NUMBER, have = number_of(a->type);
			if (p->offset != a->offset || !want || !have || want == have)
				continue;
			snprintf(text, sizeof text, "argument %zu is given as %s=, and the parameter is %.40s%s%.80s: "
				 "the bits are passed as they are; did you mean %c%u=?", i, a->type, p->type,
				 p->name && *p->name ? " " : "", p->name ? p->name : "",
				 want == FLOAT ? 'f' : 's', 8 * p->size);
			return arena_strdup(&l->arena, text);
		}
	}
	return NULL;
}
