/* Devices: memory, variables, and kernels prepared for launches (section 11 of the header). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa/table.h"
#include "core/base/host_floats.h"
#include "device/kept.h"

enum wb_status wb_device_new(const struct wb_config *c, struct wb_device **out, struct wb_diag *wd)
{
	struct wb_device *v = device_new();
	struct diag d = { 0 };
	const struct isa_ops *isa;

	*out = NULL;
	if (!v || !(v->config = c ? wb_config_copy(c) : wb_config_new()))
		diag_set(&d, DIAG_ENV, "out of memory");
	else
		v->chip = chip_find(config_given(v->config, OPT_CHIP) ? config_text(v->config, OPT_CHIP) : "g200", &d);
	if (d.kind == DIAG_OK && wb_config_set(v->config, "chip", v->chip->name, NULL) != WB_OK)
		diag_set(&d, DIAG_ENV, "out of memory");
	if (d.kind != DIAG_OK) {
		wb_device_free(v);
		return public_diag(wd, &d);
	}
	isa = isa_of_chip(v->chip->name);
	v->memory.first_buffer = isa ? isa->global_first : 0;
	*out = v;
	return WB_OK;
}

void wb_device_free(struct wb_device *v)
{
	if (!v)
		return;
	kept_free(v);
	global_free(&v->memory);
	free(v->limited);
	wb_config_free(v->config);
	arena_free(&v->arena);
	free(v->spare);
	free(v);
}

/* ---- memory ---- */

/* A launch that is stepped goes back to the same memory. */
static bool may_change(const struct wb_device *v, struct diag *d)
{
	return !v->memory.undo ||
	       diag_set(d, DIAG_USAGE, "a launch on this device is being stepped: going back must find the same "
			"memory");
}

static bool is_there(const struct wb_device *v, uint64_t address, size_t n, struct diag *d)
{
	return global_mapped(&v->memory, address, n) ||
	       diag_set(d, DIAG_USAGE, "%zu bytes at 0x%" PRIx64 ": not all are allocated", n, address);
}

static bool within_limit(const struct wb_device *v, uint64_t bytes, struct diag *d)
{
	uint64_t all = bytes, most = 0;

	for (size_t i = 0; i < v->memory.nranges && all >= bytes; i++)
		all += v->memory.range[i].bytes;
	return (all >= bytes && memory_allows(v->config, all, &most)) ||
	       diag_set(d, DIAG_LIMIT, "%" PRIu64 " bytes of device memory, more than the limit (--max-memory), %"
			PRIu64, all, most);
}

enum wb_status wb_memory_alloc(struct wb_device *v, uint64_t bytes, uint64_t *address, struct wb_diag *wd)
{
	const char *kinds = config_text(v->config, OPT_CHECK);
	struct diag d = { 0 };

	if (bytes > UINT32_MAX)
		diag_set(&d, DIAG_USAGE, "a buffer of %" PRIu64 " bytes, expected at most %u", bytes, UINT32_MAX);
	else if (may_change(v, &d) && within_limit(v, bytes, &d) &&
		 global_buffer(&v->memory, bytes, strcmp(kinds, "none") && !strstr(kinds, "bounds"), address, &d))
		v->changes++;
	return public_diag(wd, &d);
}

enum wb_status wb_memory_allow(struct wb_device *v, uint64_t address, unsigned uses, struct wb_diag *wd)
{
	const struct global_range *r = global_range_of(&v->memory, address);
	struct limited *entry = device_limited(v, address), *grown;
	struct diag d = { 0 };

	if (!r || r->addr != address || r->owner != OWNER_CALLER)
		diag_set(&d, DIAG_USAGE, "no allocation begins at 0x%" PRIx64, address);
	else if (entry)
		entry->uses = uses;
	else if (!(grown = realloc(v->limited, (v->nlimited + 1) * sizeof *grown)))
		diag_set(&d, DIAG_ENV, "out of memory");
	else
		(v->limited = grown)[v->nlimited++] = (struct limited){ address, uses };
	return public_diag(wd, &d);
}

