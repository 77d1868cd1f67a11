/* CLRX: chips, kernels and their configuration. A kernel's words of .config become numbers and bits here; the meaning
 * for a launch, by the binary's format, is in clrx_finish.c. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/isa.h"
#include "core/isa/gcn/clrx_impl.h"

/* ---- chips ---- */

enum { ARCH_10, ARCH_11, ARCH_12, ARCH_14, ARCH_141, ARCH_15, ARCH_151 };

/* By the numbers of .get_gpu, and other names behind (facts: CLRX, .gpu and utils/GPUId.cpp). */
static const struct clrx_gpu { const char *name; int8_t number, arch; } gpus[] = {
	{ "capeverde", 0, ARCH_10 }, { "pitcairn", 1, ARCH_10 }, { "tahiti", 2, ARCH_10 }, { "oland", 3, ARCH_10 },
	{ "bonaire", 4, ARCH_11 }, { "spectre", 5, ARCH_11 }, { "spooky", 6, ARCH_11 }, { "kalindi", 7, ARCH_11 },
	{ "hainan", 8, ARCH_10 }, { "hawaii", 9, ARCH_11 }, { "iceland", 10, ARCH_12 }, { "tonga", 11, ARCH_12 },
	{ "mullins", 12, ARCH_11 }, { "fiji", 13, ARCH_12 }, { "carrizo", 14, ARCH_12 }, { "dummy", 15, ARCH_12 },
	{ "goose", 16, ARCH_12 }, { "horse", 17, ARCH_12 }, { "stoney", 18, ARCH_12 }, { "ellesmere", 19, ARCH_12 },
	{ "baffin", 20, ARCH_12 }, { "gfx804", 21, ARCH_12 }, { "gfx900", 22, ARCH_14 }, { "gfx901", 23, ARCH_14 },
	{ "gfx902", 24, ARCH_14 }, { "gfx903", 25, ARCH_14 }, { "gfx904", 26, ARCH_14 }, { "gfx905", 27, ARCH_14 },
	{ "gfx906", 28, ARCH_141 }, { "gfx907", 29, ARCH_141 }, { "gfx1000", 30, ARCH_15 },
	{ "gfx1010", 31, ARCH_15 }, { "gfx1011", 32, ARCH_151 }, { "gfx600", 2, ARCH_10 }, { "gfx601", 1, ARCH_10 },
	{ "gfx700", 5, ARCH_11 }, { "gfx701", 9, ARCH_11 }, { "gfx801", 14, ARCH_12 }, { "gfx802", 11, ARCH_12 },
	{ "gfx803", 13, ARCH_12 }, { "navi10", 31, ARCH_15 }, { "polaris10", 19, ARCH_12 },
	{ "polaris11", 20, ARCH_12 }, { "polaris12", 21, ARCH_12 }, { "polaris20", 19, ARCH_12 },
	{ "polaris21", 20, ARCH_12 }, { "polaris22", 19, ARCH_12 }, { "raven", 24, ARCH_14 },
	{ "topaz", 10, ARCH_12 }, { "vega10", 22, ARCH_14 }, { "vega11", 25, ARCH_14 }, { "vega12", 26, ARCH_14 },
	{ "vega20", 28, ARCH_141 },
};

static const struct { const char *name; int8_t arch; } archs[] = {
	{ "si", ARCH_10 }, { "gcn1.0", ARCH_10 }, { "gfx6", ARCH_10 }, { "ci", ARCH_11 }, { "gcn1.1", ARCH_11 },
	{ "gfx7", ARCH_11 }, { "vi", ARCH_12 }, { "gcn1.2", ARCH_12 }, { "gfx8", ARCH_12 }, { "vega", ARCH_14 },
	{ "gcn1.4", ARCH_14 }, { "gfx9", ARCH_14 }, { "vega20", ARCH_141 }, { "gcn1.4.1", ARCH_141 },
	{ "gfx906", ARCH_141 }, { "navi", ARCH_15 }, { "gcn1.5", ARCH_15 }, { "gfx10", ARCH_15 },
	{ "navidl", ARCH_151 }, { "gcn1.5.1", ARCH_151 }, { "gfx1011", ARCH_151 },
};

static const struct clrx_gpu *find_gpu(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
		if (clrx_word_is(name, n, gpus[i].name))
			return &gpus[i];
	return NULL;
}

int clrx_gpu_named(const char *name, size_t n)
{
	const struct clrx_gpu *g = find_gpu(name, n);

	return g ? g->number : -1;
}

int clrx_arch_named(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
		if (clrx_word_is(name, n, archs[i].name))
			return archs[i].arch;
	return -1;
}

