/* Modules of a device: each image's variables have one place, from the first use to the end of the device, and keep
 * their values from launch to launch. */
#include "device/device.h"

#include <stdlib.h>

#include "core/base/diag.h"

struct wb_device *device_new(void)
{
	return calloc(1, sizeof(struct wb_device));
}

struct module *device_find(const struct wb_device *v, const struct image *im)
{
	struct module *m = v->modules;

	while (m && m->image != im)
		m = m->next;
	return m;
}

/* Place the variables, with their first values and the addresses of others. */
static bool place(struct wb_device *v, struct module *m, struct diag *d)
{
	const struct image *im = m->image;

	for (size_t i = 0; i < im->nglobals; i++) {
		if (!global_alloc(&v->memory, im->globals[i].size, &m->address[i], d))
			return false;
		if (im->globals[i].filled)
			global_write(&v->memory, m->address[i], im->globals[i].bytes, im->globals[i].filled);
	}
	for (size_t i = 0; i < im->npointers; i++) {
		const struct image_pointer *p = &im->pointers[i];
		uint64_t value = m->address[p->to] + p->addend;
		global_write(&v->memory, m->address[p->in] + p->offset, &value, p->bytes);
	}
	return banks_fill_all(&m->banks, im->consts, im->nconsts, d) &&
	       banks_fill_all(&m->banks, im->variables, im->nvariables, d);
}

/* A module without places, not yet among the device's. */
static struct module *new_module(struct wb_device *v, const struct image *im, struct diag *d)
{
	struct module *m = ARENA_NEW(&v->arena, struct module);

	if (m)
		*m = (struct module){ .image = im, .address = ARENA_ARRAY(&v->arena, uint64_t, im->nglobals + 1) };
	if (!m || !m->address) {
		diag_set(d, DIAG_ENV, "out of memory");
		return NULL;
	}
	m->banks = (struct const_banks){ .bank = m->bank, .arena = &v->arena };
	return m;
}

static struct module *add_module(struct wb_device *v, struct module *m)
{
	m->next = v->modules;
	return v->modules = m;
}

struct module *device_module(struct wb_device *v, const struct image *im, struct diag *d)
{
	struct module *m = device_find(v, im);
	uint32_t owner = v->memory.owner;
	bool placed;

	if (m || !(m = new_module(v, im, d)))
		return m;
	v->memory.owner = OWNER_MODULE;
	placed = place(v, m, d);
	v->memory.owner = owner;
	return placed ? add_module(v, m) : NULL;
}

struct module *device_module_at(struct wb_device *v, const struct image *im, struct diag *d)
{
	struct module *m = new_module(v, im, d);

	return m && banks_fill_all(&m->banks, im->consts, im->nconsts, d) ? add_module(v, m) : NULL;
}

bool module_relocate(const struct module *m, const struct image_reloc *r, size_t n, struct const_banks *b,
		     struct diag *d)
{
	const struct image *im = m->image;

	for (size_t i = 0; i < n; i++) {
		uint32_t value;
		if (r[i].global >= im->nglobals)
			return diag_set(d, DIAG_INPUT, "relocation %zu names global %u of %zu", i, r[i].global,
					im->nglobals);
		value = (uint32_t)m->address[r[i].global] + r[i].addend;
		if (!banks_fill(b, r[i].bank, r[i].offset, &value, 4, d))
			return false;
	}
	return true;
}

struct limited *device_limited(const struct wb_device *v, uint64_t address)
{
	for (size_t i = 0; i < v->nlimited; i++)
		if (v->limited[i].address == address)
			return &v->limited[i];
	return NULL;
}

unsigned device_uses(const struct wb_device *v, uint64_t address)
{
	const struct limited *entry = device_limited(v, address);

	return entry ? entry->uses : WB_MEMORY_LOADS | WB_MEMORY_STORES;
}