enum wb_status wb_memory_free(struct wb_device *v, uint64_t address, struct wb_diag *wd)
{
	struct limited *entry = device_limited(v, address);
	const struct global_range *r = global_range_of(&v->memory, address);
	struct diag d = { 0 };

	if (!r || r->addr != address || r->owner != OWNER_CALLER)
		diag_set(&d, DIAG_USAGE, "no allocation begins at 0x%" PRIx64, address);
	else if (may_change(v, &d) && global_release(&v->memory, address)) {
		v->changes++;
		if (entry)
			*entry = v->limited[--v->nlimited];
	}
	return public_diag(wd, &d);
}

bool wb_memory_find(const struct wb_device *v, uint64_t address, uint64_t *start, uint64_t *bytes)
{
	const struct global_range *r = global_range_of(&v->memory, address);

	if (!r || r->owner >= OWNER_LAUNCH || address - r->addr >= r->bytes)
		return false;
	*start = r->addr;
	*bytes = r->bytes;
	return true;
}

enum wb_status wb_memory_read(const struct wb_device *v, uint64_t address, void *out, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (is_there(v, address, n, &d))
		global_read(&v->memory, address, out, n);
	return public_diag(wd, &d);
}

enum wb_status wb_memory_write(struct wb_device *v, uint64_t address, const void *in, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (may_change(v, &d) && is_there(v, address, n, &d))
		global_write(&v->memory, address, in, n);
	return public_diag(wd, &d);
}

enum { PIECE = 4096 };

/* From the lower end on, or from the upper end where the bytes move up. */
static void move(struct global *g, uint64_t to, uint64_t from, size_t n)
{
	uint8_t bytes[PIECE];
	bool up = to > from;

	for (size_t done = 0, part; done < n; done += part) {
		part = n - done < PIECE ? n - done : PIECE;
		size_t at = up ? n - done - part : done;
		global_read(g, from + at, bytes, part);
		global_write(g, to + at, bytes, part);
	}
}

enum wb_status wb_memory_copy(struct wb_device *v, uint64_t to, uint64_t from, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (may_change(v, &d) && is_there(v, from, n, &d) && is_there(v, to, n, &d))
		move(&v->memory, to, from, n);
	return public_diag(wd, &d);
}

/* A piece of whole patterns, written again and again. */
static void fill(struct global *g, uint64_t address, const void *pattern, size_t pattern_bytes, size_t n)
{
	uint8_t bytes[PIECE];
	size_t whole = PIECE / pattern_bytes * pattern_bytes, part;

	for (size_t i = 0; i < whole; i += pattern_bytes)
		memcpy(bytes + i, pattern, pattern_bytes);
	for (size_t done = 0; done < n; done += part) {
		part = n - done < whole ? n - done : whole;
		global_write(g, address + done, bytes, part);
	}
}

enum wb_status wb_memory_fill(struct wb_device *v, uint64_t address, const void *pattern, size_t pattern_bytes,
			      size_t n, struct wb_diag *wd)
{
	enum { PATTERN_MOST = 128 };
	struct diag d = { 0 };

	if (!pattern_bytes || pattern_bytes > PATTERN_MOST)
		diag_set(&d, DIAG_USAGE, "a pattern of %zu bytes, expected 1 to %d", pattern_bytes, PATTERN_MOST);
	else if (may_change(v, &d) && is_there(v, address, n, &d))
		fill(&v->memory, address, pattern, pattern_bytes, n);
	return public_diag(wd, &d);
}