static bool choose(struct clrx *c, int gpu, int arch, const char *name, size_t n)
{
	static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900", "gfx900" };

	if (arch > ARCH_141)
		return clrx_error(c, name, "%.*s is one of AMD's RDNA chips (GCN 1.5), whose instructions are "
				  "others; Warpbeam has GCN 1.0 to 1.4: .gpu Tahiti, Bonaire, Tonga, GFX900, …",
				  (int)n, name);
	if (c->chosen.chip_said)                       /* by the option */
		return true;
	if (c->chosen.code_begun)
		return clrx_error(c, NULL, "the chip belongs in front of the code");
	c->chosen.gpu = gpu;
	c->chosen.arch = arch;
	c->chosen.chip = chips[arch];
	return true;
}

bool clrx_choose_gpu(struct clrx *c, const char *rest)
{
	size_t n = strcspn(rest, " \t");
	const struct clrx_gpu *g = find_gpu(rest, n);

	/* later chips of RDNA have no row */
	if (!g && !strncasecmp(rest, "gfx1", 4) && n > 6)
		return choose(c, -1, ARCH_15, rest, n);
	if (!g)
		return clrx_error(c, rest, "unknown device `%.*s`, expected one of CLRX's: Tahiti, Pitcairn, Bonaire, "
				  "Hawaii, Tonga, Fiji, Ellesmere, GFX900, …", (int)n, rest);
	return clrx_ends(c, rest + n) && choose(c, g->number, g->arch, rest, n);
}

bool clrx_choose_arch(struct clrx *c, const char *rest)
{
	static const int8_t first_gpu[] = { 0, 4, 11, 22, 28, 30, 32 };
	size_t n = strcspn(rest, " \t");
	int arch = clrx_arch_named(rest, n);

	if (arch < 0)
		return clrx_error(c, rest, "unknown architecture `%.*s`, expected GCN1.0, GCN1.1, GCN1.2, GCN1.4, or "
				  "SI, CI, VI, VEGA", (int)n, rest);
	return clrx_ends(c, rest + n) && choose(c, first_gpu[arch], arch, rest, n);
}

/* ---- kernels ---- */

static int find_kernel(const struct clrx *c, const char *name, size_t n)
{
	for (size_t i = 0; i < c->kernels.count; i++)
		if (strlen(c->kernels.list[i].name) == n && !memcmp(c->kernels.list[i].name, name, n))
			return (int)i;
	return -1;
}

static int add_kernel(struct clrx *c, const char *name, size_t n)
{
	struct clrx_kernel *k;
	int index = (int)c->kernels.count;

	if (c->kernels.count == CLRX_KERNELS) {
		clrx_error(c, NULL, "more than %d kernels", CLRX_KERNELS);
		return -1;
	}
	k = CLRX_GROW(c, c->kernels);
	if (!k || !(k->name = clrx_copy(c, name, n)))
		return -1;
	k->position = c->now.position;
	k->setup = SECTION_NONE;
	for (int i = 0; i < CONFIG_NUMBERS; i++)
		k->number[i] = -1;
	k->code = c->chosen.separate_layout ? clrx_section(c, ".text", SECTION_CODE, index) : c->main.text;
	k->latest = k->code;
	return k->code == SECTION_NONE ? -1 : index;
}

bool clrx_open_kernel(struct clrx *c, const char *rest)
{
	size_t n = strcspn(rest, " \t");
	int index = find_kernel(c, rest, n);

	if (!n)
		return clrx_error(c, rest, "expected .kernel NAME");
	if (c->chosen.format == FORMAT_RAW)
		return clrx_error(c, NULL, "raw code has no kernels: .amdcl2, .gallium or .rocm in front of all choose "
				  "a binary with kernels");
	if (!clrx_ends(c, rest + n) || (index < 0 && (index = add_kernel(c, rest, n)) < 0))
		return false;
	if (c->kernel >= 0)
		c->kernels.list[c->kernel].latest = c->here;
	else
		c->main.latest = c->here;
	c->kernel = index;
	c->here = c->kernels.list[index].latest;
	return true;
}

/* ---- arguments ---- */

static uint32_t aligned(uint32_t offset, uint32_t unit)
{
	return unit ? (offset + unit - 1) / unit * unit : offset;
}

static uint32_t arguments_end(const struct clrx_kernel *k)
{
	uint32_t end = 0;

	for (size_t i = 0; i < k->arguments.count; i++)
		if (k->arguments.list[i].offset + k->arguments.list[i].size > end)
			end = k->arguments.list[i].offset + k->arguments.list[i].size;
	return end;
}

