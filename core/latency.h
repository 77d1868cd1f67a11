/* What the scheduler knows of an instruction: how it occupies the machine, and which results it needs and makes. */
#ifndef WB_CORE_LATENCY_H
#define WB_CORE_LATENCY_H

#include <stdint.h>

/* Classes of instructions that take the same unit for the same time, in every ISA. */
enum lat_class {
	LAT_ALU, LAT_FMUL, LAT_MAD, LAT_SFU, LAT_TRIG, LAT_F64,
	LAT_CONST, LAT_SHARED, LAT_LOCAL, LAT_GLOBAL, LAT_ATOMIC, LAT_TEX,
	LAT_FLOW, LAT_BAR,
	LAT_COUNT
};

/* Registers that instructions of an ISA wait for have numbers below isa_ops.scoreboard: those of a thread first, then
 * what else it has (flags, address registers). How many one instruction reads and writes: */
enum { PORTS_READ = 20, PORTS_WRITE = 8 };

struct ports {
	uint8_t lat;                    /* enum lat_class */
	uint8_t reads_shared;           /* 1: takes an operand from s[] */
	uint8_t by_all;                 /* 1: all active lanes execute it, and it leaves the mask as it is */
	uint8_t reads_const;            /* 1: takes an operand from c[], one for all lanes, with no access in the step */
	uint8_t bank;
	uint32_t address;
	uint8_t nread, nwrite;
	uint16_t read[PORTS_READ], write[PORTS_WRITE];
};

#endif
