/* What Tesla instructions do: one name for each meaning an executor implements. A row of tesla.def names one of these;
 * several rows (short, long and immediate encodings) share a name, since struct insn has the same layout for all.
 *
 * X(name, class, traits, meaning). `exec_name` is the function, TESLA_EXEC_name the enumerator. */
#ifndef WB_CORE_ISA_TESLA_OPS_H
#define WB_CORE_ISA_TESLA_OPS_H

/* Units of a multiprocessor, and classes of instructions that take the same unit for the same time (core/latency.h):
 * X(name, text), X(name, text, unit, struct issue_class: value of sched/timing.def for lanes a cycle, for the latency,
 * more). */
#define TESLA_UNITS(X) X(SP, "sp") X(LSU, "lsu") X(SFU, "sfu") X(DP, "dp") X(TEX, "tex")

#define TESLA_CLASSES(X) \
	X(ALU,    "alu",    SP,  "sp.lanes",  "alu.latency") \
	/* f32 multiplies also go to the multipliers of the SFU */ \
	X(FMUL,   "fmul",   SP,  "sp.lanes",  "alu.latency", .other = UNIT_SFU, .other_cost = "fmul.sfu_cost") \
	X(MAD,    "mad",    SP,  "sp.lanes",  "alu.latency", .shared_cost = "mad.s_extra") \
	X(SFU,    "sfu",    SFU, "sfu.lanes", "sfu.latency") \
	X(TRIG,   "trig",   SFU, "sfu.lanes", "trig.latency") \
	X(F64,    "f64",    DP,  "dp.lanes",  "f64.latency") \
	X(CONST,  "const",  SP,  "sp.lanes",  "alu.latency") \
	X(SHARED, "shared", LSU, "lsu.lanes", "s.latency") \
	/* words that lanes exchange go the way of s[]: 32 lanes a clock on a chip of 2017 (CUDA C++ Programming Guide,
	 * throughput of warp shuffles); no latency is published, and that of s[] is ours */ \
	X(LANES,  "lanes",  LSU, "lsu.lanes", "s.latency") \
	X(LOCAL,  "local",  LSU, "lsu.lanes", "g.latency", .kind = CLASS_MEMORY) \
	X(GLOBAL, "global", LSU, "lsu.lanes", "g.latency", .kind = CLASS_MEMORY) \
	X(ATOMIC, "atomic", LSU, "lsu.lanes", "g.latency", .kind = CLASS_MEMORY) \
	X(TEX,    "tex",    TEX, "tex.lanes", "tex.latency", .kind = CLASS_TEXTURE) \
	X(FLOW,   "flow",   SP,  "sp.lanes",  "flow.latency", .kind = CLASS_FLOW) \
	X(BAR,    "bar",    SP,  "sp.lanes",  "bar.latency", .kind = CLASS_BARRIER)

#define TESLA_ENUMERATOR(name, ...) UNIT_##name,
enum tesla_unit {
	TESLA_UNITS(TESLA_ENUMERATOR)
	TESLA_UNIT_COUNT
};
#undef TESLA_ENUMERATOR
#define TESLA_ENUMERATOR(name, ...) LAT_##name,
enum tesla_class {
	TESLA_CLASSES(TESLA_ENUMERATOR)
	TESLA_CLASS_COUNT
};
#undef TESLA_ENUMERATOR

/* Traits, bits of a set (isa_exec_info.traits). */
enum tesla_trait {
	PURE = 1,               /* reads and writes nothing but registers and operands in memory */
	FLOATS = 2,             /* computes with the host's floats, so their mode has to be set */
	STEERS = 4,             /* may change the pc, masks or the stack: the run loop looks behind the instruction */
	OWN_GUARD = 8,          /* the guard is an operand: the instruction goes on without the guard's lanes */
	NO_GUARD = 16,          /* the guard is ignored */
};