static bool add_argument(struct clrx *c, struct clrx_argument a, uint32_t unit)
{
	enum { ARGUMENTS = 1024, ARGUMENT_BYTES = 4096 };
	struct clrx_kernel *k = &c->kernels.list[c->kernel];
	struct clrx_argument *to;

	a.offset = aligned(arguments_end(k), unit);
	if (k->arguments.count == ARGUMENTS || a.size > ARGUMENT_BYTES || a.offset + a.size > ARGUMENT_BYTES)
		return clrx_error(c, NULL, "the kernel's arguments take more than %d bytes", ARGUMENT_BYTES);
	to = CLRX_GROW(c, k->arguments);
	if (to)
		*to = a;
	k->configured = true;
	return to != NULL;
}

/* Up to `most` pieces between commas, trimmed. */
static bool cut(struct clrx *c, const char *rest, const char **piece, unsigned most, unsigned *n)
{
	const char *p = rest;

	for (*n = 0; *n < most;) {
		const char *from = p = clrx_skip(p), *end;
		if (*p == '"' && !(p = clrx_quoted_end(p)))
			return clrx_error(c, from, "the text in quotes does not end");
		p += strcspn(p, ",");
		for (end = p; end > from && isspace((unsigned char)end[-1]);)
			end--;
		if (!(piece[(*n)++] = clrx_copy(c, from, (size_t)(end - from))))
			return false;
		if (!*p++)
			break;
	}
	for (unsigned i = *n; i < most; i++)
		piece[i] = "";
	return true;
}

/* A text without its quotes, if any. */
static const char *bare(struct clrx *c, const char *piece)
{
	size_t n = strlen(piece);

	return *piece == '"' && n > 1 ? clrx_copy(c, piece + 1, n - 2) : piece;
}

/* The runtime's own arguments, by their names in AMD's binaries. */
static const struct { const char *name, *kind; } setup_arguments[] = {
	{ "_.global_offset_0", "hidden_global_offset_x" }, { "_.global_offset_1", "hidden_global_offset_y" },
	{ "_.global_offset_2", "hidden_global_offset_z" }, { "_.printf_buffer", "hidden_printf_buffer" },
	{ "_.vqueue_pointer", "hidden_default_queue" }, { "_.aqlwrap_pointer", "hidden_completion_action" },
};
enum { SETUP_ARGUMENTS = sizeof setup_arguments / sizeof *setup_arguments };

static bool op_setupargs(struct clrx *c, const char *rest)
{
	uint32_t size = c->chosen.wide ? 8 : 4;

	if (c->kernels.list[c->kernel].arguments.count)
		return clrx_error(c, NULL, ".setupargs comes before the kernel's other arguments");
	for (unsigned i = 0; i < SETUP_ARGUMENTS; i++)
		if (!add_argument(c, (struct clrx_argument){ .name = setup_arguments[i].name, .type = "size_t",
							     .kind = setup_arguments[i].kind, .size = size,
							     .hidden = true }, size))
			return false;
	return clrx_ends(c, rest);
}

/* Bytes and alignment of "uint4"; false: no such type. */
static bool scalar_type(const char *type, uint32_t *size, uint32_t *unit)
{
	static const struct { const char *name; uint8_t bytes; } types[] = {
		{ "char", 1 }, { "uchar", 1 }, { "short", 2 }, { "ushort", 2 }, { "int", 4 }, { "uint", 4 },
		{ "long", 8 }, { "ulong", 8 }, { "float", 4 }, { "double", 8 }, { "half", 2 }, { "size_t", 8 },
		{ "counter32", 4 },
	};
	size_t n = 0, digits;
	unsigned elements = 1;

	while (isalpha((unsigned char)type[n]) || type[n] == '_')
		n++;
	digits = strspn(type + n, "0123456789");
	if (clrx_word_is(type, n, "counter"))
		n += digits;
	else if (digits && digits < 3)
		elements = (unsigned)strtoul(type + n, NULL, 10);
	if ((elements != 1 && elements != 2 && elements != 3 && elements != 4 && elements != 8 && elements != 16) ||
	    digits > 2 || type[n + (n && type[n] ? digits : 0)])
		return false;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (clrx_word_is(type, n, types[i].name)) {
			*unit = types[i].bytes;
			*size = types[i].bytes * (elements == 3 ? 4 : elements);
			return true;
		}
	return false;
}

static const char *space_named(const char *const *piece, unsigned n)
{
	static const char *const spaces[] = { "local", "constant", "global" };

	for (unsigned i = 0; i < n; i++)
		for (unsigned s = 0; s < 3; s++)
			if (!strcasecmp(piece[i], spaces[s]))
				return spaces[s];
	return NULL;
}

/* Whether an argument has the name of one that AMD's compiler adds, and then its kind. */
static bool is_setup(struct clrx_argument *a)
{
	for (unsigned i = 0; i < SETUP_ARGUMENTS; i++)
		if (!strcmp(a->name, setup_arguments[i].name)) {
			a->hidden = true;
			a->kind = setup_arguments[i].kind;
			return true;
		}
	return false;
}

