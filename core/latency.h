/* What the scheduler knows of an instruction: how it occupies the machine, and which results it needs and makes.
 *
 * Units, classes of instructions and wait counters are rows that a machine brings (struct isa_table.issue), made from
 * lists of its own; the scheduler knows their numbers alone. How long things take is in sched/timing.def: a class names
 * those values by their keys. */
#ifndef WB_CORE_LATENCY_H
#define WB_CORE_LATENCY_H

#include <stdint.h>

/* A machine has at most so many; units of several SIMDs count each. Its units 0 and 1 are those that most instructions
 * take: they are looked up first. */
enum { UNITS_MAX = 12, CLASSES_MAX = 32, COUNTERS_MAX = 4 };

enum class_kind {
	CLASS_MEMORY = 1,               /* its results are global memory's, or come as late */
	CLASS_FLOW = 2,                 /* it steers masks; until its latency is over its warp does not go on */
	CLASS_BARRIER = 4,              /* an arrival at a barrier; likewise */
};

/* A class of instructions. They take the unit for as many cycles as it needs for the lanes of a warp, or for `cost`;
 * where that is busy and there is another one, the other for `other_cost`. */
struct issue_class {
	const char *name;
	uint8_t unit, other;            /* of issue_model.unit */
	uint8_t kind;                   /* enum class_kind bits */
	/* Keys of values of timing.def. Of lanes a cycle; of cycles until the result, which are at least those of s[]
	 * if there is an operand of it. */
	const char *lanes, *latency;
	const char *cost;               /* cycles of the unit; NULL: as `lanes` says */
	const char *other_cost;         /* cycles of the other one; NULL: there is none */
	const char *shared_cost;        /* cycles more of the unit, with an operand in s[]; NULL: none */
};

/* A counter of each warp: an instruction adds 1 to it when it issues and takes it away when its access is complete,
 * which happens in order. It waits for its turn while the counter is at its most. */
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
	uint16_t simd_units;            /* bit u: where a chip has several SIMDs, each of them has a unit u */
};

/* Registers that instructions of an ISA wait for have numbers below isa_ops.scoreboard: those of a thread first, then
 * what else it has (flags, address registers). How many one instruction reads and writes: */
enum { PORTS_READ = 28, PORTS_WRITE = 16 };

struct ports {
	uint8_t lat;                    /* number of its class */
	uint8_t reads_shared;           /* 1: takes an operand from s[] */
	uint8_t by_all;                 /* 1: all active lanes execute it, and it leaves the mask as it is */
	uint8_t reads_const;            /* 1: takes an operand from c[], one for all lanes, without an access */
	uint8_t bank;
	uint32_t address;
	uint8_t counts;                 /* bit c: it adds 1 to wait counter c */
	uint8_t waits;                  /* bit c: it waits until counter c is at upto[c] or below */
	uint8_t upto[COUNTERS_MAX];
	uint8_t nread, nwrite;
	uint16_t read[PORTS_READ], write[PORTS_WRITE];
};

#endif
