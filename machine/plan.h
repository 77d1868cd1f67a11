/* The plan of a launch: the program, bound and translated, the machine's numbers and rules, the size. Made once from a
 * prepared kernel, a size and arguments (device/plan.c), and read-only while the launch runs: changing state is in
 * struct machine (machine/state.h). */
#ifndef WB_MACHINE_PLAN_H
#define WB_MACHINE_PLAN_H

#include "core/block.h"
#include "core/image.h"
#include "core/program.h"
#include "core/rules.h"
#include "mem/memory.h"
#include "sched/chip.h"
#include "sched/occupancy.h"
#include "sched/sched.h"

/* Threads, warps and blocks. */
struct dimensions {
	uint32_t grid[3], block[3];
	uint32_t blocks;                /* of the grid */
	uint32_t threads, warps;        /* of a block */
	uint32_t lanes;                 /* --lanes: vertices of a warp */
};

/* Limits set by the user; UINT64_MAX: no limit. */
struct limits {
	uint64_t cycles, instructions;
	uint64_t livelock;              /* cycles without progress */
};

enum buffer_source { BUFFER_OF_OPTION = -1 /* of --global */, BUFFER_OF_DEVICE = -2 };

struct buffer {
	uint64_t addr;
	uint32_t bytes;
	int argument;           /* number of the argument; or of enum buffer_source */
	const char *name;       /* of the parameter, as the file has it; "": unknown */
	bool no_loads, no_stores;       /* not allowed to kernels */
};

/* A register that is set before the launch runs. */
struct poke {
	uint32_t block, warp, reg, lane, value;
	char file[4];
};

/* Signals that $pm0 ... $pm3 can count (--pm), under the names of the machine's profiler. Signals from
 * PM_WARP_SERIALIZE on want full statistics. */
enum pm_counter {
	PM_NONE, PM_CYCLES, PM_INSTRUCTIONS, PM_BRANCH, PM_DIVERGENT_BRANCH, PM_SM_CTA_LAUNCHED,
	PM_PROF_TRIGGER, PM_PROF_TRIGGER_LAST = PM_PROF_TRIGGER + PM_EVENTS - 1,
	PM_WARP_SERIALIZE, PM_GLD_32B, PM_GLD_64B, PM_GLD_128B, PM_GST_32B, PM_GST_64B, PM_GST_128B,
	PM_GLD_COHERENT, PM_GLD_INCOHERENT, PM_GST_COHERENT, PM_GST_INCOHERENT,     /* the older coalescing rule's */
	PM_SIGNALS
};
enum { PM_COUNTERS = 4 };

/* A caller's policy; pick asks `choose` for an element of a choice. */
struct wb_choice;
struct own_policy {
	unsigned (*pick)(struct sched *s, uint64_t eligible);
	unsigned (*choose)(void *context, const struct wb_choice *choice);
	void *context;
};

enum { HOST_THREADS_MAX = 1024 };

/* How the host executes the launch: the results are the same. */
struct host_options {
	unsigned threads;               /* 0: one thread for each processor */
	unsigned simd;                  /* enum simd_level */
	bool precise;                   /* --in-order: without traces */
	bool fast_forward;
};

/* How instructions issue, with timing. */
struct plan_issue {
	const struct issue_model *model;
	struct sched_op *ops;           /* by word of code, and one behind the last; for each SIMD in turn */
	const struct sched_op **order;  /* instructions of the first SIMD in the order of the code */
	unsigned entries, units;        /* of a warp's scoreboard; of a multiprocessor */
	const uint16_t *entry;          /* by register (struct ports): number of its entry plus 1; 0: no entry */
	struct counter_place counter[COUNTERS_MAX];
};

struct plan {
	const struct image *image;
	const struct image_kernel *kernel;
	struct program code;
	bool shared_code;               /* other launches have the bound program as well, with its constants */
	struct chip chip;               /* the chip's row, with changes by timing values */
	struct timing numbers;
	struct rules rules;
	struct dimensions dim;
	/* Buffers in global memory that arguments and --global have bound. */
	const struct buffer *buffer;
	size_t nbuffers;
	/* A bit for each word of code: an instruction there would name a register beyond those of a thread; NULL: none
	 * does. Words within instructions count, too. */
	const uint64_t *beyond;
	bool ends_exact;                /* accesses beyond the end of a buffer are noticed */
	uint32_t shared_bytes;          /* of a block, as allocated */
	struct { uint32_t shared, local; } requested;   /* bytes of s[] and l[] from the file and the options */
	struct occupancy fit;           /* of a multiprocessor, with its share of the grid's blocks */
	uint32_t predicted_blocks;      /* blocks of `fit` for a grid of any size */
	unsigned nmps;                  /* multiprocessors */
	struct memory memory;
	uint64_t code_address;          /* of pc 0, where the code is in global memory as well; else 0 */
	uint8_t params[4096];
	struct launch_params param;
	struct { struct poke *item; size_t n, cap; } pokes;
	bool timed, full_statistics;
	bool warm;                      /* caches hold the program before the first cycle */
	enum policy policy;
	uint32_t group;
	struct own_policy own_policy;          /* POLICY_OWN */
	uint64_t slice;                 /* without timing: instructions of a warp's turn */
	struct limits max;
	uint8_t pm[PM_COUNTERS];        /* enum pm_counter: signals of $pm0 ... $pm3 */
	struct host_options host;
	struct plan_issue issue;
};

/* SIMDs of a multiprocessor. */
static inline unsigned plan_simds(const struct plan *p)
{
	return p->chip.simds ? p->chip.simds : 1;
}

/* Make the scheduler's instructions of the program: ops, order and entries; again, in place, after the program has been
 * bound again. False: the host has no memory. */
bool plan_instructions(struct plan *p, struct arena *a);
/* The last register of a thread that the instruction at a pc names; 0: none. */
unsigned plan_register(const struct program *p, uint32_t pc);
/* Find p->beyond. False: the host has no memory. */
bool plan_registers(struct plan *p, struct arena *a);
/* The constant cache's line of an address of c[], never 0. */
uint32_t plan_const_line(const struct plan *p, unsigned bank, uint32_t address);

#endif