/* NAME[, "TYPE NAME"], TYPE[, …]: AMD's binaries. */
static bool amd_argument(struct clrx *c, const char *rest)
{
	enum { PIECES = 8 };
	const char *piece[PIECES], *type, *space;
	struct clrx_argument a = { .kind = "by_value" };
	uint32_t unit = c->chosen.wide ? 8 : 4, pointer = unit;
	unsigned n, t = 1;

	if (!cut(c, rest, piece, PIECES, &n))
		return false;
	t += *piece[1] == '"';
	a.name = piece[0];
	a.type = t == 2 ? bare(c, piece[1]) : piece[1];
	type = piece[t];
	space = space_named(piece + t, PIECES - t);
	a.size = unit;
	if (!a.type)
		return false;
	if (strchr(type, '*')) {
		bool local = space && !strcmp(space, "local");
		a.space = space ? space : "global";
		a.kind = local ? "dynamic_shared_pointer" : "global_buffer";
	} else if (!strncasecmp(type, "image", 5)) {
		a.kind = "image";
		a.size = c->chosen.format == FORMAT_AMD ? 32 : unit;
	} else if (!strcasecmp(type, "sampler") || !strcasecmp(type, "queue") || !strcasecmp(type, "pipe") ||
		   !strcasecmp(type, "clkevent")) {
		a.kind = !strcasecmp(type, "clkevent") ? "queue" : type;
	} else if (!strcasecmp(type, "structure")) {
		a.kind = "global_buffer";       /* its address, in both of AMD's binaries */
		a.space = "constant";
	} else if (!scalar_type(type, &a.size, &unit)) {
		return clrx_error(c, NULL, "argument %.60s: unknown type `%.60s`, expected int, float4, uint*, "
				  "image2d, sampler, structure, …", a.name, type);
	}
	if (is_setup(&a))
		a.size = unit = pointer;
	return add_argument(c, a, c->chosen.format == FORMAT_AMD ? 16 : unit);
}

static bool number_text(struct clrx *c, const char *text, int64_t fallback, uint32_t *out)
{
	struct clrx_statement now = c->now;
	int64_t v = fallback;
	bool ok;

	c->now.text = text;
	ok = !*text || (clrx_number(c, &text, &v) && clrx_ends(c, text));
	c->now = now;
	if (ok && (v < 0 || v > 65536))
		ok = clrx_error(c, NULL, "found %" PRId64 " bytes, expected at most 65536", v);
	*out = ok ? (uint32_t)v : 0;
	return ok;
}

static bool gallium_kind(struct clrx *c, const char *word, struct clrx_argument *a)
{
	a->type = word;
	if (!strcasecmp(word, "global") || !strcasecmp(word, "constant")) {
		a->kind = "global_buffer";
		a->space = word;
	} else if (!strcasecmp(word, "local")) {
		a->kind = "dynamic_shared_pointer";
		a->space = "local";
	} else if (!strncasecmp(word, "image", 5) || !strcasecmp(word, "sampler")) {
		a->kind = strcasecmp(word, "sampler") ? "image" : "sampler";
	} else if (strcasecmp(word, "scalar")) {
		return clrx_error(c, NULL, "unknown kind of argument `%.40s`, expected scalar, constant, global, "
				  "local, griddim or gridoffset", word);
	}
	return true;
}

/* TYPE, SIZE[, TARGETSIZE[, ALIGN[, EXTENSION[, SEMANTIC]]]] */
static bool gallium_argument(struct clrx *c, const char *rest)
{
	enum { PIECES = 6 };
	static const char *const axes[] = { "x", "y", "z" }, *const offsets[] = {
		"hidden_global_offset_x", "hidden_global_offset_y", "hidden_global_offset_z" };
	const char *piece[PIECES], *meaning;
	struct clrx_argument a = { .name = "", .kind = "by_value" };
	uint32_t size = 0, unit = 0;
	unsigned n;

	if (!cut(c, rest, piece, PIECES, &n))
		return false;
	meaning = !strncasecmp(piece[0], "grid", 4) ? piece[0] : piece[5];
	if (!number_text(c, piece[1], 4, &size) || !number_text(c, piece[2], size, &a.size) ||
	    !number_text(c, piece[3], 0, &unit))
		return false;
	for (; !unit || (unit < a.size && !*piece[3]); unit = unit ? unit * 2 : 1)
		;
	if (!strcasecmp(meaning, "griddim"))
		return add_argument(c, (struct clrx_argument){ .name = "griddim", .type = "uint", .size = 4,
							       .kind = "hidden_grid_dims", .hidden = true }, 4);
	for (unsigned i = 0; i < 3 && !strcasecmp(meaning, "gridoffset"); i++)
		if (!add_argument(c, (struct clrx_argument){ .name = axes[i], .type = "uint", .size = 4,
							     .kind = offsets[i], .hidden = true }, 4))
			return false;
	if (!strcasecmp(meaning, "gridoffset"))
		return true;
	return gallium_kind(c, piece[0], &a) && add_argument(c, a, unit);
}

