/* Meanings of PICA instructions: one name for each executor; a row of pica.def names one. Arithmetic has a kind of
 * handlers (handlers_alu.c), control flow traits and a handler of its own (handlers_flow.c; NULL: the slow path):
 * X(name, class, kind of handlers, meaning), X(name, class, traits, handler, meaning). */
#ifndef WB_CORE_ISA_PICA_OPS_H
#define WB_CORE_ISA_PICA_OPS_H

/* Units, and classes of instructions with the same unit and cycles (core/latency.h): X(name, text), X(name, text, unit,
 * struct issue_class: value of sched/timing.def for lanes a cycle, for the latency, more). */
#define PICA_UNITS(X) X(SP, "sp") X(SFU, "sfu")

#define PICA_CLASSES(X) \
	X(ALU,  "alu",  SP,  "sp.lanes",  "alu.latency") \
	X(SFU,  "sfu",  SFU, "sfu.lanes", "sfu.latency") \
	X(FLOW, "flow", SP,  "sp.lanes",  "flow.latency", .kind = CLASS_FLOW)

#define PICA_ENUMERATOR(name, ...) PICA_UNIT_##name,
enum pica_unit {
	PICA_UNITS(PICA_ENUMERATOR)
	PICA_UNIT_COUNT
};
#undef PICA_ENUMERATOR
#define PICA_ENUMERATOR(name, ...) PICA_LAT_##name,
enum pica_class {
	PICA_CLASSES(PICA_ENUMERATOR)
	PICA_CLASS_COUNT
};
#undef PICA_ENUMERATOR

/* Traits, bits of a set (isa_exec_info.traits). */
enum pica_trait {
	STEERS = 1,             /* may move the warp to another place or end lanes */
};

#define PICA_EXEC_ALU(X) \
	X(add,     PICA_LAT_ALU,  EACH_FAST,  "src0 + src1") \
	X(mul,     PICA_LAT_ALU,  EACH_FAST,  "src0 * src1") \
	X(mad,     PICA_LAT_ALU,  EACH_FAST,  "src0 * src1, rounded, + src2") \
	X(dp3,     PICA_LAT_ALU,  ALIKE_FAST, "dot product of three components") \
	X(dp4,     PICA_LAT_ALU,  ALIKE_FAST, "dot product of four components") \
	X(dph,     PICA_LAT_ALU,  ALIKE_FAST, "dot product of four components, the fourth of src0 being 1.0") \
	X(dst,     PICA_LAT_ALU,  ALIKE,      "1, src0.y * src1.y, src0.z, src1.w") \
	X(flr,     PICA_LAT_ALU,  EACH,       "floor") \
	X(max,     PICA_LAT_ALU,  EACH,       "src0 > src1 ? src0 : src1") \
	X(min,     PICA_LAT_ALU,  EACH,       "src0 < src1 ? src0 : src1") \
	X(sge,     PICA_LAT_ALU,  EACH,       "src0 >= src1 ? 1 : 0") \
	X(slt,     PICA_LAT_ALU,  EACH,       "src0 < src1 ? 1 : 0") \
	X(mov,     PICA_LAT_ALU,  EACH,       "src0") \
	X(litp,    PICA_LAT_ALU,  ALIKE, \
	  "max(x, 0), y clamped to 127.9961, 0, max(w, 0); cmp.x = x >= 0, cmp.y = w >= 0") \
	X(rcp,     PICA_LAT_SFU,  ALIKE,      "reciprocal of src0.x in all components") \
	X(rsq,     PICA_LAT_SFU,  ALIKE,      "reciprocal square root of src0.x in all components") \
	X(ex2,     PICA_LAT_SFU,  ALIKE,      "power of two of src0.x in all components") \
	X(lg2,     PICA_LAT_SFU,  ALIKE,      "binary logarithm of src0.x in all components") \
	X(mova,    PICA_LAT_ALU,  ALIKE,      "a0.x, a0.y = src0 as integers, towards zero") \
	X(cmp,     PICA_LAT_ALU,  ALIKE,      "cmp.x, cmp.y = src0 compared with src1 in x and y")

#define PICA_EXEC_FLOW(X) \
	X(nop,      PICA_LAT_FLOW, 0,      NULL,       "nothing") \
	X(end,      PICA_LAT_FLOW, STEERS, flow,       "this vertex is done") \
	X(break,    PICA_LAT_FLOW, STEERS, flow_break, "leave the LOOP") \
	X(breakc,   PICA_LAT_FLOW, STEERS, flow_break, "leave the LOOP if the condition holds") \
	X(call,     PICA_LAT_FLOW, STEERS, call,       "run MOD_NUM instructions from the target on") \
	X(callc,    PICA_LAT_FLOW, STEERS, callc,      "likewise if the condition holds") \
	X(callu,    PICA_LAT_FLOW, STEERS, callu,      "likewise if the boolean uniform src1 is set") \
	X(ifc,      PICA_LAT_FLOW, STEERS, ifc, \
	  "if the condition holds go on to the target, then skip MOD_NUM; else jump to the target") \
	X(ifu,      PICA_LAT_FLOW, STEERS, ifu,        "likewise by the boolean uniform src1") \
	X(jmpc,     PICA_LAT_FLOW, STEERS, jmpc,       "jump if the condition holds") \
	X(jmpu,     PICA_LAT_FLOW, STEERS, jmpu, \
	  "jump if the boolean uniform src1 is set, or with bit 0 of MOD_NUM if it is not") \
	X(loop,     PICA_LAT_FLOW, STEERS, flow, \
	  "repeat up to the target, inclusive, as the integer uniform src1 says") \
	X(setemit,  PICA_LAT_FLOW, 0,      emission,   "say what the next EMIT emits") \
	X(emit,     PICA_LAT_FLOW, 0,      emission,   "emit a vertex, perhaps a primitive") \
	X(unknown,  PICA_LAT_FLOW, STEERS, NULL,       "an opcode whose meaning nobody knows: a fault")

#define PICA_EXEC_LIST(X) PICA_EXEC_ALU(X) PICA_EXEC_FLOW(X)

enum pica_exec {
#define PICA_EXEC_ENUM(name, ...) PICA_EXEC_##name,
	PICA_EXEC_LIST(PICA_EXEC_ENUM)
#undef PICA_EXEC_ENUM
	PICA_EXEC_COUNT
};

#endif
