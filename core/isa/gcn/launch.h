/* Initial state of GCN wavefronts by the launch (spec gcn, "Loading and launch"; LLVM, "User Guide for AMDGPU Backend",
 * "Initial Kernel Execution State"), and the windows of LDS and private memory in 64-bit addresses. */
#ifndef WB_CORE_ISA_GCN_LAUNCH_H
#define WB_CORE_ISA_GCN_LAUNCH_H

#include <stdint.h>
#include <string.h>

#include "core/image.h"
#include "core/isa/gcn/state.h"
#include "core/program.h"

struct diag;
struct isa_launch;

/* The upper words of FLAT addresses of LDS and private memory. The hardware's windows are multiples of 2^48, on which
 * programs of 1.4 rely. */
enum { GCN_SHARED_APERTURE = 0x00010000, GCN_PRIVATE_APERTURE = 0x00020000 };

/* Address of a wavefront's private memory for buffer resources: words of 64 lanes side by side, as by its swizzle.
 * Nothing else is mapped there. */
#define GCN_SCRATCH_BASE (1ull << 43)
#define GCN_SCRATCH_BYTES (1ull << 32)

/* The dispatch packet in memory (hsa_kernel_dispatch_packet_t), and the part of a queue (amd_queue_t) with the
 * windows. */
enum { GCN_PACKET_BYTES = 64, GCN_QUEUE_BYTES = 256, GCN_USER_SGPRS = 16 };

/* AMD's OpenCL 1.2 binaries (CLRX, AmdAbi.md). The kernarg segment begins with a buffer of setup words, the arguments
 * follow; both are constant buffers. Hidden arguments of these kinds are values of the first SGPRs: offset / 4 is the
 * number of the first register, size / 4 the number of registers. A buffer's resource has all memory from address 0 on,
 * so that the offset of a global pointer is an address; a table has a resource for each number. */
enum { GCN_SETUP_BYTES = 160, GCN_BUFFERS = 1024 };
#define GCN_SGPRS_SETUP "sgprs_setup"                   /* constant buffer 0 */
#define GCN_SGPRS_ARGUMENTS "sgprs_arguments"           /* constant buffer 1 */
#define GCN_SGPRS_BUFFER "sgprs_buffer"
#define GCN_SGPRS_BUFFERS "sgprs_buffers"               /* table of 8 words each */
#define GCN_SGPRS_CONSTANTS "sgprs_constants"           /* table of both constant buffers, 4 words each */
#define GCN_SGPRS_PRIVATE "sgprs_private"               /* table of 4 words each, private memory's is 1 */
/* The address of the program's data. */
#define GCN_HIDDEN_DATA "hidden_data"
/* Why a kernel cannot be launched, as a hidden argument of no bytes (clrx_finish.c). */
#define GCN_NO_CONFIGURATION "no_configuration"
#define GCN_NO_SGPRS "no_sgprs"

/* struct program.uniforms of a GCN program. */
struct gcn_launch {
	uint32_t properties, rsrc1, rsrc2;              /* of the kernel descriptor; 0: no descriptor */
	enum gcn_generation generation;
	uint64_t code;                  /* address of pc 0 */
	uint64_t kernarg, packet, queue;
	uint64_t tables;                /* of resources: buffers, constant buffers, private memory; 0: none */
	uint32_t user[GCN_USER_SGPRS];  /* values of the first SGPRs */
	unsigned nuser;
};

/* Bits of kernel_code_properties, in the order of their SGPRs. */
enum gcn_properties {
	GCN_PRIVATE_BUFFER = 1 << 0, GCN_DISPATCH_PTR = 1 << 1, GCN_QUEUE_PTR = 1 << 2, GCN_KERNARG_PTR = 1 << 3,
	GCN_DISPATCH_ID = 1 << 4, GCN_FLAT_SCRATCH = 1 << 5, GCN_PRIVATE_SIZE = 1 << 6,
	/* Of code objects of version 2 alone: numbers of blocks. */
	GCN_COUNT_X = 1 << 7, GCN_COUNT_Y = 1 << 8, GCN_COUNT_Z = 1 << 9,
};

/* Bits of rsrc2, in the order of their SGPRs, which follow the user's. */
enum gcn_system {
	GCN_SCRATCH_OFFSET = 1 << 0, GCN_GROUP_X = 1 << 7, GCN_GROUP_Y = 1 << 8, GCN_GROUP_Z = 1 << 9,
	GCN_GROUP_INFO = 1 << 10,
	GCN_THREAD_XYZ = 2 << 11,       /* v0 to v2 hold the thread's x, y and z; 0: v0 alone */
};

/* The MODE register at the beginning of a wavefront. */
static inline uint32_t gcn_mode(uint32_t rsrc1)
{
	return (rsrc1 >> 12 & 0xff) | (rsrc1 >> 21 & 1 ? MODE_DX10_CLAMP : 0) | (rsrc1 >> 23 & 1 ? MODE_IEEE : 0);
}

/* The low `bytes` bytes of a word, in memory's order. */
static inline void gcn_store(uint8_t *at, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(v >> 8 * i);
}

/* A hidden argument that is values of SGPRs. */
static inline bool gcn_is_sgprs(const struct image_hidden *h)
{
	return !strncmp(h->kind, "sgprs_", 6);
}

/* The resource of private memory: swizzled by words, lanes added. */
static inline void gcn_private_resource(uint32_t w[4])
{
	enum { SWIZZLE = 1u << 31, ADD_LANE = 1 << 23, STRIDE_64 = 3 << 21, ELEMENT_4 = 1 << 19 };

	w[0] = (uint32_t)GCN_SCRATCH_BASE;
	w[1] = (uint32_t)(GCN_SCRATCH_BASE >> 32) | SWIZZLE;
	w[2] = UINT32_MAX;
	w[3] = ADD_LANE | STRIDE_64 | ELEMENT_4;
}

/* Of core/isa/gcn/driver.c: why a kernel of AMD's driver cannot be launched, NULL: nothing is missing; the tables in
 * memory, of a kernel that wants any; the values of the first SGPRs. */
const char *gcn_driver_refusal(const struct image_kernel *k);
bool gcn_driver_tables(struct gcn_launch *l, const struct isa_launch *to, struct diag *d);
void gcn_driver_sgprs(struct gcn_launch *l, const struct image_kernel *k);

static inline const struct gcn_launch *gcn_launch_of(const struct program *p)
{
	return p->uniforms;
}

#endif