/* [NAME][, "TYPE NAME"], SIZE, [ALIGN], KIND, TYPE[, …] */
static bool rocm_argument(struct clrx *c, const char *rest)
{
	enum { PIECES = 10 };
	static const struct { const char *word, *kind; } kinds[] = {
		{ "value", "by_value" }, { "globalbuf", "global_buffer" }, { "dynshptr", "dynamic_shared_pointer" },
		{ "image", "image" }, { "sampler", "sampler" }, { "pipe", "pipe" }, { "queue", "queue" },
		{ "gox", "hidden_global_offset_x" }, { "globaloffsetx", "hidden_global_offset_x" },
		{ "goy", "hidden_global_offset_y" }, { "globaloffsety", "hidden_global_offset_y" },
		{ "goz", "hidden_global_offset_z" }, { "globaloffsetz", "hidden_global_offset_z" },
		{ "printfbuf", "hidden_printf_buffer" }, { "defqueue", "hidden_default_queue" },
		{ "complact", "hidden_completion_action" }, { "none", "hidden_none" },
		{ "multigridsyncarg", "hidden_multigrid_sync_arg" },
	};
	const char *piece[PIECES];
	struct clrx_argument a = { 0 };
	uint32_t unit = 0;
	unsigned n, t;

	if (!cut(c, rest, piece, PIECES, &n))
		return false;
	t = *piece[1] == '"' ? 2 : 1;
	a.name = piece[0];
	a.type = t == 2 ? bare(c, piece[1]) : "";
	if (!a.type || !number_text(c, piece[t], 8, &a.size) || !number_text(c, piece[t + 1], 0, &unit))
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcasecmp(piece[t + 2], kinds[i].word))
			a.kind = kinds[i].kind;
	if (!a.kind)
		return clrx_error(c, NULL, "unknown kind of argument `%.40s`, expected value, globalbuf, dynshptr, "
				  "gox, goy, goz, printfbuf, …", piece[t + 2]);
	a.hidden = !strncmp(a.kind, "hidden_", 7);
	a.space = space_named(piece + t + 3, PIECES - t - 3);
	for (; !unit || (unit < a.size && !*piece[t + 1] && unit < 16); unit = unit ? unit * 2 : 1)
		;
	return add_argument(c, a, unit);
}

static bool op_arg(struct clrx *c, const char *rest)
{
	if (c->chosen.format == FORMAT_ROCM)
		return rocm_argument(c, rest);
	return c->chosen.format == FORMAT_GALLIUM ? gallium_argument(c, rest) : amd_argument(c, rest);
}

/* ---- numbers and flags ---- */

static bool op_config(struct clrx *c, const char *rest)
{
	c->kernels.list[c->kernel].configured = true;
	c->here = clrx_section(c, ".config", SECTION_CONFIG, c->kernel);
	return c->here != SECTION_NONE && clrx_ends(c, rest);
}

static bool op_hsaconfig(struct clrx *c, const char *rest)
{
	c->kernels.list[c->kernel].hsa = true;
	return op_config(c, rest);
}

/* "xyz" as bits; *p moves behind. */
static bool read_axes(struct clrx *c, const char **p, uint32_t *axes)
{
	*axes = 0;
	for (*p = clrx_skip(*p); **p && strchr("xyzXYZ", **p); ++*p)
		*axes |= 1u << ((**p | 32) - 'x');
	return !**p || isspace((unsigned char)**p) || **p == ',' ||
	       clrx_error(c, *p, "found `%.20s`, expected axes of x, y and z", *p);
}

static bool op_dims(struct clrx *c, const char *rest)
{
	struct clrx_kernel *k = &c->kernels.list[c->kernel];
	bool more;

	if (!read_axes(c, &rest, &k->dims[0]) || !clrx_comma(c, &rest, &more))
		return false;
	k->dims[1] = k->dims[0];
	if (k->flags & FLAG_ENQUEUE && !more)
		k->dims[1] = 7;
	k->dims_said = true;
	return !more || (read_axes(c, &rest, &k->dims[1]) && clrx_ends(c, rest));
}

static bool op_counts(struct clrx *c, const char *rest)
{
	uint32_t axes;

	if (!read_axes(c, &rest, &axes))
		return false;
	c->kernels.list[c->kernel].properties |= axes * GCN_COUNT_X;
	return clrx_ends(c, rest);
}

