/* What loads, stores and atomics of GCN have in common, wherever their lanes' elements are: exec_memory.c finds
 * addresses in global and private memory and LDS, exec_shared.c those of DS instructions. */
#ifndef WB_CORE_ISA_GCN_MEMORY_H
#define WB_CORE_ISA_GCN_MEMORY_H

#define LANE_MEMORY_ADDRESS uint64_t

#include "core/isa/gcn/atomic.h"
#include "core/isa/gcn/exec.h"
#include "core/isa/lane_memory.h"

enum { PARTS_MAX = 4 };

/* What an instruction wants: of each lane `parts` elements of `width` bytes side by side (several only of 4 bytes), at
 * `addr` in the space that has the lane in `lanes`. A lane in none reads 0 and stores nothing. */
struct gcn_access {
	uint8_t width, parts;
	bool is_signed;
	enum access_kind kind;
	enum rw_set set;
	unsigned op;                    /* of a reduction */
	lane_mask lanes[MEM_SPACES];
	uint64_t addr[LANES];
	bool across;                    /* elements of global memory lie across words */
	uint8_t *host[PARTS_MAX][LANES]; /* in the host's memory, by gcn_locate; NULL: an element in two pages */
	uint8_t *run;                   /* words of all lanes side by side; else NULL */
};

/* Find all elements; nothing has been touched. Then note what is about to be done: read and write sets, undo log, cost.
 * Both STEP_OK, or STEP_FAULT with nothing changed. */
int SIMD_NAME(gcn_locate)(struct exec *x, struct gcn_access *a);
int SIMD_NAME(gcn_announce)(struct exec *x, struct gcn_access *a);

/* The elements of an access. Lanes and addresses are left to the caller: clearing their 2,600 bytes would cost as much
 * as the access. */
static inline void gcn_access_begin(struct gcn_access *a, unsigned width, unsigned parts, bool is_signed)
{
	a->width = (uint8_t)width;
	a->parts = (uint8_t)parts;
	a->is_signed = is_signed;
	a->op = 0;
	a->across = false;
	a->run = NULL;
}

static inline lane_mask gcn_access_lanes(const struct gcn_access *a)
{
	return a->lanes[MEM_GLOBAL] | a->lanes[MEM_LOCAL] | a->lanes[MEM_SHARED];
}

/* Where what is loaded goes: one part as it is; the 16 bits of a D16 go to a half of the register, whose other half
 * stays. */
enum gcn_half { HALF_NONE, HALF_LOW, HALF_HIGH };

/* Loads into rows from `to` on, and stores from rows, one a part: vector registers (gcn_row) or the caller's. `half` of
 * a store: where its bytes are. */
int SIMD_NAME(gcn_load)(struct exec *x, struct gcn_access *a, struct row *to, enum gcn_half half);
int SIMD_NAME(gcn_store)(struct exec *x, struct gcn_access *a, const struct row *from, enum gcn_half half);
/* data: rows of the first datum, and of the second or NULL; of 64-bit operations (a->parts 2) two of each. What was
 * there goes to rows from `to` on if `returns`. */
int SIMD_NAME(gcn_atomic)(struct exec *x, struct gcn_access *a, enum atomic_op op, const struct row *data,
			  const struct row *second, bool returns, struct row *to);

/* Words of LDS of the executing lanes, at least one and all inside: by their shape, where all lanes' are inside; else
 * at addresses. Who wants addresses gets those as well. */
struct gcn_words {
	struct lane_words by_shape;     /* by_shape.shape is NULL: at addresses */
	bool wanted;                    /* addresses are */
	struct row addr;
};

/* As gcn_load and gcn_store, where stores leave the highest lane's word (rules.store_winner). */
void SIMD_NAME(gcn_load_words)(struct exec *x, const struct gcn_words *a, struct row *to);
void SIMD_NAME(gcn_store_words)(struct exec *x, const struct gcn_words *a, const struct row *from);

/* Executors of loads and stores by a file's own load(x, in, …) and store(x, in, …). */
#define LOAD(name, width, sign, parts, half) \
	EXEC(name) \
	{ \
		return load(x, in, width, sign, parts, half); \
	}
#define STORE(name, width, parts, half) \
	EXEC(name) \
	{ \
		return store(x, in, width, parts, half); \
	}

#endif
