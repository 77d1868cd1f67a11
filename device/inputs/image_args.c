/* Images and samplers as arguments of kernels whose instructions take descriptors from registers: a buffer of texels,
 * and a descriptor in the machine's form behind the parameter. Images of kernels in OpenCL C are software, and a host
 * program's. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/inputs/buffer_args.h"
#include "device/inputs/scene_picture.h"

#define FORMS "FILE.png, or FORMAT:WIDTHxHEIGHT:zero (in=FILE, out=FILE, inout=IN:OUT) with a format of " \
	"docs/reference/textures.md such as rgba8_unorm or r32_float"

/* ---- the parameter ---- */

static const struct image_param *next_param(const struct wb_launch *l)
{
	const struct image_kernel *k = l->plan.kernel;
	uint32_t place = params_place(k, l->plan.param.size);

	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].offset == place)
			return &k->params[i];
	return NULL;
}

/* The next parameter, if it takes the address of a descriptor of this kind. */
static const struct image_param *take_param(struct wb_launch *l, const char *kind, struct diag *d)
{
	const struct image_param *p = next_param(l);

	if (!p || !p->kind || strcmp(p->kind, kind) != 0) {
		diag_set(d, DIAG_USAGE, "the next parameter is no %s", kind);
		return NULL;
	}
	if (!l->plan.code.target.isa->descriptors || strcmp(l->plan.image->format, "asm") != 0) {
		diag_set(d, DIAG_USAGE, "images and samplers of this kernel are a host program's: warpbeam run -- "
			 "PROGRAM; -a makes those of programs in CLRX's language");
		return NULL;
	}
	if (p->size == l->plan.image->pointer_bytes)
		return p;
	diag_set(d, DIAG_USAGE, "the parameter has %u bytes and is no address of a descriptor: -a makes descriptors "
		 "for .amdcl2 and .rocm", p->size);
	return NULL;
}

/* Put a descriptor into memory, and its address into the parameter. */
static bool put_descriptor(struct wb_launch *l, struct argument *a, const struct image_param *p, const uint32_t *words,
			   size_t bytes, struct diag *d)
{
	uint64_t address;

	if (!global_alloc(l->machine.global, bytes, &address, d) ||
	    !global_write(l->machine.global, address, words, bytes))
		return d->kind || diag_set(d, DIAG_ENV, "out of memory for a descriptor");
	memcpy(l->plan.params + p->offset, &address, p->size);
	a->offset = p->offset;
	a->slot = p->size;
	l->plan.param.size = p->offset + p->size;
	return true;
}

/* ---- images ---- */

/* "64x64": up to three sizes behind *text, which moves to the colon. */
static unsigned read_sizes(char **text, uint32_t size[3])
{
	unsigned n = 0;

	size[0] = size[1] = size[2] = 1;
	for (char *p = *text, *end; n < 3; p = end + 1) {
		unsigned long v = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : 0;
		if (!v || v > 1u << 14)
			return 0;
		size[n++] = (uint32_t)v;
		*text = end;
		if (*end != 'x')
			break;
	}
	return **text == ':' ? n : 0;
}

/* The type and its sizes: by the parameter's type, such as "image2d_array_t", else by the number of sizes. */
static bool take_sizes(const struct image_param *p, struct texture *t, const uint32_t size[3], unsigned n,
		       struct diag *d)
{
	const char *type = p->type ? p->type : "";
	bool array = strstr(type, "array");
	unsigned dims = strstr(type, "1d") ? 1 : strstr(type, "2d") ? 2 : strstr(type, "3d") ? 3 : n - array;

	if (!dims || n != dims + array)
		return diag_set(d, DIAG_USAGE, "found %u size%s, expected %u for %.40s", n, n == 1 ? "" : "s",
				dims + array, *type ? type : "the image");
	t->type = array ? dims == 1 ? TEXTURE_1D_ARRAY : TEXTURE_2D_ARRAY :
		  dims == 1 ? TEXTURE_1D : dims == 2 ? TEXTURE_2D : TEXTURE_3D;
	t->levels = 1;
	t->layers = array ? size[n - 1] : 1;
	t->level[0] = (struct texture_level){ .width = size[0], .height = dims > 1 ? size[1] : 1,
					      .depth = dims > 2 ? size[2] : 1 };
	texture_pack(t);
	return true;
}

static bool take_format(const char *name, struct texture *t, struct diag *d)
{
	struct texture_named_format f;

	if (!texture_format_named(name, &f))
		return diag_set(d, DIAG_USAGE, "found the format \"%.40s\", expected image=" FORMS, name);
	t->format = f.format;
	memcpy(t->texel_type, f.texel_type, sizeof t->texel_type);
	memcpy(t->source, f.source, sizeof t->source);
	return true;
}

static bool finish_image(struct wb_launch *l, struct argument *a, const struct image_param *p, const struct texture *t,
			 struct diag *d)
{
	const struct isa_target *target = &l->plan.code.target;
	uint32_t words[ISA_IMAGE_WORDS];

	if (!target->isa->descriptors->image(target, t, a->addr, words))
		return diag_set(d, DIAG_USAGE, "images of this chip have no such format, type or size: formats "
				"are not compressed, sides have up to 16384 texels, 8192 layers");
	return put_descriptor(l, a, p, words, sizeof words, d);
}

/* The texels' file: as many bytes as the image has. */
static bool check_file(const struct wb_launch *l, const struct argument *a, const struct texture *t, const char *file,
		       struct diag *d)
{
	return a->bytes == t->size ||
	       diag_set(d, DIAG_USAGE, "%s has %u bytes, the image %" PRIu64, file, a->bytes, t->size);
}