static bool op_group(struct clrx *c, const char *rest)
{
	uint32_t *group = c->kernels.list[c->kernel].group;
	bool more = true;

	group[0] = group[1] = group[2] = 1;
	for (unsigned i = 0; i < 3 && more; i++) {
		int64_t v = 1;
		rest = clrx_skip(rest);
		if (*rest && *rest != ',' && !clrx_number(c, &rest, &v))
			return false;
		if (v < 1 || v > 1024)
			return clrx_error(c, NULL, "a group of %" PRId64 " threads, expected 1 to 1024", v);
		group[i] = (uint32_t)v;
		if (!clrx_comma(c, &rest, &more))
			return false;
	}
	return true;
}

/* .entry ADDRESS, VALUE in .proginfo: registers of the hardware, by their addresses. */
static bool op_entry(struct clrx *c, const char *rest)
{
	static const struct { int64_t address; uint8_t number; } places[] = {
		{ 0xb848, NUMBER_RSRC1 }, { 0xb84c, NUMBER_RSRC2 },
	};
	int64_t address, value;
	bool more;

	if (c->chosen.format != FORMAT_GALLIUM)
		return true;
	if (!clrx_number(c, &rest, &address) || !clrx_comma(c, &rest, &more) || !more ||
	    !clrx_number(c, &rest, &value))
		return clrx_error(c, NULL, "expected .entry ADDRESS, VALUE");
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (places[i].address == address)
			c->kernels.list[c->kernel].number[places[i].number] = (uint32_t)value;
	c->kernels.list[c->kernel].configured = true;
	return clrx_ends(c, rest);
}

/* Classes of .userdata, by their names; slot -1: any. */
static const struct { const char *name; int8_t slot; const char *kind; } user_classes[] = {
	{ "imm_const_buffer", 0, GCN_SGPRS_SETUP }, { "imm_const_buffer", 1, GCN_SGPRS_ARGUMENTS },
	{ "imm_const_buffer", -1, GCN_NO_SGPRS }, { "imm_uav", -1, GCN_SGPRS_BUFFER },
	{ "ptr_const_buffer_table", -1, GCN_SGPRS_CONSTANTS },
	{ "ptr_internal_global_table", -1, GCN_SGPRS_PRIVATE }, { "ptr_uav_table", -1, GCN_SGPRS_BUFFERS },
	{ "imm_alu_bool32_const", -1, GCN_NO_SGPRS }, { "imm_alu_float_const", -1, GCN_NO_SGPRS },
	{ "imm_context_base", -1, GCN_NO_SGPRS }, { "imm_dispatch_id", -1, GCN_NO_SGPRS },
	{ "imm_gds_counter_range", -1, GCN_NO_SGPRS }, { "imm_gds_memory_range", -1, GCN_NO_SGPRS },
	{ "imm_generic_user_data", -1, GCN_NO_SGPRS }, { "imm_global_offset", -1, GCN_NO_SGPRS },
	{ "imm_gws_base", -1, GCN_NO_SGPRS }, { "imm_heap_buffer", -1, GCN_NO_SGPRS },
	{ "imm_kernel_arg", -1, GCN_NO_SGPRS }, { "imm_lds_esgs_size", -1, GCN_NO_SGPRS },
	{ "imm_resource", -1, GCN_NO_SGPRS }, { "imm_sampler", -1, GCN_NO_SGPRS },
	{ "imm_scratch_buffer", -1, GCN_NO_SGPRS }, { "imm_vertex_buffer", -1, GCN_NO_SGPRS },
	{ "imm_work_group_range", -1, GCN_NO_SGPRS }, { "imm_work_item_range", -1, GCN_NO_SGPRS },
	{ "ptr_extended_user_data", -1, GCN_NO_SGPRS }, { "ptr_indirect_internal_resource", -1, GCN_NO_SGPRS },
	{ "ptr_indirect_resource", -1, GCN_NO_SGPRS }, { "ptr_indirect_uav", -1, GCN_NO_SGPRS },
	{ "ptr_internal_resource_table", -1, GCN_NO_SGPRS }, { "ptr_resource_table", -1, GCN_NO_SGPRS },
	{ "ptr_sampler_table", -1, GCN_NO_SGPRS }, { "ptr_so_buffer_table", -1, GCN_NO_SGPRS },
	{ "ptr_vertex_buffer_table", -1, GCN_NO_SGPRS }, { "sub_ptr_fetch_shader", -1, GCN_NO_SGPRS },
};