#define TESLA_EXEC_INT(X) \
	X(iadd,    LAT_ALU,    PURE, "add, sub, subr, addc by MOD_ADDOP; MOD_SAT; carry-in $c in src[3]") \
	X(imul16,  LAT_ALU,    PURE, "16 x 16 to 32 bits; each source signed by MOD_SIGN1, MOD_SIGN2") \
	X(imul24,  LAT_ALU,    PURE, "24 x 24; MOD_HIGH: bits 47:16 of the product") \
	X(imad16,  LAT_MAD,    PURE, "16-bit product and src[2] joined by MOD_ADDOP; MOD_SAT; carry-in $c in src[3]") \
	X(imad24,  LAT_MAD,    PURE, "24-bit product and src[2], likewise; MOD_HIGH") \
	X(sad,     LAT_ALU,    PURE, "|src0 - src1| at the sources' width, + src[2] at 32 bits") \
	X(iset,    LAT_ALU,    PURE, "compare by MOD_COND (3 bits), all ones or 0") \
	X(imax,    LAT_ALU,    PURE, "maximum") \
	X(imin,    LAT_ALU,    PURE, "minimum") \
	X(shl,     LAT_ALU,    PURE, "shift left; src[1] register, c[] or immediate count") \
	X(shr,     LAT_ALU,    PURE, "shift right, arithmetic with MOD_SIGN1") \
	X(logic,   LAT_ALU,    PURE, "and, or, xor, mov2 by MOD_OP; MOD_NOT1, MOD_NOT2")

#define TESLA_EXEC_MOVE(X) \
	X(mov,       LAT_ALU,  PURE,               "copy src[0]") \
	X(mov_c_r,   LAT_ALU,  PURE,               "$r from $c (src[0] FILE_C)") \
	X(mov_a_r,   LAT_ALU,  PURE,               "$r from $a (src[0] FILE_A)") \
	X(mov_sr_r,  LAT_ALU,  0,                  "$r from a special register (src[0] FILE_SR)") \
	X(mov_r_c,   LAT_ALU,  PURE,               "$c (dst FILE_C) from $r") \
	X(shl_a,     LAT_ALU,  PURE,               "$a (dst FILE_A) = src[0] << immediate src[1]") \
	X(add_a,     LAT_ALU,  PURE,               "$a (dst FILE_A) = src[0] FILE_A + immediate src[1]") \
	X(vote,      LAT_ALU,  STEERS | OWN_GUARD, \
	  "dst FILE_C = whether any (MOD_OP 1) or all (2) active lanes hold the predicate")

/* Chips with FEAT_LANES. */
#define TESLA_EXEC_LANES(X) \
	X(warpsync, LAT_FLOW,  STEERS, "wait until the unfinished lanes of mask src1 wait, too, wherever they are") \
	X(ballot,  LAT_ALU,    STEERS | OWN_GUARD, "dst = the active lanes that hold the predicate, a bit each") \
	X(shfl,    LAT_LANES,  0, "src0 of another lane: MOD_OP up, down, bfly, idx by src1; src2 has the segments") \
	X(match,   LAT_LANES,  0, "the executing lanes with the same src0, a bit each") \
	X(redux,   LAT_LANES,  0, "src0 of the executing lanes of mask src1, joined by MOD_OP")

#define TESLA_EXEC_FLOAT(X) \
	X(fadd,    LAT_ALU,    PURE | FLOATS, "src0 + src1; MOD_NEG1, MOD_NEG2, MOD_ROUND, MOD_SAT") \
	X(fmul,    LAT_FMUL,   PURE | FLOATS, "src0 * src1; likewise") \
	X(fmad,    LAT_MAD,    PURE | FLOATS, "src0 * src1 (MOD_NEG1) + src2 (MOD_NEG3); MOD_SAT") \
	X(fset,    LAT_ALU,    PURE | FLOATS, "compare by MOD_COND (4 bits), all ones or 0") \
	X(fmax,    LAT_ALU,    PURE | FLOATS, "maximum; MOD_NEG1, MOD_ABS1, MOD_NEG2, MOD_ABS2") \
	X(fmin,    LAT_ALU,    PURE | FLOATS, "minimum; likewise") \
	X(slct,    LAT_ALU,    PURE | FLOATS, "src2 >= 0 (MOD_NEG3) ? src0 : src1") \
	X(quadop,  LAT_ALU,    PURE | FLOATS, "an operation per quad lane on src0 of a selected lane and src1") \
	X(presin,  LAT_ALU,    PURE | FLOATS, "range reduction for sin and cos; MOD_NEG1, MOD_ABS1") \
	X(preex2,  LAT_ALU,    PURE | FLOATS, "fixed point for ex2; MOD_NEG1, MOD_ABS1") \
	X(rcp,     LAT_SFU,    PURE | FLOATS, "reciprocal; MOD_NEG1, MOD_ABS1") \
	X(rsqrt,   LAT_SFU,    PURE | FLOATS, "reciprocal square root; MOD_NEG1, MOD_ABS1") \
	X(lg2,     LAT_SFU,    PURE | FLOATS, "logarithm; MOD_NEG1, MOD_ABS1") \
	X(sin,     LAT_TRIG,   PURE | FLOATS, "sine of presin's result") \
	X(cos,     LAT_TRIG,   PURE | FLOATS, "cosine of presin's result") \
	X(ex2,     LAT_TRIG,   PURE | FLOATS, "power of two of preex2's result; MOD_SAT")

