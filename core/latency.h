/* The scheduler's view of an instruction: units and cycles it occupies, results it needs and makes.
 *
 * Units, classes of instructions and wait counters are rows of each machine's own lists (struct isa_table.issue); the
 * scheduler knows only their numbers. Cycles are in sched/timing.def: a class names values by their keys. */
#ifndef WB_CORE_LATENCY_H
#define WB_CORE_LATENCY_H

#include <stdint.h>

/* Limits of a machine; units of several SIMDs count each. Units 0 and 1 are looked up first: most instructions use unit
 * 0 or 1. */
enum { UNITS_MAX = 12, CLASSES_MAX = 32, COUNTERS_MAX = 4 };

enum class_kind {
	CLASS_MEMORY = 1,               /* results come from global memory, or as late */
	CLASS_FLOW = 2,                 /* steers masks; the warp waits until the latency is over */
	CLASS_BARRIER = 4,              /* an arrival at a barrier; the warp waits likewise */
	CLASS_TEXTURE = 8,              /* results are texels, from the caches of textures */
};

/* A class of instructions. An instruction occupies its unit for the cycles of a warp's lanes, or for `cost`; if the
 * unit is busy and the class has another unit, the other unit for `other_cost`. */
struct issue_class {
	const char *name;
	uint8_t unit, other;            /* of issue_model.unit */
	uint8_t kind;                   /* enum class_kind bits */
	/* Keys of timing.def: lanes a cycle; cycles until the result, at least the latency of s[] with an operand
	 * there. */
	const char *lanes, *latency;
	const char *cost;               /* key: cycles of the unit; NULL: by `lanes` */
	const char *other_cost;         /* key: cycles of the other unit; NULL: no other unit */
	const char *shared_cost;        /* key: additional cycles of the unit, with an operand in s[]; NULL: none */
	const char *hold;               /* key: cycles of its warp, times ports.holds; NULL: one issue slot */
	const char *late;               /* key: cycles until the register `late` of ports; NULL: no such register */
};

/* A counter of each warp: an instruction adds 1 at its issue and subtracts 1 when its access is complete, in order. At
 * `most` the next instruction waits. */
struct wait_counter {
	const char *name;
	uint32_t most;
};

/* Units by name. */
struct issue_model {
	const struct issue_class *class;
	const char *const *unit;
	const struct wait_counter *counter;
	uint8_t nclasses, nunits, ncounters;
	uint16_t simd_units;            /* bit u: on a chip with several SIMDs, each SIMD has a unit u */
};

/* Awaited registers of an ISA have numbers below isa_registers.awaited: first a thread's registers, then all others
 * (flags, address registers). Most registers that one instruction reads and writes: */
enum { PORTS_READ = 28, PORTS_WRITE = 16 };

struct ports {
	uint8_t lat;                    /* number of the instruction's class */
	uint8_t reads_shared;           /* 1: takes an operand from s[] */
	uint8_t by_all;                 /* 1: all active lanes execute the instruction, and the mask stays */
	uint8_t reads_const;            /* 1: takes an operand from c[], the same for all lanes, without an access */
	uint8_t bank;
	uint32_t address;
	/* Times that the instruction takes its unit for the cycles of its class, and its warp for the cycles `hold`; 0
	 * means once. */
	uint8_t takes, holds;
	/* Waits for code, in units of fetch.penalty: before the instruction, where its warp comes to it in order;
	 * behind the instruction, where its warp goes on in order, and where its warp jumps. */
	uint8_t late_before, late_after, late_jump;
	uint8_t event;                  /* number plus 1 of a performance event (pmevent, s_incperflevel); 0: none */
	uint8_t tested;                 /* 1: the next instruction in order is a branch by flags of this result */
	/* Number plus 1 of an awaited register whose value arrives after the class's `late` cycles, not with the other
	 * results; 0: none. */
	uint16_t late;
	uint8_t counts;                 /* bit c: adds 1 to wait counter c */
	uint8_t waits;                  /* bit c: waits until counter c is at upto[c] or below */
	uint8_t upto[COUNTERS_MAX];
	uint8_t nread, nwrite;
	uint16_t read[PORTS_READ], write[PORTS_WRITE];
};

#endif
