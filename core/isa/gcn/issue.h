/* GCN's units, classes of instructions and wait counters, for the scheduler (core/latency.h). What the numbers are is
 * in sched/timing.def. Each of the four SIMDs has a vector ALU, which takes longer for transcendental functions and
 * binary64; the scalar unit, the ways to memory and the branch unit are the CU's. */
#ifndef WB_CORE_ISA_GCN_ISSUE_H
#define WB_CORE_ISA_GCN_ISSUE_H

#include "core/latency.h"

#define GCN_UNITS(X) \
	X(VALU, "valu") X(SALU, "salu") X(LDS, "lds") X(VMEM, "vmem") X(BRANCH, "branch")

/* CLASS(name, text, unit, lanes, latency, …). Names that gcn.def uses are those of vector instructions and memory. */
#define GCN_CLASSES(X) \
	X(ALU,    "valu",   VALU,   "sp.lanes",  "alu.latency", .late = "carry.latency") \
	X(CMP,    "compare", VALU,  "sp.lanes",  "alu.latency", .late = "compare.latency") \
	X(FMUL,   "fmul",   VALU,   "sp.lanes",  "alu.latency") \
	X(MAD,    "mad",    VALU,   "sp.lanes",  "alu.latency") \
	X(SFU,    "trans",  VALU,   "sfu.lanes", "sfu.latency") \
	X(TRIG,   "trig",   VALU,   "sfu.lanes", "trig.latency") \
	X(FMA,    "fma",    VALU,   "fma.lanes", "fma.latency") \
	X(F64,    "f64",    VALU,   "dp.lanes",  "f64.latency") \
	X(DADD,   "f64 add", VALU,  "dp.add.lanes", "f64.add.latency", .late = "compare.latency") \
	X(CONST,  "smem",   SALU,   "sp.lanes",  "smem.latency", .cost = "issue.slot", .hold = "salu.hold") \
	X(SHARED, "lds",    LDS,    "lsu.lanes", "s.latency", .hold = "lds.hold") \
	X(LOCAL,  "local",  VMEM,   "vmem.lanes", "g.latency", .kind = CLASS_MEMORY, .hold = "vmem.hold") \
	X(GLOBAL, "vmem",   VMEM,   "vmem.lanes", "g.latency", .kind = CLASS_MEMORY, .hold = "vmem.hold") \
	X(ATOMIC, "atomic", VMEM,   "vmem.lanes", "g.latency", .kind = CLASS_MEMORY, .hold = "vmem.hold") \
	X(SALU,   "salu",   SALU,   "sp.lanes",  "alu.latency", .cost = "issue.slot", .hold = "salu.hold") \
	X(FLOW,   "branch", BRANCH, "sp.lanes",  "flow.latency", .cost = "issue.slot", .kind = CLASS_FLOW) \
	X(BAR,    "bar",    BRANCH, "sp.lanes",  "bar.latency", .cost = "issue.slot", .kind = CLASS_BARRIER)

#define GCN_UNIT_ENUM(name, ...) UNIT_##name,
enum gcn_unit { GCN_UNITS(GCN_UNIT_ENUM) GCN_UNIT_COUNT };
#define GCN_CLASS_ENUM(name, ...) LAT_##name,
enum gcn_class { GCN_CLASSES(GCN_CLASS_ENUM) GCN_CLASS_COUNT };

/* What s_waitcnt waits for: vector memory, and LDS with scalar memory. Exports do not run here. */
enum gcn_counter { COUNTER_VM, COUNTER_LGKM, GCN_COUNTERS };

extern const struct issue_model gcn_issue;

#endif
