/* Contents of memory and registers before GCN wavefronts start: the kernarg segment with hidden arguments, the dispatch
 * packet, the part of a queue with the windows, and the SGPRs requested by the kernel descriptor. */
#include "core/isa/gcn/launch.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/image.h"
#include "core/isa/gcn/run.h"
#include "core/isa/gcn/state.h"
#include "core/base/lanes.h"
#include "mem/global.h"

enum { KD_RSRC1 = 48, KD_RSRC2 = 52, KD_PROPERTIES = 56 };

/* compute_pgm_rsrc1, rsrc2 */
enum { RSRC1_MODE = 12, RSRC1_DX10_CLAMP = 21, RSRC1_IEEE = 23 };

static uint32_t word(const uint8_t *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A program without a descriptor, a text: s[0:1] is the kernarg segment, s2 to s4 the block, v0 to v2 the thread. */
static void describe_text(struct gcn_launch *l)
{
	uint32_t mode = l->generation == GCN_14 ? 0xf0 : 0xc0;

	l->properties = GCN_KERNARG_PTR;
	l->rsrc1 = mode << RSRC1_MODE | 1u << RSRC1_DX10_CLAMP | 1u << RSRC1_IEEE;
	l->rsrc2 = GCN_GROUP_X | GCN_GROUP_Y | GCN_GROUP_Z | GCN_THREAD_XYZ;
}

/* A parameter that cannot be given to a kernel, for a message; NULL: none. */
static const char *without_value(const struct image_kernel *k)
{
	static const char *const none[] = { "queue", "pipe" };

	for (size_t i = 0; i < k->nparams; i++)
		for (size_t n = 0; k->params[i].kind && n < sizeof none / sizeof *none; n++)
			if (!strcmp(k->params[i].kind, none[n]))
				return none[n];
	return NULL;
}

bool gcn_prepare(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d)
{
	struct gcn_launch *l = ARENA_NEW(a, struct gcn_launch);
	const char *kind = without_value(k), *why = gcn_driver_refusal(k);

	if (!l)
		return diag_set(d, DIAG_ENV, "out of memory");
	if (why)
		return diag_set(d, DIAG_USAGE, "kernel %.60s %s", k->name, why);
	if (kind)
		return diag_set(d, DIAG_USAGE, "kernel %.60s takes an argument of kind %s; expected values and "
				"pointers: there are no pipes or device queues here", k->name, kind);
	p->uniforms = l;
	l->generation = gcn_generation(&p->target);
	if (!k->descriptor) {
		describe_text(l);
		return true;
	}
	l->rsrc1 = word(k->descriptor + KD_RSRC1);
	l->rsrc2 = word(k->descriptor + KD_RSRC2);
	l->properties = word(k->descriptor + KD_PROPERTIES) & 0xffff;
	return true;
}

/* ---- memory ---- */

/* Value of a hidden argument by its kind; other kinds are 0: services of the host (printf, calls), data common to
 * devices. */
static uint64_t hidden(const struct gcn_launch *l, const struct isa_launch *to, const char *kind)
{
	static const char axes[] = "xyz";
	unsigned axis = (unsigned)(kind[strlen(kind) - 1] - 'x');

	if (!strcmp(kind, "hidden_grid_dims"))
		return to->dimensions;
	if (!strcmp(kind, "hidden_private_base"))
		return GCN_PRIVATE_APERTURE;
	if (!strcmp(kind, "hidden_shared_base"))
		return GCN_SHARED_APERTURE;
	if (!strcmp(kind, "hidden_queue_ptr"))
		return l->queue;
	if (!strcmp(kind, "hidden_printf_buffer"))
		return to->prints ? to->prints - 8 : 0;
	if (!strcmp(kind, GCN_HIDDEN_DATA))
		return to->data;
	if (!strcmp(kind, "hidden_dynamic_lds_size"))
		return to->dynamic_shared;
	if (axis >= sizeof axes - 1)
		return 0;
	if (!strncmp(kind, "hidden_block_count_", 19))
		return to->grid[axis];
	if (!strncmp(kind, "hidden_grid_size_", 17))
		return (uint64_t)to->grid[axis] * to->block[axis];
	if (!strncmp(kind, "hidden_group_size_", 18))
		return to->block[axis];
	if (!strncmp(kind, "hidden_global_offset_", 21))
		return to->offset[axis];
	return 0;
}

static bool make_kernargs(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	const struct image_kernel *k = to->kernel;
	uint32_t size = k->param_bytes > to->params->size ? k->param_bytes : to->params->size;

	if (!global_alloc(to->global, size ? size : 1, &l->kernarg, d))
		return false;
	global_write(to->global, l->kernarg, to->params->bytes, to->params->size);
	for (size_t i = 0; i < k->nhidden; i++) {
		if (gcn_is_sgprs(&k->hidden[i]))
			continue;
		uint64_t v = hidden(l, to, k->hidden[i].kind);
		uint8_t bytes[8];
		gcn_store(bytes, v, 8);
		global_write(to->global, l->kernarg + k->hidden[i].offset, bytes,
			     k->hidden[i].size < 8 ? k->hidden[i].size : 8);
	}
	return true;
}

/* hsa_kernel_dispatch_packet_t: dimensions, sizes of a group and of the grid, in threads. */
static bool make_packet(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	uint8_t packet[GCN_PACKET_BYTES] = { 0 };

	gcn_store(packet + 2, to->dimensions, 2);
	for (unsigned i = 0; i < 3; i++) {
		gcn_store(packet + 4 + 2 * i, to->block[i], 2);
		gcn_store(packet + 12 + 4 * i, (uint64_t)to->grid[i] * to->block[i], 4);
	}
	gcn_store(packet + 24, to->kernel->lmem, 4);
	gcn_store(packet + 28, (uint64_t)to->kernel->smem + to->dynamic_shared, 4);
	gcn_store(packet + 40, l->kernarg, 8);
	gcn_store(packet + 48, to->prints, 8);        /* a reserved field, where toolchain/opencl/builtins.cl looks */
	if (!global_alloc(to->global, sizeof packet, &l->packet, d))
		return false;
	return global_write(to->global, l->packet, packet, sizeof packet);
}

/* amd_queue_t: the windows' upper words. */
static bool make_queue(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	enum { SHARED_WINDOW = 0x40, PRIVATE_WINDOW = 0x44 };
	uint8_t queue[GCN_QUEUE_BYTES] = { 0 };

	gcn_store(queue + SHARED_WINDOW, GCN_SHARED_APERTURE, 4);
	gcn_store(queue + PRIVATE_WINDOW, GCN_PRIVATE_APERTURE, 4);
	if (!global_alloc(to->global, sizeof queue, &l->queue, d))
		return false;
	return global_write(to->global, l->queue, queue, sizeof queue);
}

/* ---- SGPRs ---- */

static void user(struct gcn_launch *l, uint64_t v, unsigned words)
{
	for (unsigned i = 0; i < words && l->nuser < GCN_USER_SGPRS; i++)
		l->user[l->nuser++] = i < 2 ? (uint32_t)(v >> 32 * i) : 0;
}

static void user_resource(struct gcn_launch *l)
{
	uint32_t w[4];

	gcn_private_resource(w);
	for (unsigned i = 0; i < 4; i++)
		user(l, w[i], 1);
}

static void make_registers(struct gcn_launch *l, const struct isa_launch *to)
{
	memset(l->user, 0, sizeof l->user);
	l->nuser = 0;
	gcn_driver_sgprs(l, to->kernel);
	if (l->properties & GCN_PRIVATE_BUFFER)
		user_resource(l);
	if (l->properties & GCN_DISPATCH_PTR)
		user(l, l->packet, 2);
	if (l->properties & GCN_QUEUE_PTR)
		user(l, l->queue, 2);
	if (l->properties & GCN_KERNARG_PTR)
		user(l, l->kernarg, 2);
	if (l->properties & GCN_DISPATCH_ID)
		user(l, 0, 2);
	if (l->properties & GCN_FLAT_SCRATCH)
		user(l, (uint64_t)to->kernel->lmem << 32, 2);
	if (l->properties & GCN_PRIVATE_SIZE)
		user(l, to->kernel->lmem, 1);
	for (unsigned i = 0; i < 3; i++)
		if (l->properties & GCN_COUNT_X << i)
			user(l, to->grid[i], 1);
}

bool gcn_launch(struct program *p, const struct isa_launch *to, struct diag *d)
{
	struct gcn_launch *l = ARENA_NEW(to->arena, struct gcn_launch);

	if (!l)
		return diag_set(d, DIAG_ENV, "out of memory");
	*l = *gcn_launch_of(p);
	p->uniforms = l;
	l->code = to->code;
	if (!to->kernel->descriptor && (to->offset[0] || to->offset[1] || to->offset[2]))
		return diag_set(d, DIAG_USAGE, "kernel %.60s is a text without hidden arguments, which have the offset "
				"of a grid; expected the offset 0", to->kernel->name);
	if (!gcn_host_rounds(l->rsrc1 >> 12))
		return diag_set(d, DIAG_INPUT, "the kernel's descriptor asks for a direction of rounding that this "
				"host does not have, expected rounding to nearest");
	if (image_short_pointers(to->kernel) && to->global->first_buffer >> 32)
		return diag_set(d, DIAG_USAGE, "kernel %.60s has addresses of 32 bits, and the device's memory lies at "
				"addresses of 64 bits; expected a launch of its own (run), or a kernel for .64bit",
				to->kernel->name);
	if (!make_queue(l, to, d) || !make_kernargs(l, to, d) || !make_packet(l, to, d) || !gcn_driver_tables(l, to, d))
		return false;
	make_registers(l, to);
	return true;
}