void *wb_memory_view(struct wb_device *v, uint64_t address, size_t n)
{
	const struct global_page *p = global_page_find(&v->memory, (uint32_t)(address >> PAGE_BITS));
	uint8_t *first;

	if (!n || !global_mapped(&v->memory, address, n))
		return NULL;
	first = p->bytes;
	for (uint64_t at = 0; at <= (address + n - 1) / PAGE_BYTES - address / PAGE_BYTES; at++) {
		p = global_page_find(&v->memory, (uint32_t)((address >> PAGE_BITS) + at));
		if (p->bytes != first + at * PAGE_BYTES)
			return NULL;
	}
	return first + (address & (PAGE_BYTES - 1));
}

/* ---- variables ---- */

/* The image of a program for the device's chip: of those that the chip runs, the one for the most features. */
static const struct image *image_for(const struct wb_device *v, const struct wb_program *p)
{
	const struct isa_ops *isa = isa_of_chip(v->chip->name);
	const struct image *best = NULL;
	int most = -1;
	uint32_t built, features = 0;

	if (!isa || !isa_name_find(isa->table->chips, v->chip->name, strlen(v->chip->name), &features))
		return NULL;
	for (const struct image *im = p->image; im; im = im->next) {
		if (strcmp(im->machine, isa->name))
			continue;
		if (!im->chip || !isa_name_find(isa->table->chips, im->chip, strlen(im->chip), &built))
			built = 0;
		if (built & ~features || (int)__builtin_popcount(built) <= most)
			continue;
		most = __builtin_popcount(built);
		best = im;
	}
	return best;
}

enum wb_status wb_device_load(struct wb_device *v, const struct wb_program *p, struct wb_diag *wd)
{
	USUAL_FLOATS;
	const struct image *im = image_for(v, p);
	struct diag d = { 0 };

	if (!im)
		diag_set(&d, DIAG_USAGE, "nothing in %.100s is for chip %s", p->image_name, v->chip->name);
	else if (device_find(v, im) || may_change(v, &d))
		device_module(v, im, &d);
	return public_diag(wd, &d);
}

const struct wb_variable_place *wb_device_variable(struct wb_device *v, const struct wb_program *p, unsigned index)
{
	const struct image *im = image_for(v, p);
	const struct module *m = im ? device_find(v, im) : NULL;

	if (!m)
		return NULL;
	if (index < im->nglobals) {
		v->found = (struct wb_variable_place){ im->globals[index].name ? im->globals[index].name : "", "g",
						       m->address[index], im->globals[index].size };
		return &v->found;
	}
	index -= (unsigned)im->nglobals;
	if (index < im->nparts) {
		const struct image_part *part = &im->parts[index];
		v->found = (struct wb_variable_place){ part->name, "g", m->address[part->global] + part->offset,
						       part->size };
		return &v->found;
	}
	index -= (unsigned)im->nparts;
	for (size_t i = 0; i < im->nconsts + im->nvariables; i++) {
		static const char *const banks[CONST_BANKS] = { "c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8",
								"c9", "c10", "c11", "c12", "c13", "c14", "c15" };
		const struct image_const *c = i < im->nconsts ? &im->consts[i] : &im->variables[i - im->nconsts];
		if (!c->name || !*c->name || index--)
			continue;
		v->found = (struct wb_variable_place){ c->name, banks[c->bank], c->offset, c->size };
		return &v->found;
	}
	return NULL;
}

/* The place of n bytes of a variable. */
static const struct wb_variable_place *find_place(struct wb_device *v, const struct wb_program *p, const char *name,
						  uint64_t offset, size_t n, struct diag *d)
{
	const struct wb_variable_place *at;

	for (unsigned i = 0; (at = wb_device_variable(v, p, i)); i++) {
		if (!*name || strcmp(at->name, name))
			continue;
		if (offset <= at->bytes && n <= at->bytes - offset)
			return at;
		diag_set(d, DIAG_USAGE, "bytes %" PRIu64 " to %" PRIu64 " of variable %.60s, which has %" PRIu64,
			 offset, offset + n, name, at->bytes);
		return NULL;
	}
	diag_set(d, DIAG_USAGE, "no variable \"%.60s\" in %.100s as it is loaded on the device", name, p->image_name);
	return NULL;
}

