/* Arguments of a launch: the words of -a and --global become buffers in global memory and bytes in the parameter
 * block. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/buffer_args.h"
#include "device/inputs/values.h"
#include "device/state.h"
#include "mem/block_linear.h"

/* ---- the parameter block ---- */

static struct argument *new_argument(struct argument **array, size_t *n, size_t *cap)
{
	if (*n == *cap) {
		size_t more = *cap ? *cap * 2 : 8;
		struct argument *p = realloc(*array, more * sizeof *p);
		if (!p)
			return NULL;
		*array = p;
		*cap = more;
	}
	(*array)[*n] = (struct argument){ 0 };
	return &(*array)[(*n)++];
}

/* The place of the next bytes: of the declared parameter that begins next, whatever its alignment; within a parameter,
 * or without declarations, a multiple of `unit`. */
static uint32_t next_place(const struct image_kernel *k, uint32_t end, unsigned unit)
{
	uint32_t declared = params_place(k, end);

	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset == declared)
			return declared;
	return params_place(k, (end + unit - 1) / unit * unit);
}

static bool put_bytes(struct wb_launch *l, struct argument *a, const void *v, unsigned bytes, unsigned unit,
		      struct diag *d)
{
	uint32_t at = next_place(l->plan.kernel, l->plan.param.size, unit);

	if (at + bytes > sizeof l->plan.params)
		return diag_set(d, DIAG_USAGE, "more than %zu bytes of parameters", sizeof l->plan.params);
	if (params_image(l->plan.kernel, at))
		return diag_set(d, DIAG_USAGE,
				"this parameter is an image, which a host program makes: warpbeam run -- PROGRAM");
	memcpy(l->plan.params + at, v, bytes);
	a->offset = at;
	a->slot = bytes;
	if (!a->is_buffer)
		a->bytes = bytes;
	l->plan.param.size = at + bytes;
	return true;
}

static bool put_param(struct wb_launch *l, struct argument *a, uint64_t v, unsigned bytes, struct diag *d)
{
	return put_bytes(l, a, &v, bytes, bytes, d);
}

/* ---- words ---- */

static unsigned pointer_bytes(const struct wb_launch *l)
{
	const char *ptr = config_text(l->inputs->config, OPT_PTR);
	uint32_t declared = params_bytes(l->plan.kernel, l->plan.param.size);

	if (strcmp(ptr, "auto"))
		return *ptr == '8' ? 8 : 4;
	if (declared == 4 || declared == 8)
		return declared;
	return l->machine.global->first_buffer ? 8 : l->plan.image->pointer_bytes;
}

static bool is_buffer_key(const char *key)
{
	return !strcmp(key, "in") || !strcmp(key, "zero") || !strcmp(key, "out") || !strcmp(key, "inout");
}

static bool value_argument(struct wb_launch *l, struct argument *a, const char *type, const char *text, struct diag *d)
{
	struct value v;

	if (!value_type(type))
		return diag_set(d, DIAG_USAGE, "found \"%s=\", expected " VALUE_TYPES ", bytes=FILE, in zero out inout "
				"shared local pad or state", type);
	if (!value_parse(type, text, &v, d))
		return false;
	snprintf(a->type, sizeof a->type, "%s", type);
	return put_bytes(l, a, v.bytes, v.size, v.unit, d);
}

/* bytes=FILE: the contents are the value of the next parameter. */
static bool bytes_argument(struct wb_launch *l, struct argument *a, const char *file, struct diag *d)
{
	const struct inputs *in = l->inputs;
	uint8_t *bytes;
	size_t n;

	if ((in->by_program && !files_may(in->config, in->program->image_name, file, false, d)) ||
	    !read_file(in->config, &l->inputs->files, &l->arena, file, &bytes, &n, d))
		return false;
	if (!n || n > sizeof l->plan.params)
		return diag_set(d, DIAG_USAGE, "the file has %zu bytes, expected the bytes of a parameter, 1 to %zu", n,
				sizeof l->plan.params);
	return put_bytes(l, a, bytes, (unsigned)n, n % 8 ? 4 : 8, d);
}

