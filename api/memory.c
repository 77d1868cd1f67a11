/* A launch's memory and buffers, read and written; registers set before the start. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/launch.h"
#include "device/saving.h"

static const struct argument *buffer(struct wb_launch *l, unsigned index, size_t offset, size_t n, struct diag *d)
{
	const struct argument *a = index < l->inputs->nargs ? &l->inputs->arg[index] : NULL;

	if (!a || !a->is_buffer) {
		diag_set(d, DIAG_USAGE, "argument %u is no buffer (there are %zu arguments)", index, l->inputs->nargs);
		return NULL;
	}
	if (offset > a->bytes || n > a->bytes - offset) {
		diag_set(d, DIAG_USAGE, "bytes %zu to %zu of argument %u, which has %u", offset, offset + n, index,
			 a->bytes);
		return NULL;
	}
	return a;
}

size_t wb_launch_arg_bytes(const struct wb_launch *l, unsigned index)
{
	return index < l->inputs->nargs ? l->inputs->arg[index].bytes : 0;
}

enum wb_status wb_launch_read_arg(struct wb_launch *l, unsigned index, size_t offset, void *out, size_t n,
				  struct wb_diag *wd)
{
	struct diag d = { 0 };
	const struct argument *a = buffer(l, index, offset, n, &d);

	if (!a)
		return public_diag(wd, &d);
	global_read(l->machine.global, a->addr + offset, out, n);
	return WB_OK;
}

enum wb_status wb_launch_write_arg(struct wb_launch *l, unsigned index, size_t offset, const void *in, size_t n,
				   struct wb_diag *wd)
{
	struct diag d = { 0 };
	const struct argument *a = buffer(l, index, offset, n, &d);

	if (!a)
		return public_diag(wd, &d);
	global_write(l->machine.global, a->addr + offset, in, n);
	return WB_OK;
}

/* The bytes of a named space from addr on, or NULL with a diagnostic. Global memory has its own functions. */
static uint8_t *space_bytes(struct wb_launch *l, const char *space, uint64_t addr, size_t n, struct diag *d)
{
	const struct block *latest = NULL;
	uint8_t *bytes = NULL;
	size_t size = 0;

	for (unsigned i = 0; i < l->plan.nmps && l->machine.mp; i++)
		for (unsigned k = 0; k < l->machine.mp[i].nresident; k++) {
			const struct block *b = &l->machine.mp[i].resident[k].block;
			if (b->warp && b->nwarps && (!latest || b->index > latest->index))
				latest = b;
		}
	if (space[0] == 'c') {
		unsigned bank = (unsigned)atoi(space + 1);
		if (bank < CONST_BANKS) {
			bytes = (uint8_t *)(uintptr_t)l->plan.memory.c[bank].bytes;
			size = l->plan.memory.c[bank].size;
		}
	} else if (latest && !strcmp(space, "s")) {
		bytes = latest->shared;
		size = latest->shared_bytes;
	} else if (latest && !strcmp(space, "l")) {
		bytes = latest->local;
		size = latest->local_bytes;
	}
	if (!bytes || addr > size || n > size - addr) {
		diag_set(d, DIAG_USAGE, "%s[0x%" PRIx64 "] to %s[0x%" PRIx64 "]: found %zu bytes there", space, addr,
			 space, addr + n, size);
		return NULL;
	}
	return bytes + addr;
}

/* The global address of gN[addr], or of plain g[addr]. Views are of 32 bits. */
static bool global_place(struct wb_launch *l, const char *space, uint64_t addr, size_t n, uint64_t *out, struct diag *d)
{
	unsigned view = space[1] ? (unsigned)atoi(space + 1) : 0;
	uint32_t seen;

	if (view >= GLOBAL_VIEWS)
		return diag_set(d, DIAG_USAGE, "%s: expected g, or g0 to g15", space);
	*out = addr;
	if (!space[1] || !n)
		return true;
	if (addr > UINT32_MAX || !view_address(&l->plan.memory.g[view], (uint32_t)addr, 1, &seen))
		return diag_set(d, DIAG_USAGE, "%s[0x%" PRIx64 "] is outside the buffer bound there", space, addr);
	*out = seen;
	return true;
}

static bool is_surface(const struct wb_launch *l, const char *space)
{
	unsigned view = space[1] ? (unsigned)atoi(space + 1) : GLOBAL_VIEWS;

	return view < GLOBAL_VIEWS && l->plan.memory.g[view].surface;
}

enum wb_status wb_launch_read(struct wb_launch *l, const char *space, uint64_t addr, void *out, size_t n,
			      struct wb_diag *wd)
{
	struct diag d = { 0 };
	uint64_t at;
	uint8_t *bytes;