static const char *user_class(const char *name, size_t n, int64_t slot)
{
	for (size_t i = 0; i < sizeof user_classes / sizeof *user_classes; i++)
		if (clrx_word_is(name, n, user_classes[i].name) &&
		    (user_classes[i].slot < 0 || user_classes[i].slot == slot))
			return user_classes[i].kind;
	return NULL;
}

/* .userdata CLASS, SLOT, REGISTER, COUNT */
static bool op_userdata(struct clrx *c, const char *rest)
{
	struct clrx_kernel *k = &c->kernels.list[c->kernel];
	const char *name = rest;
	size_t n = clrx_name_length(rest);
	int64_t v[3];
	bool more;

	rest += n;
	for (unsigned i = 0; i < 3; i++)
		if (!clrx_comma(c, &rest, &more) || !more || !clrx_number(c, &rest, &v[i]))
			return clrx_error(c, rest, "expected .userdata CLASS, SLOT, REGISTER, COUNT");
	if (!user_class(name, n, v[0]))
		return clrx_error(c, name, "unknown class `%.*s` of registers, expected IMM_CONST_BUFFER, IMM_UAV, "
				  "PTR_UAV_TABLE, …", (int)n, name);
	if (v[1] < 0 || v[2] < 1 || v[2] > GCN_USER_SGPRS || v[1] > GCN_USER_SGPRS - v[2])
		return clrx_error(c, NULL, "s%" PRId64 " and %" PRId64 " registers: expected at most s0 to s15",
				  v[1], v[2]);
	if (k->nuser_data == USER_DATA)
		return clrx_error(c, NULL, "more than %d of .userdata", USER_DATA);
	k->user_data[k->nuser_data++] = (struct clrx_user_data){ user_class(name, n, v[0]), (uint8_t)v[1],
								 (uint8_t)v[2] };
	return clrx_ends(c, rest);
}

/* Contents of a binary's own parts, for programs that were disassembled without a configuration. */
static bool aside(struct clrx *c, const char *name)
{
	c->here = clrx_section(c, name, SECTION_ASIDE, c->kernel);
	return c->here != SECTION_NONE;
}

static bool op_setup(struct clrx *c, const char *rest)
{
	return aside(c, ".setup") && ((c->kernels.list[c->kernel].setup = c->here), clrx_ends(c, rest));
}

static const struct { const char *name; uint8_t number; int64_t most; } numbers[] = {
	{ "exceptions", NUMBER_EXCEPTIONS, 127 }, { "floatmode", NUMBER_FLOAT_MODE, 255 },
	{ "group_segment_fixed_size", NUMBER_LOCAL, 65536 }, { "hwlocal", NUMBER_LOCAL, 65536 },
	{ "kernarg_segment_size", NUMBER_KERNARG, 4096 }, { "kernel_code_entry_offset", NUMBER_ENTRY, 1 << 24 },
	{ "localsize", NUMBER_LOCAL, 65536 }, { "pgmrsrc1", NUMBER_RSRC1, UINT32_MAX },
	{ "pgmrsrc2", NUMBER_RSRC2, UINT32_MAX }, { "priority", NUMBER_PRIORITY, 3 },
	{ "private_segment_fixed_size", NUMBER_SCRATCH, 1 << 24 }, { "scratchbuffer", NUMBER_SCRATCH, 1 << 24 },
	{ "sgprsnum", NUMBER_SGPRS, 128 }, { "userdatanum", NUMBER_USER, 16 }, { "vgprsnum", NUMBER_VGPRS, 256 },
	{ "workgroup_group_segment_size", NUMBER_LOCAL, 65536 },
	{ "workitem_private_segment_size", NUMBER_SCRATCH, 1 << 24 },
};

static const struct { const char *name; uint32_t flag, property; } flags[] = {
	{ "dx10clamp", FLAG_DX10, 0 }, { "ieeemode", FLAG_IEEE, 0 }, { "tgsize", FLAG_TGSIZE, 0 },
	{ "use_dispatch_id", 0, GCN_DISPATCH_ID }, { "use_dispatch_ptr", 0, GCN_DISPATCH_PTR },
	{ "use_flat_scratch_init", 0, GCN_FLAT_SCRATCH }, { "use_kernarg_segment_ptr", 0, GCN_KERNARG_PTR },
	{ "use_private_segment_buffer", 0, GCN_PRIVATE_BUFFER }, { "use_private_segment_size", 0, GCN_PRIVATE_SIZE },
	{ "use_queue_ptr", 0, GCN_QUEUE_PTR }, { "useargs", FLAG_ARGS, 0 }, { "useenqueue", FLAG_ENQUEUE, 0 },
	{ "usegeneric", FLAG_GENERIC, 0 }, { "usesetup", FLAG_SETUP, 0 },
};