/* shared=BYTES: the parameter points to this many bytes of shared memory behind the kernel's own. */
static bool shared_argument(struct wb_launch *l, struct argument *a, const char *value, struct diag *d)
{
	enum { ALIGN = 16 };            /* alignment of the widest vector */
	uint32_t at = (l->plan.kernel->smem + l->inputs->sized.dynamic_shared + ALIGN - 1) / ALIGN * ALIGN;
	uint64_t bytes;

	if (!params_shared(l->plan.kernel, params_place(l->plan.kernel, (l->plan.param.size + 3) / 4 * 4)))
		return diag_set(d, DIAG_USAGE,
				"this parameter is no pointer to shared memory; --smem gives a kernel more of it");
	if (!buffer_size(value, &bytes, d))
		return false;
	if (bytes > l->plan.chip.smem_bytes || at + bytes > l->plan.chip.smem_bytes)
		return diag_set(d, DIAG_USAGE, "%" PRIu64 " bytes of shared memory, expected at most %u", at + bytes,
				l->plan.chip.smem_bytes);
	l->inputs->sized.dynamic_shared = at + (uint32_t)bytes - l->plan.kernel->smem;
	return put_param(l, a, at, params_bytes(l->plan.kernel, l->plan.param.size) == 8 ? 8 : 4, d);
}

/* state=FILE: all that a launch of a device has begun with. */
static bool state_argument(struct wb_launch *l, const char *value, struct diag *d)
{
	uint8_t *bytes;
	size_t n;

	return (!l->inputs->by_program ||
		files_may(l->inputs->config, l->inputs->program->image_name, value, false, d)) &&
	       read_file(l->inputs->config, &l->inputs->files, &l->arena, value, &bytes, &n, d) &&
	       state_take(l, bytes, n, d);
}

static bool argument_word(struct wb_launch *l, struct argument *a, const char *key, char *value, struct diag *d)
{
	struct buffer_text b;
	uint64_t pad;

	if (is_buffer_key(key))
		return buffer_parse(key, value, &b, d) && buffer_make(l, a, &b, d) &&
		       put_param(l, a, a->addr, pointer_bytes(l), d);
	if (!strcmp(key, "state"))
		return state_argument(l, value, d);
	if (!strcmp(key, "shared") || !strcmp(key, "local"))
		return shared_argument(l, a, value, d);
	if (!strcmp(key, "bytes"))
		return bytes_argument(l, a, value, d);
#ifndef __wasm__ /* a page runs no image instructions */
	if (!strcmp(key, "image"))
		return image_argument(l, a, value, d);
	if (!strcmp(key, "sampler"))
		return sampler_argument(l, a, value, d);
#endif
	if (strcmp(key, "pad"))
		return value_argument(l, a, key, value, d);
	if (!buffer_size(value, &pad, d))
		return false;
	if (pad > sizeof l->plan.params - l->plan.param.size)
		return diag_set(d, DIAG_USAGE, "pad=%s: more than %zu bytes of parameters", value,
				sizeof l->plan.params);
	a->offset = l->plan.param.size;
	a->slot = (uint32_t)pad;
	l->plan.param.size += (uint32_t)pad;
	return true;
}

bool launch_argument(struct wb_launch *l, const char *text, struct diag *d)
{
	char *copy = arena_strdup(&l->arena, text), *equals = copy ? strchr(copy, '=') : NULL;
	struct argument *a;
	struct diag why = { 0 };

	if (!copy)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (l->plan.code.target.isa->inputs)
		return diag_set(d, DIAG_USAGE, "-a %s: a shader has no arguments but vertices and uniforms", text);
	if (!equals)
		return diag_set(d, DIAG_USAGE,
				"-a: found \"%s\", expected TYPE=VALUE such as u32=5, float4=1,2,3,4, zero=1024 or "
				"in=FILE", text);
	*equals = '\0';
	a = new_argument(&l->inputs->arg, &l->inputs->nargs, &l->inputs->arg_cap);
	if (!a)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (argument_word(l, a, copy, equals + 1, &why))
		return true;
	l->inputs->nargs--;
	return diag_set(d, why.kind, "-a %s: %s", text, why.text);
}