static unsigned bank_of(const struct wb_variable_place *at)
{
	return (unsigned)atoi(at->space + 1);
}

enum wb_status wb_device_read_variable(struct wb_device *v, const struct wb_program *p, const char *name,
				       uint64_t offset, void *out, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };
	const struct wb_variable_place *at = find_place(v, p, name, offset, n, &d);

	if (at && at->space[0] == 'g')
		global_read(&v->memory, at->address + offset, out, n);
	else if (at)
		memcpy(out, device_find(v, image_for(v, p))->bank[bank_of(at)].bytes + at->address + offset, n);
	return public_diag(wd, &d);
}

enum wb_status wb_device_write_variable(struct wb_device *v, const struct wb_program *p, const char *name,
					uint64_t offset, const void *in, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };
	const struct wb_variable_place *at = find_place(v, p, name, offset, n, &d);
	struct module *m = at ? device_find(v, image_for(v, p)) : NULL;

	if (!at || !may_change(v, &d))
		return public_diag(wd, &d);
	if (at->space[0] == 'g')
		global_write(&v->memory, at->address + offset, in, n);
	else if (banks_fill(&m->banks, bank_of(at), (uint32_t)(at->address + offset), in, n, &d))
		m->written |= 1u << bank_of(at);
	return public_diag(wd, &d);
}

/* ---- prepared kernels ---- */

static bool take_uniform(void *prepared, const char *text, struct diag *d)
{
	struct wb_prepared *k = prepared;

	return uniform_take(&k->plan.code, k->plan.kernel, text, d);
}

/* The words of c[] that are constants of the bound program: a launch with the same shares the program. */
static bool settle_constants(struct wb_device *v, struct wb_prepared *k, struct diag *d)
{
	const struct isa_ops *isa = k->plan.code.target.isa;
	const struct module *m = device_module(v, k->plan.image, d);

	k->home = v;
	k->number = v->numbers++;
	if (!m || !module_relocate(m, k->plan.image->relocs, k->plan.image->nrelocs, &k->banks, d) ||
	    !module_relocate(m, k->plan.kernel->relocs, k->plan.kernel->nrelocs, &k->banks, d))
		return false;
	if (isa->ready)
		isa->ready(&k->plan.code, &k->plan.memory);
	return true;
}

static bool check_chip(const struct wb_device *v, const struct wb_prepared *k, struct diag *d)
{
	return !strcmp(v->chip->name, k->plan.chip.name) ||
	       diag_set(d, DIAG_USAGE, "kernel %.60s is for chip %s, and the device is chip %s", k->plan.kernel->name,
			k->plan.chip.name, v->chip->name);
}

enum wb_status wb_prepare(struct wb_device *v, const struct wb_program *p, const char *kernel,
			  struct wb_prepared **out, struct wb_diag *wd)
{
	USUAL_FLOATS;
	struct wb_prepared *k = prepared_new(p, v->config);
	struct diag d = { 0 };

	*out = NULL;
	if (!k)
		diag_set(&d, DIAG_ENV, "out of memory");
	else if (may_change(v, &d) && prepared_make(k, kernel, &d) && check_chip(v, k, &d) &&
		 config_each(k->config, OPT_UNIFORM, &k->arena, take_uniform, k, &d) &&
		 settle_constants(v, k, &d) && prepared_describe(k, &d))
		*out = k;
	if (d.kind == DIAG_OK)
		return WB_OK;
	wb_prepared_free(k);
	return public_diag(wd, &d);
}

const struct wb_prepared_info *wb_prepared_info(const struct wb_prepared *k)
{
	return &k->info;
}

const struct wb_parameter *wb_prepared_parameter(const struct wb_prepared *k, unsigned index)
{
	return index < k->info.nparams ? &k->parameter[index] : NULL;
}
