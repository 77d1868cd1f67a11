/* Integers of vector instructions, for one lane (arith.h). `clamp`: the nearest representable result. Sources: "AMD
 * GCN3 Instruction Set Architecture" and "Vega Instruction Set Architecture", chapter 12. */
#ifndef WB_CORE_ISA_GCN_ARITH_INT_H
#define WB_CORE_ISA_GCN_ARITH_INT_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t low_bits(uint32_t n)
{
	return n > 31 ? UINT32_MAX : (1u << n) - 1;
}

static inline int32_t signed_24(uint32_t v)
{
	return (int32_t)(v << 8) >> 8;
}

static inline uint32_t unsigned_24(uint32_t v)
{
	return v & 0xffffff;
}

static inline int32_t signed_16(uint32_t v)
{
	return (int16_t)v;
}

static inline uint32_t unsigned_16(uint32_t v)
{
	return v & 0xffff;
}

/* ---- sums ---- */

/* Where no carry is wanted. */
#define NO_CARRY (&(uint32_t){ 0 })

static inline uint32_t add_u32(uint32_t a, uint32_t b, uint32_t carry, uint32_t clamp, uint32_t *co)
{
	uint32_t partial = a + b, sum = partial + carry;
	uint32_t over = (uint32_t)(partial < a) | (uint32_t)(sum < partial);

	*co = over;
	return clamp ? sum | -over : sum;
}

static inline uint32_t sub_u32(uint32_t a, uint32_t b, uint32_t borrow, uint32_t clamp, uint32_t *co)
{
	uint32_t partial = a - b, difference = partial - borrow;
	uint32_t under = (uint32_t)(a < b) | (uint32_t)(partial < borrow);

	*co = under;
	return clamp ? difference & ~-under : difference;
}

/* A sum overflows if both summands have the sign opposite to the sum's. */
static inline uint32_t add_i32(uint32_t a, uint32_t b, uint32_t clamp)
{
	uint32_t sum = a + b, over = (~(a ^ b) & (a ^ sum)) >> 31;

	return clamp && over ? (a >> 31) + INT32_MAX : sum;
}

static inline uint32_t sub_i32(uint32_t a, uint32_t b, uint32_t clamp)
{
	uint32_t difference = a - b, over = ((a ^ b) & (a ^ difference)) >> 31;

	return clamp && over ? (a >> 31) + INT32_MAX : difference;
}

/* Exact results to 16 and 32 bits. */
static inline uint32_t to_u16(int64_t v, uint32_t clamp)
{
	return unsigned_16((uint32_t)(clamp ? v < 0 ? 0 : v > UINT16_MAX ? UINT16_MAX : v : v));
}

static inline uint32_t to_i16(int64_t v, uint32_t clamp)
{
	return unsigned_16((uint32_t)(clamp ? v < INT16_MIN ? INT16_MIN : v > INT16_MAX ? INT16_MAX : v : v));
}

