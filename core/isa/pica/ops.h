/* What PICA instructions do: one name for each meaning an executor implements; a row of pica.def names one.
 * X(name, latency class of core/isa.h, meaning) */
#ifndef WB_CORE_ISA_PICA_OPS_H
#define WB_CORE_ISA_PICA_OPS_H

#define PICA_EXEC_ALU(X) \
	X(add,     LAT_ALU,  "src0 + src1") \
	X(mul,     LAT_ALU,  "src0 * src1") \
	X(mad,     LAT_ALU,  "src0 * src1, rounded, + src2") \
	X(dp3,     LAT_ALU,  "dot product of three components") \
	X(dp4,     LAT_ALU,  "dot product of four components") \
	X(dph,     LAT_ALU,  "dot product of four components, the fourth of src0 being 1.0") \
	X(dst,     LAT_ALU,  "1, src0.y * src1.y, src0.z, src1.w") \
	X(flr,     LAT_ALU,  "floor") \
	X(max,     LAT_ALU,  "src0 > src1 ? src0 : src1") \
	X(min,     LAT_ALU,  "src0 < src1 ? src0 : src1") \
	X(sge,     LAT_ALU,  "src0 >= src1 ? 1 : 0") \
	X(slt,     LAT_ALU,  "src0 < src1 ? 1 : 0") \
	X(mov,     LAT_ALU,  "src0") \
	X(litp,    LAT_ALU,  "max(x, 0), y clamped to 127.9961, 0, max(w, 0); cmp.x = x >= 0, cmp.y = w >= 0") \
	X(rcp,     LAT_SFU,  "reciprocal of src0.x in all components") \
	X(rsq,     LAT_SFU,  "reciprocal square root of src0.x in all components") \
	X(ex2,     LAT_SFU,  "power of two of src0.x in all components") \
	X(lg2,     LAT_SFU,  "binary logarithm of src0.x in all components") \
	X(mova,    LAT_ALU,  "a0.x, a0.y = src0 as integers, towards zero") \
	X(cmp,     LAT_ALU,  "cmp.x, cmp.y = src0 compared with src1 in x and y")

#define PICA_EXEC_FLOW(X) \
	X(nop,     LAT_FLOW, "nothing") \
	X(end,     LAT_FLOW, "this vertex is done") \
	X(break,   LAT_FLOW, "leave the LOOP") \
	X(breakc,  LAT_FLOW, "leave the LOOP if the condition holds") \
	X(call,    LAT_FLOW, "run MOD_NUM instructions from the target on") \
	X(callc,   LAT_FLOW, "likewise if the condition holds") \
	X(callu,   LAT_FLOW, "likewise if the boolean uniform src1 is set") \
	X(ifc,     LAT_FLOW, "if the condition holds go on to the target, then skip MOD_NUM; else jump to the target") \
	X(ifu,     LAT_FLOW, "likewise by the boolean uniform src1") \
	X(jmpc,    LAT_FLOW, "jump if the condition holds") \
	X(jmpu,    LAT_FLOW, "jump if the boolean uniform src1 is set, or with bit 0 of MOD_NUM if it is not") \
	X(loop,    LAT_FLOW, "repeat up to the target, inclusive, as the integer uniform src1 says") \
	X(setemit, LAT_FLOW, "say what the next EMIT emits") \
	X(emit,    LAT_FLOW, "emit a vertex, perhaps a primitive") \
	X(unknown, LAT_FLOW, "an opcode whose meaning nobody knows: a fault")

#define PICA_EXEC_LIST(X) PICA_EXEC_ALU(X) PICA_EXEC_FLOW(X)

enum pica_exec {
#define PICA_EXEC_ENUM(name, latency, text) PICA_EXEC_##name,
	PICA_EXEC_LIST(PICA_EXEC_ENUM)
#undef PICA_EXEC_ENUM
	PICA_EXEC_COUNT
};

#endif
