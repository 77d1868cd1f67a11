/* What AMD's driver of OpenCL 1.2 gives a kernel: resources of buffers in SGPRs and in tables. Arguments and setup are
 * constant buffers, and a global pointer is the offset in a buffer that has all memory (core/isa/gcn/launch.h). */
#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/isa/gcn/launch.h"
#include "mem/global.h"

/* Reasons by the kind of a hidden argument (clrx_finish.c). */
const char *gcn_driver_refusal(const struct image_kernel *k)
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

/* A buffer of `records` bytes. */
static void make_resource(uint64_t base, uint32_t records, uint32_t w[4])
{
	enum { XYZW_FLOAT_32 = 0x27fac };

	w[0] = (uint32_t)base;
	w[1] = (uint32_t)(base >> 32);
	w[2] = records;
	w[3] = XYZW_FLOAT_32;
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

	for (unsigned i = 0; i < GCN_BUFFERS; i++)
		make_resource(0, UINT32_MAX, w + 8 * i);
	setup_resource(l, constants);
	argument_resource(l, to->kernel, constants + 4);
	gcn_private_resource(constants + CONSTANT_TABLE / 4 + 4);
	for (unsigned i = 0; i < sizeof w / sizeof *w; i++)
		gcn_store((uint8_t *)&w[i], w[i], 4);
	return global_alloc(to->global, sizeof w, &l->tables, d) &&
	       global_write(to->global, l->tables, w, sizeof w);
}

bool gcn_driver_tables(struct gcn_launch *l, const struct isa_launch *to, struct diag *d)
{
	for (size_t i = 0; i < to->kernel->nhidden; i++)
		if (gcn_is_sgprs(&to->kernel->hidden[i]))
			return make_tables(l, to, d);
	return true;
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

void gcn_driver_sgprs(struct gcn_launch *l, const struct image_kernel *k)
{
	for (size_t i = 0; i < k->nhidden; i++)
		if (gcn_is_sgprs(&k->hidden[i]))
			user_at(l, k, &k->hidden[i]);
}