	if (space[0] == 'g') {
		if (!global_place(l, space, addr, n, &at, &d))
			return public_diag(wd, &d);
		for (size_t i = 0; is_surface(l, space) && i < n && d.kind == DIAG_OK; i++)
			if (global_place(l, space, addr + i, 1, &at, &d))
				global_read(l->machine.global, at, (uint8_t *)out + i, 1);
		if (!is_surface(l, space) && !global_read(l->machine.global, at, out, n))
			diag_set(&d, DIAG_USAGE, "%s[0x%" PRIx64 "] to %s[0x%" PRIx64 "]: not all mapped", space,
				 addr, space, addr + n);
		return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
	}
	bytes = space_bytes(l, space, addr, n, &d);
	if (!bytes)
		return public_diag(wd, &d);
	memcpy(out, bytes, n);
	return WB_OK;
}

/* The launch then has a program with constants of its own, where others had the same. */
static bool write_constant(struct wb_launch *l, unsigned bank, uint64_t addr, const void *in, size_t n, struct diag *d)
{
	l->machine.touched = true;
	return fill_bank(l, bank, (uint32_t)addr, in, n, d) && (!l->prepared || plan_bind(l, d));
}

enum wb_status wb_launch_write(struct wb_launch *l, const char *space, uint64_t addr, const void *in, size_t n,
			       struct wb_diag *wd)
{
	struct diag d = { 0 };
	uint64_t at;
	uint8_t *bytes;

	if (l->machine.global->undo) {
		diag_set(&d, DIAG_USAGE,
			 "the memory of a stepped launch is fixed: going back must find the same memory again");
		return public_diag(wd, &d);
	}
	if (space[0] == 'g') {
		for (size_t i = 0; is_surface(l, space) && i < n && d.kind == DIAG_OK; i++)
			if (global_place(l, space, addr + i, 1, &at, &d))
				global_write(l->machine.global, at, (const uint8_t *)in + i, 1);
		if (is_surface(l, space))
			return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
		if (!global_place(l, space, addr, n, &at, &d) ||
		    (l->own_plan && !global_map(l->machine.global, at, n, &d)))
			return public_diag(wd, &d);
		if (!global_write(l->machine.global, at, in, n))
			diag_set(&d, DIAG_USAGE, "%s[0x%" PRIx64 "] to %s[0x%" PRIx64 "]: not all allocated", space,
				 addr, space, addr + n);
		return d.kind == DIAG_OK ? WB_OK : public_diag(wd, &d);
	}
	bytes = space_bytes(l, space, addr, n, &d);
	if (!bytes)
		return public_diag(wd, &d);
	if (space[0] == 'c')
		return write_constant(l, (unsigned)atoi(space + 1), addr, in, n, &d) ? WB_OK : public_diag(wd, &d);
	memcpy(bytes, in, n);
	l->machine.touched = true;
	return WB_OK;
}

enum wb_status wb_launch_set_reg(struct wb_launch *l, unsigned block, unsigned warp, const char *file, unsigned reg,
				 unsigned lane, uint32_t value, struct wb_diag *wd)
{
	struct diag d = { 0 };

	if (l->prepared) {
		diag_set(&d, DIAG_USAGE, "the launch is prepared already: the first warps have taken their registers");
		return public_diag(wd, &d);
	}
	if (l->plan.pokes.n == l->plan.pokes.cap) {
		size_t more = l->plan.pokes.cap ? l->plan.pokes.cap * 2 : 64;
		struct poke *p = realloc(l->plan.pokes.item, more * sizeof *p);
		if (!p) {
			diag_set(&d, DIAG_ENV, "out of memory");
			return public_diag(wd, &d);
		}
		l->plan.pokes.item = p;
		l->plan.pokes.cap = more;
	}
	struct poke *p = &l->plan.pokes.item[l->plan.pokes.n++];
	*p = (struct poke){ block, warp, reg, lane, value, "" };
	snprintf(p->file, sizeof p->file, "%s", file);
	l->plan.rules.preset = true;
	if (l->own_plan)
		l->inputs->own_prepared->plan.rules.preset = true;
	else
		l->rebind = true;
	return WB_OK;
}

static enum wb_status write_buffer(struct wb_launch *l, const struct argument *a, struct wb_diag *wd)
{
	uint8_t *bytes = malloc((size_t)a->bytes + 1);
	struct diag d = { 0 };
	enum wb_status status;

	if (!bytes) {
		diag_set(&d, DIAG_ENV, "out of memory for %s", a->out_file);
		return public_diag(wd, &d);
	}
	global_read(l->machine.global, a->addr, bytes, a->bytes);
	status = wb_output_all(a->out_file, bytes, a->bytes, wd);
	free(bytes);
	return status;
}

enum wb_status wb_launch_write_files(struct wb_launch *l, struct wb_diag *wd)
{
	enum wb_status status = WB_OK;

	if (l->inputs->config->files && !(l->saving && l->saving->writes))
		return WB_OK;
	for (size_t i = 0; i < l->inputs->nargs && status == WB_OK; i++)
		if (l->inputs->arg[i].out_file)
			status = write_buffer(l, &l->inputs->arg[i], wd);
	for (size_t i = 0; i < l->inputs->nbound && status == WB_OK; i++)
		if (l->inputs->bound[i].out_file)
			status = write_buffer(l, &l->inputs->bound[i], wd);
	return status;
}
