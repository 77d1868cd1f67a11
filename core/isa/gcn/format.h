/* Formats of buffers' elements: up to four components, from the lowest bits on, each a number of some bits (CLRX, "GCN
 * Memory instructions features and functionality", "MUBUF/MTBUF format conversion"; the page also lists the number
 * formats for stores). In registers, components are binary32 or integers.
 *
 * Where the page is silent: absent components of an element read as 0, 0, 0, 1; integers are cut to their bits in
 * stores; floats of 16, 11 and 10 bits are binary16 and its upper bits without a sign (as Mesa uses 10_11_11 FLOAT for
 * R11G11B10). */
#ifndef WB_CORE_ISA_GCN_FORMAT_H
#define WB_CORE_ISA_GCN_FORMAT_H

#include "core/isa/gcn/arith.h"

enum number_format {
	NUMBER_UNORM, NUMBER_SNORM, NUMBER_USCALED, NUMBER_SSCALED, NUMBER_UINT, NUMBER_SINT, NUMBER_SNORM_OGL,
	NUMBER_FLOAT,
};

/* By data format. */
struct data_format {
	uint8_t bytes, bits[4];         /* 0 bytes: invalid */
};

static const struct data_format data_formats[16] = {
	[1] = { 1, { 8 } }, [2] = { 2, { 16 } }, [3] = { 2, { 8, 8 } }, [4] = { 4, { 32 } }, [5] = { 4, { 16, 16 } },
	[6] = { 4, { 11, 11, 10 } }, [7] = { 4, { 10, 11, 11 } }, [8] = { 4, { 2, 10, 10, 10 } },
	[9] = { 4, { 10, 10, 10, 2 } }, [10] = { 4, { 8, 8, 8, 8 } }, [11] = { 8, { 32, 32 } },
	[12] = { 8, { 16, 16, 16, 16 } }, [13] = { 12, { 32, 32, 32 } }, [14] = { 16, { 32, 32, 32, 32 } },
};

static inline bool format_is_integer(enum number_format f)
{
	return f == NUMBER_UINT || f == NUMBER_SINT;
}

/* Does the element exist, for reading or for storing? */
static inline bool format_valid(unsigned data, enum number_format f, bool stored)
{
	bool read_only = f == NUMBER_USCALED || f == NUMBER_SSCALED || f == NUMBER_SNORM_OGL;
	unsigned bits = data_formats[data].bits[0];

	return data_formats[data].bytes && !(stored && read_only) && !(f == NUMBER_FLOAT && (bits == 8 || bits == 2));
}

static inline int32_t format_signed(uint32_t v, unsigned bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

/* A component, as a register's word. */
static inline uint32_t format_read(enum number_format f, unsigned bits, uint32_t v)
{
	double most = (double)((1ull << bits) - 1), most_signed = (double)((1ull << (bits - 1)) - 1), number = v;
	double with_sign = format_signed(v, bits);

	switch (f) {
	case NUMBER_UNORM: number /= most; break;
	case NUMBER_SNORM: number = with_sign < -most_signed ? -1 : with_sign / most_signed; break;
	case NUMBER_USCALED: break;
	case NUMBER_SSCALED: number = with_sign; break;
	case NUMBER_UINT: return v;
	case NUMBER_SINT: return (uint32_t)format_signed(v, bits);
	case NUMBER_SNORM_OGL: number = (2 * with_sign + 1) / most; break;
	case NUMBER_FLOAT:
		if (bits == 32)
			return v;
		number = f16_value(bits == 16 ? v : v << (15 - bits));
	}
	return f32_bits((float)number);
}

/* A register's word as a component: `most` is the largest integer for a number up to 1. */
static inline uint32_t format_norm(float f, double least, double most)
{
	double v = f >= least ? f > 1 ? 1 : f : least;

	return f == f ? (uint32_t)(int64_t)rint(v * most) : 0;
}

static inline uint32_t format_stored(enum number_format f, unsigned bits, uint32_t v)
{
	uint32_t mask = (uint32_t)((1ull << bits) - 1);

	if (f == NUMBER_UNORM)
		return format_norm(f32_value(v), 0, mask);
	if (f == NUMBER_SNORM)
		return format_norm(f32_value(v), -1, mask >> 1) & mask;
	if (f != NUMBER_FLOAT || bits == 32)
		return v & mask;
	if (bits == 16)
		return f16_round((double)f32_value(v), ROUND_NEAREST);
	/* without a sign: negative numbers are 0 */
	return v >> 31 && (v << 1) <= 0xff000000 ? 0 :
	       f16_round((double)f32_value(v & 0x7fffffff), ROUND_ZERO) >> (15 - bits);
}

#endif