#define TESLA_EXEC_DOUBLE(X) \
	X(dadd,    LAT_F64,    PURE | FLOATS, "src0 + src1; MOD_NEG1, MOD_NEG2, MOD_ROUND") \
	X(dmul,    LAT_F64,    PURE | FLOATS, "src0 * src1; MOD_NEG1, MOD_ROUND") \
	X(dfma,    LAT_F64,    PURE | FLOATS, "src0 * src1 (MOD_NEG1) + src2 (MOD_NEG3); MOD_ROUND") \
	X(dmin,    LAT_F64,    PURE | FLOATS, "minimum; MOD_NEG1, MOD_ABS1, MOD_NEG2, MOD_ABS2") \
	X(dmax,    LAT_F64,    PURE | FLOATS, "maximum; likewise") \
	X(dset,    LAT_F64,    PURE | FLOATS, "compare by MOD_COND (4 bits), 32-bit all ones or 0")

/* Conversions: MOD_NEG1 and MOD_ABS1 act on the source; MOD_SRC_BYTES and MOD_DST_BYTES are the widths of the numbers,
 * MOD_SIGN1 and MOD_SIGN2 the signedness of an integer source and of an integer result. A number narrower than its
 * operand is in the operand's low bits. */
#define TESLA_EXEC_CVT(X) \
	X(cvt_i2i, LAT_ALU,    PURE | FLOATS, "integer to integer, clamped") \
	X(cvt_i2f, LAT_ALU,    PURE | FLOATS, "integer to float; MOD_ROUND, MOD_SAT") \
	X(cvt_f2i, LAT_ALU,    PURE | FLOATS, "float to integer; MOD_ROUND") \
	X(cvt_f2f, LAT_ALU,    PURE | FLOATS, "float to float; MOD_ROUND, MOD_RINT, MOD_SAT")

#define TESLA_EXEC_MEM(X) \
	X(ld_c,    LAT_CONST,  0, \
	  "load from c[]; addresses are rounded down to a multiple of the size; 0 past the end") \
	X(ld_s,    LAT_SHARED, 0, "load from s[]; MOD_OP 1: lock, success in flags_dst") \
	X(st_s,    LAT_SHARED, 0, "store to s[]; MOD_OP 1: unlock") \
	X(ld_l,    LAT_LOCAL,  0, "load from l[]") \
	X(st_l,    LAT_LOCAL,  0, "store to l[]") \
	X(ld_g,    LAT_GLOBAL, 0, "load from g[]") \
	X(st_g,    LAT_GLOBAL, 0, "store to g[]") \
	X(red_g,   LAT_ATOMIC, 0, "atomic on g[] src[0] with src[1], nothing returned; MOD_OP, MOD_TYPE") \
	X(atom_g,  LAT_ATOMIC, 0, "atomic on g[] src[0] with src[1], src[2], old value to dst; MOD_OP, MOD_TYPE")