/* What most kernels want; of AMD's own binaries without the dispatch packet. */
static bool op_default_features(struct clrx *c, const char *rest)
{
	c->kernels.list[c->kernel].properties |= GCN_PRIVATE_BUFFER | GCN_KERNARG_PTR |
					    (c->chosen.format == FORMAT_AMDCL2 ? 0 : GCN_DISPATCH_PTR);
	return clrx_ends(c, rest);
}

static const struct { const char *name; bool (*run)(struct clrx *c, const char *rest); } operations[] = {
	{ "arg", op_arg }, { "args", op_config }, { "config", op_config }, { "cws", op_group },
	{ "default_hsa_features", op_default_features }, { "dims", op_dims },
	{ "entry", op_entry }, { "hsaconfig", op_hsaconfig }, { "reqd_work_group_size", op_group },
	{ "setup", op_setup }, { "setupargs", op_setupargs }, { "use_grid_workgroup_count", op_counts },
	{ "userdata", op_userdata },
};

/* Parts of binaries with contents of no use here. */
static const char *const parts[] = {
	"control_directive", "metadata", "stub", "isametadata", "header", "samplerinit", "proginfo", "calnote",
	"boolconsts", "intconsts", "floatconsts", "constantbuffers", "globalbuffers", "inputs", "inputsamplers",
	"outputs", "persistentbuffers", "scratchbuffers", "subconstantbuffers", "uav",
};

/* Words for drivers and debuggers. */
static const char *const nothing[] = {
	"call_convention", "cbid", "cbmask", "codeversion", "condout", "debug_private_segment_buffer_sgpr",
	"debug_wavefront_private_segment_offset_sgpr", "debugmode", "earlyexit", "fixed_work_group_size",
	"gds_segment_size", "gdssize", "group_segment_align", "hwregion", "kernarg_segment_align",
	"kernel_code_prefetch_offset", "kernel_code_prefetch_size", "machine", "max_flat_work_group_size",
	"max_scratch_backing_memory", "md_group_segment_fixed_size", "md_kernarg_segment_align",
	"md_kernarg_segment_size", "md_language", "md_private_segment_fixed_size", "md_sgprsnum", "md_symname",
	"md_vgprsnum", "md_wavefront_size", "pgmrsrc3", "printf", "printfid", "private_elem_size",
	"private_segment_align", "privateid", "privmode", "reserved_sgprs", "reserved_vgprs", "runtime_handle",
	"runtime_loader_kernel_symbol", "sampler", "samplerreloc", "segment", "shared_vgprs", "spilledsgprs",
	"spilledvgprs", "uavid", "uavmailboxsize", "uavopmask", "uavprivate", "use_debug_enabled",
	"use_dynamic_call_stack", "use_ordered_append_gds", "use_ptr64", "use_xnack_enabled", "useconstdata",
	"useprintf", "vectypehint", "wavefront_sgpr_count", "wavefront_size", "work_group_size_hint",
	"workgroup_fbarrier_count", "workitem_vgpr_count",
};

static bool set_number(struct clrx *c, size_t i, const char *rest)
{
	int64_t v;

	if (!clrx_number(c, &rest, &v) || !clrx_ends(c, rest))
		return false;
	if (v < 0 || v > numbers[i].most)
		return clrx_error(c, NULL, ".%s %" PRId64 ": expected a number from 0 to %" PRId64, numbers[i].name, v,
				  numbers[i].most);
	c->kernels.list[c->kernel].number[numbers[i].number] = v;
	return true;
}

static bool outside(struct clrx *c, const char *name, size_t n)
{
	return clrx_error(c, NULL, ".%.*s belongs to a kernel: .kernel NAME and .config come before", (int)n, name);
}

bool clrx_config_op(struct clrx *c, const char *name, size_t n, const char *rest, bool *mine)
{
	if (n > 4 && !strncasecmp(name, "hsa_", 4))     /* Gallium's, beside the same of its own */
		name += 4, n -= 4;
	*mine = true;
	for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
		if (clrx_word_is(name, n, operations[i].name))
			return c->kernel < 0 ? outside(c, name, n) : operations[i].run(c, rest);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		if (clrx_word_is(name, n, numbers[i].name))
			return c->kernel < 0 ? outside(c, name, n) : set_number(c, i, rest);
	for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (!clrx_word_is(name, n, flags[i].name))
			continue;
		if (c->kernel < 0)
			return outside(c, name, n);
		c->kernels.list[c->kernel].flags |= flags[i].flag;
		c->kernels.list[c->kernel].properties |= flags[i].property;
		return clrx_ends(c, rest);
	}
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (clrx_word_is(name, n, parts[i]))
			return aside(c, parts[i]);
	for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
		if (clrx_word_is(name, n, nothing[i]))
			return true;
	*mine = false;
	return true;
}
