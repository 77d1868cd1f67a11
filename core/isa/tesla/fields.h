/* Fields of Tesla words and the shapes of operands in them: the vocabulary of tesla.def. For its includers only. */
#ifndef WB_CORE_ISA_TESLA_FIELDS_H
#define WB_CORE_ISA_TESLA_FIELDS_H

#include "core/isa/table.h"
#include "core/isa/tesla/ops.h"
#include "core/isa/tesla/tesla.h"

#define ALL MODE_ALL
#define P(n) IS(28, 4, n)
#define PS(n, m) (IS(28, 4, n) | IS(61, 3, m))
#define M(slot) (TO_MOD + MOD_##slot)
#define FIELD ISA_FIELD

/* Register fields: short and long ones. */
#define S_DST 2, 6
#define L_DST 2, 7
#define S_SRC1 9, 6
#define L_SRC1 9, 7
#define S_SRC2 16, 6
#define L_SRC2 16, 7
#define L_SRC3 46, 7
/* Address register: short words have no third bit. */
#define S_AREG FIELD(26, 2)
#define L_AREG FIELD(26, 2, 34, 1)

#define REG(...) .shape = OPND_REG, .file = FILE_R, .name = "$r", .num = FIELD(__VA_ARGS__)
#define REGH(...) REG(__VA_ARGS__), .width = 2, .flags = ALT_HALVES
#define REGW(...) REG(__VA_ARGS__), .width = 4
#define REGD(...) REG(__VA_ARGS__), .width = 8, .tail = "d"
#define REGQ(...) REG(__VA_ARGS__), .width = 16, .tail = "q"
#define REGC(...) .shape = OPND_REG, .file = FILE_C, .name = "$c", .num = FIELD(__VA_ARGS__)
/* $a0 reads as 0 and is written so. */
#define REGA(...) .shape = OPND_REG, .file = FILE_A, .width = 2, .num = FIELD(__VA_ARGS__), .nnames = 8, \
	.names = (const char *const[]){ "0x0", "$a1", "$a2", "$a3", "$a4", "$a5", "$a6", "$a7" }
#define NUMBER(...) .shape = OPND_IMM, .width = 4, .num = FIELD(__VA_ARGS__)
#define TARGET(...) .shape = OPND_TARGET, .shift = 2, .num = FIELD(__VA_ARGS__)
/* An alternative without bits and text. */
#define NOTHING { .when = ANY }
/* A list of registers. */
#define LIST(n, ...) \
	.shape = OPND_VECTOR, .file = FILE_R, .width = 4, .name = "$r", .value = n, .num = FIELD(__VA_ARGS__)
#define NAMED(...) .names = (const char *const[]){ __VA_ARGS__ }, \
	.nnames = sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *)

/* Memory: space, its name, bytes an element; the offset is in elements, `log` their log2. */
#define MEM_OF(space, text_, bytes, log) .shape = OPND_MEM, .file = SPACE_##space, .name = text_, .areg = "$a", \
	.width = bytes, .shift = log
#define MEM(space, text_, log) MEM_OF(space, text_, 1 << (log), log)
#define POST .flags = ALT_POST
#define POST_SIGNED .flags = ALT_POST | ALT_SIGNED

/* s[] as an ALU source: type in two bits from bit `type` on, n bits of offset above bit 9. Bit 25 is post-increment. */
#define SHARED_SOURCE(type, n, ...) \
	SHARED_AS(IS(type, 2, 0), "u8", n, 0, 0, __VA_ARGS__), SHARED_AS(IS(type, 2, 1), "u16", n, 1, 0, __VA_ARGS__), \
	SHARED_AS(IS(type, 2, 2), "s16", n, 1, 1, __VA_ARGS__), SHARED_AS(IS(type, 2, 3), "b32", n, 2, 0, __VA_ARGS__)
#define SHARED_AS(type, word, n, log, sign, ...) \
	{ .when = type | CLR(25), .modes = MODE_CP, .text = word, MEM(S, "s", log), .is_signed = sign, \
	  .num = FIELD(9, n), .addr = __VA_ARGS__ }, \
	{ .when = type | BIT(25), .modes = MODE_CP, .text = word, MEM(S, "s", log), .is_signed = sign, \
	  .num = FIELD(9, n), .addr = __VA_ARGS__, POST_SIGNED }

/* The full 16-bit offset of loads and stores, in elements from bit 9 on; bit 25 is post-increment. */
#define FULL(type, text_, space, name_, log, sign, ...) \
	{ .when = type | CLR(25), .text = text_, MEM(space, name_, log), .is_signed = sign, \
	  .num = FIELD(9, 16 - (log)), .addr = L_AREG, __VA_ARGS__ }, \
	{ .when = type | BIT(25), .text = text_, MEM(space, name_, log), .is_signed = sign, \
	  .num = FIELD(9, 16 - (log)), .addr = L_AREG, POST, __VA_ARGS__ }