/* Parse "2d:PITCH:HEIGHT[:BLOCK]:" at *text and move *text behind the prefix; without a prefix *v stays linear. */
static bool parse_surface(const char *option, char **text, struct view *v, struct diag *d)
{
	unsigned long pitch, height, block = 0;
	char *p = *text;

	if (strncmp(p, "2d:", 3))
		return true;
	p += 3;
	pitch = *p >= '0' && *p <= '9' ? strtoul(p, &p, 0) : 0;
	if (!pitch || pitch % TILE_X || pitch > 1u << 16 || *p != ':')
		return diag_set(d, DIAG_USAGE,
				"--global %s: expected 2d:PITCH with the bytes of a row, a multiple of %d up to 65536",
				option, TILE_X);
	p++;
	height = *p >= '0' && *p <= '9' ? strtoul(p, &p, 0) : 0;
	if (!height || height > 1u << 16 || *p != ':')
		return diag_set(
			d, DIAG_USAGE,
			"--global %s: expected 2d:PITCH:HEIGHT with 1 to 65536 rows, then zero=BYTES and the like",
			option);
	p++;
	if (*p >= '0' && *p <= '9') {
		block = strtoul(p, &p, 10);
		if (block > VIEW_BLOCK_MAX || *p++ != ':')
			return diag_set(
				d, DIAG_USAGE,
				"--global %s: expected 2d:PITCH:HEIGHT:BLOCK with 0 to %d, the power of two of the "
				"tiles that a block is high",
				option, VIEW_BLOCK_MAX);
	}
	*v = (struct view){ .surface = true, .block_height = (uint8_t)block, .last_x = (uint16_t)(pitch - 1),
			    .last_y = (uint16_t)(height - 1), .pitch = (uint32_t)pitch };
	*text = p;
	return true;
}

/* g[n] shows the buffer of an argument, in whole granules; an empty buffer is not shown. */
static void set_view(struct wb_launch *l, unsigned long n, struct view v, const struct argument *a)
{
	v.base = a->addr;
	v.last_byte = (a->bytes + GRANULE_BYTES - 1) / GRANULE_BYTES * GRANULE_BYTES - 1;
	if (a->bytes)
		l->plan.memory.g[n] = v;
}

bool launch_bind_global(void *launch, const char *text, struct diag *d)
{
	struct wb_launch *l = launch;
	char *copy = arena_strdup(&l->arena, text), *end = copy, *equals = copy ? strchr(copy, '=') : NULL, *key;
	unsigned long n = copy ? strtoul(copy, &end, 10) : 0;
	struct view v = { 0 };
	struct argument *a;
	struct buffer_text b;
	uint64_t least = 0;

	if (!copy)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (end == copy || *end != ':' || n >= GLOBAL_VIEWS || !equals)
		return diag_set(d, DIAG_USAGE,
				"--global: found \"%s\", expected N:zero=BYTES or N:2d:PITCH:HEIGHT:zero=BYTES and the "
				"like with N from 0 to 15", text);
	key = end + 1;
	if (!parse_surface(text, &key, &v, d))
		return false;
	*equals = '\0';
	if (!is_buffer_key(key))
		return diag_set(d, DIAG_USAGE, "--global: found \"%s=\", expected in, zero, out or inout", key);
	a = new_argument(&l->inputs->bound, &l->inputs->nbound, &l->inputs->bound_cap);
	if (!a)
		return diag_set(d, DIAG_ENV, "out of memory");
	a->offset = (uint32_t)n;
	if (v.surface)
		least = view_surface_bytes(v.pitch, v.last_y + 1u, v.block_height);
	if (!buffer_parse(key, equals + 1, &b, d) || !buffer_make(l, a, &b, d)) {
		l->inputs->nbound--;
		return false;
	}
	if (a->bytes < least)
		return diag_set(d, DIAG_USAGE, "--global %s: %u bytes, expected at least the %" PRIu64
				" that the surface takes in whole blocks", text, a->bytes, least);
	set_view(l, n, v, a);
	return true;
}
