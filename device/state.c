/* A state names all that a launch takes from its device: size, parameters, variables, constants, memory. All addresses
 * stay, since memory may hold pointers: the launch issues the same instructions in the same cycles. The bytes may come
 * from anybody, so every number is checked before use.
 *
 *     "wbstate" 1                            8 bytes; then 64-bit little-endian numbers, and bytes behind their number
 *     grid[3] block[3] offset[3] shared      size of the launch, 0 in dimensions that the launch has not
 *     bytes                                  parameters
 *     loaded address[]                       1, and the places of the image's variables, or 0
 *     n { bank bytes }[n]                    constant banks to which the caller has written; n is 0 if not loaded
 *     gaps                                   1: buffers have been freed, and new buffers fill the gaps
 *     n { address end module bytes }[n]      buffers by address; module 1: a buffer of a program's variables */
#include "device/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/reader.h"
#include "inspect/public_diag.h"

static const char magic[8] = "wbstate\1";

/* ---- writing ---- */

struct writer {
	char *bytes;            /* NULL: the size is counted alone */
	size_t size;
};

static void *put_space(struct writer *w, size_t n)
{
	char *to = w->bytes ? w->bytes + w->size : NULL;

	w->size += n;
	return to;
}

static void put(struct writer *w, const void *bytes, size_t n)
{
	void *to = put_space(w, n);

	if (to && n)
		memcpy(to, bytes, n);
}

static void put_number(struct writer *w, uint64_t n)
{
	put(w, &n, sizeof n);
}

static void put_three(struct writer *w, const uint32_t n[3])
{
	for (int i = 0; i < 3; i++)
		put_number(w, n[i]);
}

static void put_module(struct writer *w, const struct module *m)
{
	put_number(w, m != NULL);
	for (size_t i = 0; m && i < m->image->nglobals; i++)
		put_number(w, m->address[i]);
	put_number(w, m ? (uint64_t)__builtin_popcount(m->written) : 0);
	for (unsigned b = 0; m && b < CONST_BANKS; b++) {
		if (!(m->written >> b & 1))
			continue;
		put_number(w, b);
		put_number(w, m->bank[b].size);
		put(w, m->bank[b].bytes, m->bank[b].size);
	}
}

static void put_memory(struct writer *w, const struct global *g)
{
	uint64_t n = 0;

	for (size_t i = 0; i < g->nranges; i++)
		n += g->range[i].owner < OWNER_LAUNCH;
	put_number(w, g->gaps);
	put_number(w, n);
	for (size_t i = 0; i < g->nranges; i++) {
		const struct global_range *r = &g->range[i];
		if (r->owner >= OWNER_LAUNCH)
			continue;
		put_number(w, r->addr);
		put_number(w, r->end);
		put_number(w, r->owner == OWNER_MODULE);
		put_number(w, r->bytes);
		void *to = put_space(w, r->bytes);
		if (to)
			global_read(g, r->addr, to, r->bytes);
	}
}

static void put_state(struct writer *w, const struct wb_launch *l)
{
	const uint32_t *grid = l->plan.dim.grid, *block = l->plan.dim.block;
	unsigned n = l->inputs->sized.dimensions;

	put(w, magic, sizeof magic);
	put_three(w, (uint32_t[3]){ grid[0], n > 1 ? grid[1] : 0, n > 2 ? grid[2] : 0 });
	put_three(w, (uint32_t[3]){ block[0], n > 1 ? block[1] : 0, n > 2 ? block[2] : 0 });
	put_three(w, l->inputs->sized.offset);
	put_number(w, l->inputs->sized.dynamic_shared);
	put_number(w, l->plan.param.size);
	put(w, l->plan.params, l->plan.param.size);
	put_module(w, device_find(l->inputs->device, l->plan.image));
	put_memory(w, l->machine.global);
}

enum wb_status wb_launch_state(struct wb_launch *l, struct wb_text *out, struct wb_diag *wd)
{
	struct writer w = { .bytes = NULL };
	struct diag d = { 0 };

	*out = (struct wb_text){ 0 };
	if (l->prepared || l->inputs->own_device || l->inputs->nargs ||
	    (!l->inputs->params_given && l->plan.kernel->launch.args)) {
		diag_set(&d, DIAG_USAGE, "a state is made of a launch of wb_launch_on with parameters as bytes, before "
			 "the launch is prepared");
		return public_diag(wd, &d);
	}
	put_state(&w, l);
	if (!(w.bytes = malloc(w.size + 1))) {
		diag_set(&d, DIAG_ENV, "out of memory");
		return public_diag(wd, &d);
	}
	w.size = 0;
	put_state(&w, l);
	w.bytes[w.size] = '\0';
	*out = (struct wb_text){ w.bytes, w.size };
	return WB_OK;
}