static inline uint32_t to_u32(uint64_t v, uint32_t clamp)
{
	return clamp && v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static inline uint32_t to_i32(int64_t v, uint32_t clamp)
{
	return (uint32_t)(clamp ? v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : v : v);
}

/* ---- order ---- */

static inline uint32_t min_u32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static inline uint32_t max_u32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static inline int32_t min_i32(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static inline int32_t max_i32(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static inline uint32_t med_u32(uint32_t a, uint32_t b, uint32_t c)
{
	return max_u32(min_u32(a, b), min_u32(max_u32(a, b), c));
}

static inline int32_t med_i32(int32_t a, int32_t b, int32_t c)
{
	return max_i32(min_i32(a, b), min_i32(max_i32(a, b), c));
}

/* ---- bits ---- */

static inline uint32_t bit_field_u32(uint32_t v, uint32_t offset, uint32_t width)
{
	return v >> (offset & 31) & low_bits(width & 31);
}

static inline uint32_t bit_field_i32(uint32_t v, uint32_t offset, uint32_t width)
{
	uint32_t n = width & 31, shifted = (uint32_t)((int32_t)v >> (offset & 31)), up = (32 - n) & 31;

	return n ? (uint32_t)((int32_t)(shifted << up) >> up) : 0;
}

static inline uint32_t reverse_bits(uint32_t v)
{
	v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
	v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
	v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(v);
}

static inline uint32_t count_bits(uint32_t v)
{
	v -= v >> 1 & 0x55555555;
	v = (v & 0x33333333) + (v >> 2 & 0x33333333);
	return ((v + (v >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* -1 without a set bit. */
static inline uint32_t first_bit_high(uint32_t v)
{
	return v ? (uint32_t)__builtin_clz(v) : UINT32_MAX;
}

static inline uint32_t first_bit_low(uint32_t v)
{
	return v ? (uint32_t)__builtin_ctz(v) : UINT32_MAX;
}

/* A word of 64 bits, b low and a high, from bit `shift` on. */
static inline uint32_t align_bits(uint32_t a, uint32_t b, uint32_t shift)
{
	return (uint32_t)(((uint64_t)a << 32 | b) >> (shift & 31));
}

/* Byte `select` of b's bytes, then a's; 8 to 11: the sign of byte 1, 3, 5 or 7; 12: 0; above: 0xff. */
static inline uint32_t permuted_byte(uint64_t from, uint32_t select)
{
	uint32_t sign = (uint32_t)(from >> (16 * (select & 3) + 15)) & 1;

	return select < 8 ? (uint32_t)(from >> 8 * select) & 0xff : select < 12 ? sign * 0xff : select == 12 ? 0 : 0xff;
}

static inline uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t select)
{
	uint64_t from = (uint64_t)a << 32 | b;
	uint32_t v = 0;

	for (unsigned i = 0; i < 32; i += 8)
		v |= permuted_byte(from, select >> i & 0xff) << i;
	return v;
}

/* Functions for rare instructions: once in a page, which is small rather than fast. */
#ifdef __wasm__
#define RARE_FN static __attribute__((noinline, unused))
#else
#define RARE_FN static inline
#endif

RARE_FN uint32_t distance_u32(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* Sum of the distances of `bits` bits each (8 or 16); masked: of those that are not 0 in b. */
RARE_FN uint32_t distances(uint32_t a, uint32_t b, unsigned bits, bool masked)
{
	uint32_t ones = (1u << bits) - 1, sum = 0;

	for (unsigned i = 0; i < 32; i += bits)
		sum += masked && !(b >> i & ones) ? 0 : distance_u32(a >> i & ones, b >> i & ones);
	return sum;
}

/* Four sums, from byte 0, 1, 2 and 3 of a on, added to 16 bits of c each. */
RARE_FN uint64_t quad_distances(uint64_t a, uint32_t b, uint64_t c, bool masked)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 4; i++)
		v |= (uint64_t)(uint16_t)((c >> 16 * i) + distances((uint32_t)(a >> 8 * i), b, 8, masked)) << 16 * i;
	return v;
}

/* Means of four bytes each, rounded up where bit 0 of the byte of `up` is set. */
RARE_FN uint32_t byte_means(uint32_t a, uint32_t b, uint32_t up)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < 32; i += 8)
		v |= ((a >> i & 0xff) + (b >> i & 0xff) + (up >> i & 1)) >> 1 << i;
	return v;
}

/* Set bits of v for lanes below `lane`; v is of lanes from `first` on. */
static inline uint32_t count_below(uint32_t v, int lane, int first)
{
	return count_bits(v & (lane <= first ? 0 : low_bits((uint32_t)(lane - first))));
}

/* ---- 64 bits ---- */

/* a * b plus the 64 bits of c_high and c_low: the low word; *high has the word above, *co the carry. */
static inline uint32_t mad_u64(uint32_t a, uint32_t b, uint32_t c_low, uint32_t c_high, uint32_t *high, uint32_t *co)
{
	uint32_t product = a * b, above = (uint32_t)((uint64_t)a * b >> 32), low = product + c_low;
	uint32_t sum = above + c_high, carry = low < product;

	*high = sum + carry;
	*co = (uint32_t)(sum < above) | (uint32_t)(*high < carry);
	return low;
}

/* The 64 bits of high and low shifted left: the low word; *out has the word above. */
static inline uint32_t shift_left_64(uint32_t by, uint32_t low, uint32_t high, uint32_t *out)
{
	uint32_t n = by & 31, moved = low << n;

	*out = by & 32 ? moved : high << n | low >> 1 >> (31 - n);
	return by & 32 ? 0 : moved;
}

/* The carry is the sign of the exact sum. */
static inline uint64_t mad_i64(int32_t a, int32_t b, int64_t c, uint32_t *co)
{
	__int128 sum = (__int128)((int64_t)a * b) + c;

	*co = sum < 0;
	return (uint64_t)sum;
}

#endif
