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

/* Reasons by the kind of a hidden argument (clrx_finish.c). */
static const char *not_launched(const struct image_kernel *k)
{
	static const struct { const char *kind, *why; } reasons[] = {
		{ GCN_NO_CONFIGURATION, "is described by notes for AMD's driver alone; expected .config with .arg and "
		  ".userdata, as clrxdisasm --config writes them" },
		{ GCN_NO_SGPRS, "wants scalar registers that launches here do not fill; expected .userdata of "
		  "IMM_CONST_BUFFER 0 and 1, IMM_UAV, PTR_UAV_TABLE, PTR_CONST_BUFFER_TABLE or "
		  "PTR_INTERNAL_GLOBAL_TABLE" },
	};

	for (size_t i = 0; i < k->nhidden; i++)
		for (size_t n = 0; n < sizeof reasons / sizeof *reasons; n++)
			if (!strcmp(k->hidden[i].kind, reasons[n].kind))
				return reasons[n].why;
	return NULL;
}

bool gcn_prepare(struct program *p, const struct image_kernel *k, struct arena *a, struct diag *d)
{
	struct gcn_launch *l = ARENA_NEW(a, struct gcn_launch);
	const char *kind = without_value(k), *why = not_launched(k);

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

static void put(uint8_t *at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

/* Value of a hidden argument by its kind; other kinds are 0: services of the host (printf, calls), data common to
 * devices. */
static uint64_t hidden(const struct gcn_launch *l, const struct isa_launch *to, const char *kind)
{
	static const char axes[] = "xyz";
	unsigned axis = (unsigned)(kind[strlen(kind) - 1] - 'x');

	if (!strcmp(kind, "hidden_grid_dims"))
		return to->grid[2] > 1 || to->block[2] > 1 ? 3 : to->grid[1] > 1 || to->block[1] > 1 ? 2 : 1;
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

static bool is_sgprs(const struct image_hidden *h)
{
	return !strncmp(h->kind, "sgprs_", 6);
}

static bool make_kernargs(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	const struct image_kernel *k = to->kernel;
	uint32_t size = k->param_bytes > to->params->size ? k->param_bytes : to->params->size;

	if (!global_alloc(to->global, size ? size : 1, &l->kernarg, d))
		return false;
	global_write(to->global, l->kernarg, to->params->bytes, to->params->size);
	for (size_t i = 0; i < k->nhidden; i++) {
		if (is_sgprs(&k->hidden[i]))
			continue;
		uint64_t v = hidden(l, to, k->hidden[i].kind);
		uint8_t bytes[8];
		put(bytes, v, 8);
		global_write(to->global, l->kernarg + k->hidden[i].offset, bytes,
			     k->hidden[i].size < 8 ? k->hidden[i].size : 8);
	}
	return true;
}

/* Dimensions of a launch: the highest in which there is more than one thread. */
static unsigned dimensions(const struct isa_launch *to)
{
	for (unsigned i = 2; i; i--)
		if (to->block[i] > 1 || (i < 2 && to->grid[i] > 1))
			return i + 1;
	return 1;
}

/* hsa_kernel_dispatch_packet_t: dimensions, sizes of a group and of the grid, in threads. */
static bool make_packet(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	uint8_t packet[GCN_PACKET_BYTES] = { 0 };

	put(packet + 2, dimensions(to), 2);
	for (unsigned i = 0; i < 3; i++) {
		put(packet + 4 + 2 * i, to->block[i], 2);
		put(packet + 12 + 4 * i, (uint64_t)to->grid[i] * to->block[i], 4);
	}
	put(packet + 24, to->kernel->lmem, 4);
	put(packet + 28, (uint64_t)to->kernel->smem + to->dynamic_shared, 4);
	put(packet + 40, l->kernarg, 8);
	put(packet + 48, to->prints, 8);        /* a reserved field, where toolchain/opencl/builtins.cl looks */
	if (!global_alloc(to->global, sizeof packet, &l->packet, d))
		return false;
	return global_write(to->global, l->packet, packet, sizeof packet);
}

/* amd_queue_t: the windows' upper words. */
static bool make_queue(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	enum { SHARED_WINDOW = 0x40, PRIVATE_WINDOW = 0x44 };
	uint8_t queue[GCN_QUEUE_BYTES] = { 0 };

	put(queue + SHARED_WINDOW, GCN_SHARED_APERTURE, 4);
	put(queue + PRIVATE_WINDOW, GCN_PRIVATE_APERTURE, 4);
	if (!global_alloc(to->global, sizeof queue, &l->queue, d))
		return false;
	return global_write(to->global, l->queue, queue, sizeof queue);
}

/* ---- resources of buffers ---- */

/* A buffer of `records` bytes. */
static void make_resource(uint64_t base, uint32_t records, uint32_t w[4])
{
	enum { XYZW_FLOAT_32 = 0x27fac };

	w[0] = (uint32_t)base;
	w[1] = (uint32_t)(base >> 32);
	w[2] = records;
	w[3] = XYZW_FLOAT_32;
}

/* Private memory: swizzled by words, lanes added. */
static void private_resource(uint32_t w[4])
{
	enum { SWIZZLE = 1u << 31, ADD_LANE = 1 << 23, STRIDE_64 = 3 << 21, ELEMENT_4 = 1 << 19 };

	w[0] = (uint32_t)GCN_SCRATCH_BASE;
	w[1] = (uint32_t)(GCN_SCRATCH_BASE >> 32) | SWIZZLE;
	w[2] = UINT32_MAX;
	w[3] = ADD_LANE | STRIDE_64 | ELEMENT_4;
}

static void setup_resource(const struct gcn_launch *l, uint32_t w[4])
{
	make_resource(l->kernarg, GCN_SETUP_BYTES, w);
}

static void argument_resource(const struct gcn_launch *l, const struct image_kernel *k, uint32_t w[4])
{
	make_resource(l->kernarg + GCN_SETUP_BYTES,
		      k->param_bytes > GCN_SETUP_BYTES ? k->param_bytes - GCN_SETUP_BYTES : 0, w);
}

/* Bytes of the tables, behind each other. */
enum { BUFFER_TABLE = 32 * GCN_BUFFERS, CONSTANT_TABLE = 32, PRIVATE_TABLE = 32 };

static bool make_tables(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	uint32_t w[(BUFFER_TABLE + CONSTANT_TABLE + PRIVATE_TABLE) / 4] = { 0 }, *constants = w + BUFFER_TABLE / 4;
	bool wanted = false;

	for (size_t i = 0; i < to->kernel->nhidden; i++)
		wanted = wanted || is_sgprs(&to->kernel->hidden[i]);
	if (!wanted)
		return true;
	for (unsigned i = 0; i < GCN_BUFFERS; i++)
		make_resource(0, UINT32_MAX, w + 8 * i);
	setup_resource(l, constants);
	argument_resource(l, to->kernel, constants + 4);
	private_resource(constants + CONSTANT_TABLE / 4 + 4);
	for (unsigned i = 0; i < sizeof w / sizeof *w; i++)
		put((uint8_t *)&w[i], w[i], 4);
	return global_alloc(to->global, sizeof w, &l->tables, d) &&
	       global_write(to->global, l->tables, w, sizeof w);
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

	private_resource(w);
	for (unsigned i = 0; i < 4; i++)
		user(l, w[i], 1);
}

/* The registers of a hidden argument, at their numbers. */
static void user_at(struct gcn_launch *l, const struct image_kernel *k, const struct image_hidden *h)
{
	unsigned first = h->offset / 4, n = h->size / 4;
	uint64_t table = !strcmp(h->kind, GCN_SGPRS_BUFFERS) ? l->tables :
			 !strcmp(h->kind, GCN_SGPRS_CONSTANTS) ? l->tables + BUFFER_TABLE :
			 l->tables + BUFFER_TABLE + CONSTANT_TABLE;
	uint32_t w[GCN_USER_SGPRS] = { (uint32_t)table, (uint32_t)(table >> 32) };

	if (!strcmp(h->kind, GCN_SGPRS_SETUP))
		setup_resource(l, w);
	else if (!strcmp(h->kind, GCN_SGPRS_ARGUMENTS))
		argument_resource(l, k, w);
	else if (!strcmp(h->kind, GCN_SGPRS_BUFFER))
		make_resource(0, UINT32_MAX, w);
	for (unsigned i = 0; i < n && first + i < GCN_USER_SGPRS; i++) {
		l->user[first + i] = w[i];
		if (first + i >= l->nuser)
			l->nuser = first + i + 1;
	}
}

static void make_registers(struct gcn_launch *l, const struct isa_launch *to)
{
	memset(l->user, 0, sizeof l->user);
	l->nuser = 0;
	for (size_t i = 0; i < to->kernel->nhidden; i++)
		if (is_sgprs(&to->kernel->hidden[i]))
			user_at(l, to->kernel, &to->kernel->hidden[i]);
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
	if (!make_queue(l, to, d) || !make_kernargs(l, to, d) || !make_packet(l, to, d) || !make_tables(l, to, d))
		return false;
	make_registers(l, to);
	return true;
}