/* ---- reading ---- */

static bool take_number(struct reader *r, uint64_t most, uint64_t *n)
{
	const uint8_t *bytes = reader_take(r, sizeof *n);

	if (!bytes)
		return false;
	memcpy(n, bytes, sizeof *n);
	return *n <= most || reader_bad(r, "a number is out of range");
}

static bool take_three(struct reader *r, uint32_t out[3])
{
	uint64_t n;

	for (int i = 0; i < 3; i++) {
		if (!take_number(r, UINT32_MAX, &n))
			return false;
		out[i] = (uint32_t)n;
	}
	return true;
}

static bool take_size(struct reader *r, struct wb_launch *l)
{
	struct wb_launch_size size = { .shared_bytes = 0 };
	const uint8_t *bytes;
	uint64_t n;

	if (!take_three(r, size.grid) || !take_three(r, size.block) || !take_three(r, size.offset) ||
	    !take_number(r, UINT32_MAX, &n))
		return false;
	size.shared_bytes = (uint32_t)n;
	if (!plan_size(l, &size, r->d) || !take_number(r, sizeof l->plan.params, &n) || !(bytes = reader_take(r, n)) ||
	    !params_take(l, bytes, n, r->d))
		return false;
	l->inputs->params_given = true; /* none are given as well */
	return true;
}

/* A bank to which the caller has written. */
static bool take_bank(struct reader *r, struct module *m)
{
	uint64_t bank, size;
	const uint8_t *bytes;

	if (!take_number(r, CONST_BANKS - 1, &bank) || !take_number(r, 1u << 16, &size) ||
	    !(bytes = reader_take(r, size)) ||
	    !banks_fill(&m->banks, (unsigned)bank, 0, bytes, size, r->d))
		return false;
	m->written |= 1u << bank;
	return true;
}

/* The addresses of the image's variables; their bytes are among the buffers. */
static bool take_module(struct reader *r, struct wb_launch *l)
{
	const struct image *im = l->plan.image;
	struct module *m = NULL;
	uint64_t loaded, n;

	if (!take_number(r, 1, &loaded) || (loaded && !(m = device_module_at(l->inputs->device, im, r->d))))
		return false;
	for (size_t i = 0; m && i < im->nglobals; i++)
		if (!take_number(r, global_end(l->machine.global), &m->address[i]))
			return false;
	if (!take_number(r, m ? CONST_BANKS : 0, &n))
		return false;
	while (n--)
		if (!take_bank(r, m))
			return false;
	return true;
}

static bool take_buffer(struct reader *r, struct wb_launch *l, uint64_t *all)
{
	struct global *g = l->machine.global;
	uint64_t address, end, module, n, most;
	const uint8_t *bytes;

	if (!take_number(r, UINT64_MAX, &address) || !take_number(r, UINT64_MAX, &end) || !take_number(r, 1, &module) ||
	    !take_number(r, UINT32_MAX, &n) || !(bytes = reader_take(r, n)))
		return false;
	*all += n;
	if (!memory_allows(l->inputs->config, *all, &most))
		return diag_set(r->d, DIAG_LIMIT, "%" PRIu64 " bytes of device memory, more than the limit "
				"(--max-memory), %" PRIu64, *all, most);
	g->owner = module ? OWNER_MODULE : OWNER_CALLER;
	if (!global_buffer_at(g, address, end, n, l->plan.ends_exact && !module, r->d))
		return false;
	return !n || global_write(g, address, bytes, n);
}

static bool take_memory(struct reader *r, struct wb_launch *l)
{
	struct global *g = l->machine.global;
	uint64_t gaps, n, all = 0;
	uint32_t owner = g->owner;
	bool good = take_number(r, 1, &gaps) && take_number(r, UINT32_MAX, &n);

	for (uint64_t i = 0; good && i < n; i++)
		good = take_buffer(r, l, &all);
	g->owner = owner;
	g->gaps = good && gaps;
	return good && (r->position == r->size || reader_bad(r, "bytes behind the end"));
}

bool state_take(struct wb_launch *l, const uint8_t *bytes, size_t n, struct diag *d)
{
	struct reader r = { .bytes = bytes, .size = n, .of = "the state of a device", .d = d };

	if (!l->inputs->own_device || l->inputs->params_given || l->inputs->nargs > 1)
		return diag_set(d, DIAG_USAGE, "a state is the only argument of its launch");
	if (n < sizeof magic || memcmp(reader_take(&r, sizeof magic), magic, sizeof magic))
		return diag_set(d, DIAG_INPUT, "found no state of a device, expected a file of wb_launch_state");
	return take_size(&r, l) && take_module(&r, l) && take_memory(&r, l);
}