#define TESLA_EXEC_FLOW(X) \
	X(bra,     LAT_FLOW,   STEERS | OWN_GUARD, "branch to src[0]") \
	X(bra_c,   LAT_FLOW,   STEERS | NO_GUARD, \
	  "branch to the address in c[] src[0], rounded down likewise; MOD_LIM") \
	X(call,    LAT_FLOW,   STEERS | NO_GUARD,  "call src[0]; MOD_LIM: limited") \
	X(ret,     LAT_FLOW,   STEERS | OWN_GUARD, "return") \
	X(prebrk,  LAT_FLOW,   STEERS | NO_GUARD,  "push the break target src[0]") \
	X(brk,     LAT_FLOW,   STEERS | OWN_GUARD, "break") \
	X(joinat,  LAT_FLOW,   STEERS | NO_GUARD,  "push the join target src[0]") \
	X(preret,  LAT_FLOW,   STEERS | NO_GUARD,  "push the return target src[0]; MOD_LIM") \
	X(quadon,  LAT_FLOW,   STEERS | NO_GUARD,  "enable whole quads") \
	X(quadpop, LAT_FLOW,   STEERS | NO_GUARD,  "undo quadon") \
	X(bar,     LAT_BAR,    STEERS | NO_GUARD, \
	  "barrier MOD_OP; MOD_NOT1 inc, MOD_NOT2 wait; src[0] count, -1 all") \
	X(trap,    LAT_FLOW,   STEERS | NO_GUARD,  "stop with a fault") \
	X(brkpt,   LAT_FLOW,   STEERS | OWN_GUARD, "stop in a debugger") \
	X(nop,     LAT_FLOW,   STEERS | OWN_GUARD, "nothing") \
	X(pmevent, LAT_FLOW,   STEERS,             "performance event src[0]")

/* Only vertex, geometry or fragment programs can do these. */
#define TESLA_EXEC_GRAPHICS(X) \
	X(ld_a,    LAT_ALU,    0,                  "load an attribute word from a[]") \
	X(st_o,    LAT_ALU,    0,                  "store to o[]") \
	X(interp,  LAT_SFU,    FLOATS, \
	  "interpolate v[] src[0], times src[1] if there is one; MOD_OP 1 centroid 2 flat") \
	X(discard, LAT_FLOW,   STEERS | OWN_GUARD, "kill fragments") \
	X(emit,    LAT_FLOW,   0,                  "emit a vertex") \
	X(restart, LAT_FLOW,   0,                  "end the strip")

/* dst: OPND_VECTOR of 4, src[0] OPND_VECTOR of coordinates, src[1] FILE_T, src[2] FILE_S; MOD_LIVE, MOD_DERIV,
 * MOD_CUBE, MOD_OFFX, MOD_OFFY, MOD_OFFZ (signed 4 bits, stored as int8_t). */
#define TESLA_EXEC_TEX(X) \
	X(texauto,     LAT_TEX, FLOATS, "sample, level of detail from derivatives") \
	X(texfetch,    LAT_TEX, FLOATS, "fetch a texel, integer coordinates") \
	X(texbias,     LAT_TEX, FLOATS, "sample, level of detail biased") \
	X(texlod,      LAT_TEX, FLOATS, "sample, explicit level of detail") \
	X(texsize,     LAT_TEX, FLOATS, "size of a level; src[0] is one register") \
	X(texprep,     LAT_TEX, FLOATS, "cube coordinates to face coordinates") \
	X(texquerylod, LAT_TEX, FLOATS, "level of detail that would be used") \
	X(texcsaa,     LAT_TEX, FLOATS, "fetch a sample by coverage mask") \
	X(texgather,   LAT_TEX, FLOATS, "a component of four texels")

#define TESLA_EXEC_LIST(X) \
	TESLA_EXEC_INT(X) TESLA_EXEC_MOVE(X) TESLA_EXEC_LANES(X) TESLA_EXEC_FLOAT(X) TESLA_EXEC_DOUBLE(X) \
	TESLA_EXEC_CVT(X) TESLA_EXEC_MEM(X) TESLA_EXEC_FLOW(X) TESLA_EXEC_GRAPHICS(X) TESLA_EXEC_TEX(X)

#define TESLA_EXEC_ENUMERATOR(name, ...) TESLA_EXEC_##name,
enum tesla_exec {
	TESLA_EXEC_LIST(TESLA_EXEC_ENUMERATOR)
	TESLA_EXEC_COUNT
};
#undef TESLA_EXEC_ENUMERATOR

#endif