/* c[] as a source of a short word, 5 bits of offset; bit 21 is the bank. */
#define SHORT_CONST(log) MEM(C, "c", log), .bank = FIELD(21, 1), .num = FIELD(16, 5), .addr = S_AREG
/* c[] as a source of a long word, offset in the field of source 2 or 3. */
#define CONST_AT(log, ...) MEM(C, "c", log), .bank = FIELD(54, 4), .num = FIELD(__VA_ARGS__)

/* Where long words say what their sources are: U is bit 53, the selector is bits 24:23. */
#define U BIT(53)
#define U_SEL (1ull << 53 | 3ull << 23)
#define NO_U CLR(53)
#define SEL(n) IS(23, 2, n)

/* Source 1 of a long word: a register, or memory if U is set; p[] in geometry programs. The hardware models read the
 * register for the combination that the public disassembler rejects in compute programs. */
#define LONG_A(...) \
	{ .when = NO_U | CLR(24), __VA_ARGS__ }, { .when = NO_U | CLR(23), __VA_ARGS__ }, \
	{ .when = SEL(3), .modes = MODE_GP, MEM(P, "p", 2), .num = FIELD(L_SRC1), .addr = L_AREG }, \
	{ .when = NO_U | SEL(3), .modes = MODE_CP, .status = ALT_UNDOC, __VA_ARGS__ }, \
	{ .when = U | CLR(24), .text = "{LS}" }, { .when = U | CLR(23), .text = "{LS}" }

/* c[] as source 2 (selector 1) or 3 (selector 2). With U the address register belongs to s[], so c[] has none. */
#define LONG_CONST(sel, log, ...) \
	{ .when = NO_U | SEL(sel) | CLR(25), .modes = MODE_CP, CONST_AT(log, __VA_ARGS__), .addr = L_AREG }, \
	{ .when = U | SEL(sel), .modes = MODE_CP, CONST_AT(log, __VA_ARGS__) }, \
	{ .when = SEL(sel) | CLR(25), .modes = MODE_GRAPHICS, CONST_AT(log, __VA_ARGS__), .addr = L_AREG }, \
	{ .when = SEL(sel) | BIT(25), .modes = MODE_GRAPHICS, CONST_AT(log, __VA_ARGS__), .addr = L_AREG, POST_SIGNED }
#define LONG_CONST_POST(sel, log, ...) \
	.when = NO_U | SEL(sel) | BIT(25), .modes = MODE_CP, CONST_AT(log, __VA_ARGS__), .addr = L_AREG, POST_SIGNED
/* Selector 3: c[] in geometry programs without U, else a register (compute programs without U: as for source 1). */
#define LONG_SEL3_CONST(log, ...) .when = NO_U | SEL(3), .modes = MODE_GP, CONST_AT(log, __VA_ARGS__)
#define LONG_SEL3_REG(...) \
	{ .when = U | SEL(3), __VA_ARGS__ }, \
	{ .when = NO_U | SEL(3), .modes = MODE_CP, .status = ALT_UNDOC, __VA_ARGS__ }

/* The type of a g[] or l[] access, bits 55:53: width and sign of its elements in memory. */
#define TYPED(alt) \
	alt(0, 0, 0), alt(1, 0, 1), alt(2, 1, 0), alt(3, 1, 1), alt(4, 3, 0), alt(5, 4, 0), alt(6, 2, 0), alt(7, 2, 1)
#define LOCAL_AS(type, log, sign) \
	{ .when = IS(53, 3, type) | CLR(25), MEM_OF(L, "l", 1 << (log), 0), .is_signed = sign, .num = FIELD(9, 16), \
	  .addr = L_AREG }, \
	{ .when = IS(53, 3, type) | BIT(25), MEM_OF(L, "l", 1 << (log), 0), .is_signed = sign, .num = FIELD(9, 16), \
	  .addr = L_AREG, POST }
#define GLOBAL_BYREG(type, log, sign, ...) \
	{ .when = IS(53, 3, type), .shape = OPND_MEM, .file = SPACE_G, .name = "g", .areg = "$r", .width = 1 << (log), \
	  .is_signed = sign, .num = FIELD(L_SRC1), .flags = ALT_BYREG, .bank = FIELD(__VA_ARGS__) }
#define GLOBAL_AS(type, log, sign) GLOBAL_BYREG(type, log, sign, 16, 4)
#define ATOMIC_AS(type, log, sign) GLOBAL_BYREG(type, log, sign, 23, 4)

/* An atomic operation on one type. */
#define ATOMIC(op, type, feat, word) \
	{ .when = IS(34, 4, op) | IS(53, 3, type), .features = feat, .text = word " {T}", .value = op }

#endif