/* "FORMAT:SIZES:zero" */
static bool raw_image(struct wb_launch *l, struct argument *a, const struct image_param *p, char *value,
		      struct diag *d)
{
	char *colon = strchr(value, ':'), *text = colon ? colon + 1 : value;
	struct texture t = { .normalised = true };
	struct buffer_text b = { 0 };
	uint32_t size[3];
	unsigned n = colon ? read_sizes(&text, size) : 0;

	if (!n)
		return diag_set(d, DIAG_USAGE, "expected image=" FORMS);
	*colon = '\0';
	text++;
	if (!take_format(value, &t, d) || !take_sizes(p, &t, size, n, d))
		return false;
	b.bytes = t.size;
	if (!strncmp(text, "in=", 3)) {
		b.in = text + 3;
	} else if (!strncmp(text, "out=", 4)) {
		b.out = text + 4;
	} else if (!strncmp(text, "inout=", 6) && (colon = strrchr(text, ':'))) {
		*colon = '\0';
		b.in = text + 6;
		b.out = colon + 1;
	} else if (strcmp(text, "zero") != 0) {
		return diag_set(d, DIAG_USAGE, "found \"%.40s\", expected image=" FORMS, text);
	}
	return buffer_make(l, a, &b, d) && (!b.in || check_file(l, a, &t, b.in, d)) && finish_image(l, a, p, &t, d);
}

/* The sizes of a PNG file, from its first chunk. */
static bool picture_sizes(const uint8_t *bytes, size_t n, uint32_t size[3])
{
	static const uint8_t signature[8] = "\211PNG\r\n\032\n";

	if (n < 24 || memcmp(bytes, signature, sizeof signature) != 0)
		return false;
	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *at = bytes + 16 + 4 * i;
		size[i] = (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
	}
	size[2] = 1;
	return size[0] - 1 < 1 << 14 && size[1] - 1 < 1 << 14;
}

static bool read_picture(struct wb_launch *l, const char *name, const uint8_t *bytes, size_t n, uint8_t *to,
			 const uint32_t size[3], struct diag *d)
{
	const struct scene scene = { .l = l, .name = "-a", .d = d };
	json_t *text = json_string(name);
	bool ok = text ? picture_read(&scene, AT_KEY(NULL, "image"), text, bytes, n, size[0], size[1], to) :
		  diag_set(d, DIAG_ENV, "out of memory");

	json_decref(text);
	return ok;
}

/* A PNG file, as rgba8_unorm. */
static bool picture_image(struct wb_launch *l, struct argument *a, const struct image_param *p, const char *name,
			  struct diag *d)
{
	struct inputs *in = l->inputs;
	struct texture t = { .normalised = true };
	uint8_t *bytes, *texels;
	uint32_t size[3];
	size_t n;

	if ((in->by_program && !files_may(in->config, in->program->image_name, name, false, d)) ||
	    !read_file(in->config, &in->files, &l->arena, name, &bytes, &n, d))
		return false;
	if (!picture_sizes(bytes, n, size))
		return diag_set(d, DIAG_USAGE, "%s is no PNG file of up to 16384 by 16384 pixels", name);
	if (!take_format("rgba8_unorm", &t, d) || !take_sizes(p, &t, size, 2, d))
		return false;
	const struct buffer_text b = { .bytes = t.size };
	if (!buffer_make(l, a, &b, d))
		return false;
	texels = malloc(t.size);
	if (!texels)
		return diag_set(d, DIAG_ENV, "out of memory for the texels of %s", name);
	bool ok = read_picture(l, name, bytes, n, texels, size, d) &&
		  global_write(l->machine.global, a->addr, texels, t.size) && finish_image(l, a, p, &t, d);
	free(texels);
	return ok;
}

bool image_argument(struct wb_launch *l, struct argument *a, char *value, struct diag *d)
{
	const struct image_param *p = take_param(l, "image", d);
	const char *dot = strrchr(value, '.');

	if (!p)
		return false;
	return dot && !strcmp(dot, ".png") && !strstr(value, "=") ? picture_image(l, a, p, value, d) :
								    raw_image(l, a, p, value, d);
}

/* ---- samplers ---- */

static bool sampler_word(const char *word, struct sampler *s, bool *normalised)
{
	static const char *const wraps[WRAPS] = {
		"wrap", "mirror", "clamp_to_edge", "border", "clamp_ogl", "mirror_once_clamp_to_edge",
		"mirror_once_border", "mirror_once_clamp_ogl",
	};

	for (uint8_t i = 0; i < WRAPS; i++)
		if (!strcmp(word, wraps[i])) {
			memset(s->wrap, i, sizeof s->wrap);
			return true;
		}
	if (!strcmp(word, "nearest") || !strcmp(word, "linear"))
		s->min_linear = s->mag_linear = *word == 'l';
	else if (!strcmp(word, "texels"))
		*normalised = false;
	else
		return false;
	return true;
}

bool sampler_argument(struct wb_launch *l, struct argument *a, char *value, struct diag *d)
{
	const struct image_param *p = take_param(l, "sampler", d);
	struct sampler s = texture_default_sampler;
	uint32_t words[ISA_SAMPLER_WORDS];
	bool normalised = true;
	char *rest;

	if (!p)
		return false;
	for (char *word = strtok_r(value, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
		if (!sampler_word(word, &s, &normalised))
			return diag_set(d, DIAG_USAGE, "found \"%.40s\", expected words such as nearest, linear, wrap, "
					"mirror, clamp_to_edge, border, or texels for coordinates in texels", word);
	l->plan.code.target.isa->descriptors->sampler(&s, normalised, words);
	a->bytes = sizeof words;
	return put_descriptor(l, a, p, words, sizeof words, d);
}
