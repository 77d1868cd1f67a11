/* Models of kernels about checksums, ciphers, random numbers and arithmetic. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

#include <math.h>

__extension__ typedef __int128 wide;

static void fill(struct task *t, void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = (uint8_t)task_random(t);
}

static uint32_t crc_by_bits(const uint8_t *p, size_t n)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < 8 * n; i++) {
		uint32_t bit = (p[i / 8] >> i % 8 ^ crc) & 1;
		crc = crc >> 1 ^ (bit ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void crc32(struct task *t)
{
	enum { PITCH = 60 };
	uint32_t *want = task_out(t, t->items, 4), *lengths;
	uint8_t *in = task_in(t, t->items * PITCH, 1);

	lengths = task_in(t, t->items, 4);
	fill(t, in, t->items * PITCH);
	for (unsigned g = 0; g < t->items; g++) {
		lengths[g] = task_below(t, PITCH + 1);
		want[g] = crc_by_bits(in + g * PITCH, lengths[g]);
	}
	task_u32(t, PITCH);
}

static void crc_table(struct task *t)
{
	enum { BYTES = 41 };
	uint32_t *want = task_out(t, t->items, 4);
	uint8_t *in = task_in(t, t->items * BYTES, 1);

	fill(t, in, t->items * BYTES);
	for (unsigned g = 0; g < t->items; g++)
		want[g] = crc_by_bits(in + g * BYTES, BYTES);
	task_u32(t, BYTES);
}

/* The first 32 bits of the fraction of a prime's square or cube root, in integers. */
static uint32_t root_fraction(uint32_t prime, int power)
{
	uint64_t root = 0;

	for (int bit = 36; bit >= 0; bit--) {
		uint64_t r = root | 1ull << bit;
		bool fits = power == 2 ? (wide)r * r <= (wide)prime << 64 :
			    /* r^3 has up to 105 bits, prime << 96 too */
			    (wide)r * r * r <= (wide)prime << 96;
		root = fits ? r : root;
	}
	return (uint32_t)root;
}

static uint32_t nth_prime(int n)
{
	for (uint32_t p = 2;; p++) {
		bool prime = true;
		for (uint32_t d = 2; d * d <= p; d++)
			prime = prime && p % d;
		if (prime && !n--)
			return p;
	}
}

static uint32_t ror(uint32_t v, unsigned n)
{
	return v >> n | v << (32 - n);
}

static void sha_block(uint32_t h[8], const uint8_t *block)
{
	uint32_t w[64], a[8];

	for (int i = 0; i < 64; i++)
		w[i] = i < 16 ? (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
				(uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3] :
			w[i - 16] + (ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
			(ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(a, h, sizeof a);
	for (int i = 0; i < 64; i++) {
		uint32_t choice = a[6] ^ (a[4] & (a[5] ^ a[6])), majority = (a[0] & a[1]) | (a[2] & (a[0] | a[1]));
		uint32_t x = a[7] + (ror(a[4], 6) ^ ror(a[4], 11) ^ ror(a[4], 25)) + choice +
			     root_fraction(nth_prime(i), 3) + w[i];
		uint32_t y = (ror(a[0], 2) ^ ror(a[0], 13) ^ ror(a[0], 22)) + majority;
		memmove(a + 1, a, 7 * sizeof *a);
		a[4] += x;
		a[0] = x + y;
	}
	for (int i = 0; i < 8; i++)
		h[i] += a[i];
}

static void sha256(struct task *t)
{
	enum { PITCH = 80 };
	uint32_t *want = task_out(t, 8 * t->items, 4), *lengths;
	uint8_t *in = task_in(t, t->items * PITCH, 1), padded[128];

	lengths = task_in(t, t->items, 4);
	fill(t, in, t->items * PITCH);
	for (unsigned g = 0; g < t->items; g++) {
		uint32_t n = lengths[g] = task_below(t, PITCH + 1);
		for (int i = 0; i < 8; i++)
			want[8 * g + (unsigned)i] = root_fraction(nth_prime(i), 2);
		memset(padded, 0, sizeof padded);
		memcpy(padded, in + g * PITCH, n);
		padded[n] = 0x80;
		unsigned end = n < 56 ? 64 : 128;
		padded[end - 1] = (uint8_t)(8 * n);
		padded[end - 2] = (uint8_t)(8 * n >> 8);
		for (unsigned b = 0; b < end; b += 64)
			sha_block(want + 8 * g, padded + b);
	}
	task_u32(t, PITCH);
}

static void md5(struct task *t)
{
	static const unsigned turn[4][4] = {
		{ 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 },
	};
	uint32_t *want = task_out(t, 4 * t->items, 16 / 4), *m = task_in(t, 16 * t->items, 4), *sines;
	const uint32_t initial[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };

	sines = task_in(t, 64, 4);
	for (int i = 0; i < 64; i++)
		sines[i] = (uint32_t)(int64_t)floor(fabs(sin(i + 1)) * 4294967296.0);
	fill(t, m, 64 * t->items);
	for (unsigned g = 0; g < t->items; g++) {
		uint32_t v[4], *w = m + 16 * g;
		memcpy(v, initial, sizeof v);
		for (unsigned i = 0; i < 64; i++) {
			uint32_t b = v[1], c = v[2], d = v[3];
			const uint32_t f[4] = { d ^ (b & (c ^ d)), c ^ (d & (b ^ c)), b ^ c ^ d, c ^ (b | ~d) };
			const unsigned k[4] = { i, 5 * i + 1, 3 * i + 5, 7 * i };
			uint32_t sum = v[0] + f[i / 16] + sines[i] + w[k[i / 16] % 16];
			v[0] = d;
			v[3] = c;
			v[2] = b;
			v[1] = b + ror(sum, 32 - turn[i / 16][i % 4]);
		}
		for (int i = 0; i < 4; i++)
			want[4 * g + (unsigned)i] = v[i] + initial[i];
	}
}

/* Logarithms in the field of AES to the generator 3. */
static struct {
	uint8_t exp[510], log[256];
} field;

static void make_field(void)
{
	unsigned v = 1;

	for (unsigned i = 0; i < 255; i++) {
		field.exp[i] = field.exp[i + 255] = (uint8_t)v;
		field.log[v] = (uint8_t)i;
		v ^= v << 1 ^ (v & 0x80 ? 0x11b : 0);
		v &= 0xff;
	}
}

static uint8_t product(uint8_t a, uint8_t b)
{
	return a && b ? field.exp[field.log[a] + field.log[b]] : 0;
}

static uint8_t substitute(uint8_t v)
{
	uint8_t i = v ? field.exp[(255 - field.log[v]) % 255] : 0, out = 0;

	for (unsigned b = 0; b < 8; b++)
		out |= (uint8_t)(((i >> b ^ i >> (b + 4) % 8 ^ i >> (b + 5) % 8 ^ i >> (b + 6) % 8 ^ i >> (b + 7) % 8 ^
				   0x63 >> b) & 1) << b);
	return out;
}

/* A state as rows and columns. */
static void aes_block(uint8_t *out, const uint8_t *in, const uint8_t *schedule)
{
	uint8_t s[4][4], n[4][4];

	for (int i = 0; i < 16; i++)
		s[i % 4][i / 4] = in[i] ^ schedule[i];
	for (int round = 1; round <= 10; round++) {
		for (int r = 0; r < 4; r++)
			for (int c = 0; c < 4; c++)
				n[r][c] = substitute(s[r][(c + r) % 4]);
		for (int c = 0; c < 4; c++)
			for (int r = 0; r < 4; r++)
				s[r][c] = (round == 10 ? n[r][c] : product(2, n[r][c]) ^ product(3, n[(r + 1) % 4][c]) ^
					   n[(r + 2) % 4][c] ^ n[(r + 3) % 4][c]) ^ schedule[16 * round + 4 * c + r];
	}
	for (int i = 0; i < 16; i++)
		out[i] = s[i % 4][i / 4];
}

static void aes128(struct task *t)
{
	uint8_t *want = task_out(t, 16 * t->items, 1), *in = task_in(t, 16 * t->items, 1), *key = task_in(t, 16, 1);
	uint8_t schedule[176], round = 1;

	make_field();
	fill(t, in, 16 * t->items);
	fill(t, key, 16);
	memcpy(schedule, key, 16);
	for (int w = 4; w < 44; w++)
		for (int k = 0; k < 4; k++) {
			uint8_t v = schedule[4 * (w - 1) + (w % 4 ? k : (k + 1) % 4)];
			if (w % 4 == 0)
				v = substitute(v) ^ (k ? 0 : round);
			if (w % 4 == 0 && k == 3)
				round = product(round, 2);
			schedule[4 * w + k] = schedule[4 * (w - 4) + k] ^ v;
		}
	for (unsigned g = 0; g < t->items; g++)
		aes_block(want + 16 * g, in + 16 * g, schedule);
}

static void xtea(struct task *t)
{
	enum { N = 333 };
	uint32_t *want, *start = task_inout(t, 2 * N, 4, &want), *key = task_in(t, 4, 4);

	fill(t, key, 16);
	fill(t, start, 8 * N);
	for (uint32_t i = 0; i < N; i++) {
		uint32_t v[2] = { i, 0x12345678 };
		for (uint32_t half = 0; half < 64; half++) {
			uint32_t sum = 0x9e3779b9 * ((half + 1) / 2), o = v[1 - half % 2];
			uint32_t k = half % 2 ? key[sum / 2048 % 4] : key[sum % 4];
			v[half % 2] += ((o << 4 ^ o >> 5) + o) ^ (sum + k);
		}
		want[2 * i] = start[2 * i] ^ v[0];
		want[2 * i + 1] = start[2 * i + 1] ^ v[1];
	}
	task_u32(t, N);
}

static void rc4(struct task *t)
{
	enum { BYTES = 40 };
	uint8_t *want = task_out(t, t->items * BYTES, 1), *keys, s[256];

	task_scratch(t, t->items * 256);
	keys = task_in(t, t->items * 8, 1);
	fill(t, keys, t->items * 8);
	for (unsigned g = 0; g < t->items; g++) {
		unsigned i, j = 0;
		for (i = 0; i < 256; i++)
			s[i] = (uint8_t)i;
		for (i = 0; i < 256; i++) {
			j = (j + s[i] + keys[8 * g + i % 8]) % 256;
			uint8_t v = s[i];
			s[i] = s[j];
			s[j] = v;
		}
		i = j = 0;
		for (unsigned k = 0; k < BYTES; k++) {
			i = (i + 1) % 256;
			j = (j + s[i]) % 256;
			uint8_t v = s[i];
			s[i] = s[j];
			s[j] = v;
			want[g * BYTES + k] = s[(s[i] + s[j]) % 256];
		}
	}
	task_u32(t, BYTES);
}

static void philox(struct task *t)
{
	enum { N = 300 };
	uint32_t *want = task_out(t, 4 * N, 4), seed = 20090101;

	for (uint32_t i = 0; i < N; i++) {
		uint32_t c[4] = { i, 0, 0, 0 }, k[2] = { seed, 0xdecafbad };
		for (int r = 0; r < 10; r++) {
			uint64_t x = 0xd2511f53ull * c[0], y = 0xcd9e8d57ull * c[2];
			const uint32_t next[4] = { (uint32_t)(y >> 32) ^ c[1] ^ k[0], (uint32_t)y,
						   (uint32_t)(x >> 32) ^ c[3] ^ k[1], (uint32_t)x };
			memcpy(c, next, sizeof c);
			k[0] += 0x9e3779b9;
			k[1] += 0xbb67ae85;
		}
		memcpy(want + 4 * i, c, sizeof c);
	}
	task_u32(t, seed);
	task_u32(t, N);
}

static void xoroshiro(struct task *t)
{
	enum { DRAWS = 7 };
	uint64_t *want = task_out(t, t->items * DRAWS, 8), *seeds = task_in(t, 2 * t->items, 8);

	fill(t, seeds, 16 * t->items);
	for (unsigned g = 0; g < t->items; g++) {
		uint64_t a = seeds[2 * g], b = seeds[2 * g + 1];
		for (unsigned i = 0; i < DRAWS; i++) {
			want[g * DRAWS + i] = a + b;
			uint64_t x = a ^ b;
			a = (a << 24 | a >> 40) ^ x ^ (x << 16);
			b = x << 37 | x >> 27;
		}
	}
	task_u32(t, DRAWS);
}

static void sieve(struct task *t)
{
	enum { SEGMENT = 512 };
	uint32_t n = t->groups[0] * SEGMENT, *counts = task_out(t, t->groups[0], 4);
	uint8_t *flags = task_out(t, n, 1);

	memset(counts, 0, 4 * t->groups[0]);
	for (uint32_t v = 0; v < n; v++) {
		flags[v] = v > 1;
		for (uint32_t d = 2; d * d <= v; d++)
			flags[v] = flags[v] && v % d;
		counts[v / SEGMENT] += flags[v];
	}
}

static uint32_t divisor(uint32_t a, uint32_t b)
{
	return b ? divisor(b, a % b) : a;
}

static void gcd(struct task *t)
{
	uint32_t n = t->items - 2, *want = task_out(t, 2 * n, 4), *in = task_in(t, 2 * n, 4);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t f = task_below(t, 5000);
		in[2 * i] = i % 11 ? f * task_below(t, 100000) : 0;
		in[2 * i + 1] = i % 7 ? f * task_below(t, 100000) : 0;
		want[2 * i] = want[2 * i + 1] = divisor(in[2 * i], in[2 * i + 1]);
	}
	task_u32(t, n);
}

static void miller_rabin(struct task *t)
{
	static const uint32_t odd[] = { 0, 1, 2, 3, 4, 7, 61, 2047, 3215031751u, 4294967291u, 4294967295u, 1373653 };
	uint8_t *want = task_out(t, t->items, 1);
	uint32_t *in = task_in(t, t->items, 4);

	for (unsigned i = 0; i < t->items; i++) {
		in[i] = i < 12 ? odd[i] : task_random(t) >> task_below(t, 20) | 1;
		want[i] = in[i] > 1;
		for (uint64_t d = 2; d * d <= in[i] && want[i]; d++)
			want[i] = in[i] % d != 0;
	}
}

static void divide64(struct task *t)
{
	int32_t n = (int32_t)t->items - 1;
	int64_t *want = task_out(t, 4 * (size_t)n, 8), *a = task_in(t, (size_t)n, 8), *b = task_in(t, (size_t)n, 8);

	fill(t, a, 8 * (size_t)n);
	fill(t, b, 8 * (size_t)n);
	a[3] = INT64_MIN;
	b[3] = -1;
	for (int i = 0; i < n; i++) {
		b[i] = b[i] >> task_below(t, 63);
		a[i] = i % 3 ? a[i] : a[i] >> task_below(t, 60);
		int64_t y = b[i] && !(b[i] == -1 && a[i] == INT64_MIN) ? b[i] : 3;
		want[4 * i] = a[i] / y;
		want[4 * i + 1] = a[i] % y;
		want[4 * i + 2] = (int64_t)((uint64_t)a[i] / (uint64_t)y);
		want[4 * i + 3] = (int64_t)((wide)a[i] * y >> 64);
	}
	task_s32(t, n);
}

/* The same angles from the host's arctangent; numbers are exact in integers. */
static void cordic(struct task *t)
{
	int32_t *want = task_out(t, 2 * t->items, 4), *in = task_in(t, t->items, 4);

	for (unsigned g = 0; g < t->items; g++) {
		int64_t x = 163008219, y = 0, z = in[g] = (int32_t)task_below(t, 1686629713) - 843314856;
		int sign = 1;
		if (z > 421657428 || z < -421657428) {
			sign = -1;
			z += z > 0 ? -843314857 : 843314857;
		}
		for (int i = 0; i < 24; i++) {
			int64_t d = z >= 0 ? 1 : -1, old = x;
			x -= d * (y >> i);
			y += d * (old >> i);
			z -= d * llround(atan(ldexp(1, -i)) * 268435456.0);
		}
		want[2 * g] = (int32_t)(sign * x);
		want[2 * g + 1] = (int32_t)(sign * y);
	}
}

static uint32_t log_bits(uint32_t v)
{
	uint32_t whole = 0, log = 0;

	while (v >> whole > 1)
		whole++;
	uint64_t m = (uint64_t)v << (31 - whole);
	for (int k = 0; k < 10; k++) {
		m = m * m >> 32;
		log = 2 * log + (m >= 1u << 31);
		m = m >= 1u << 31 ? m : 2 * m;
	}
	return whole * 1024 + log;
}

static void root_fixed(struct task *t)
{
	enum { N = 300 };
	uint32_t *want = task_out(t, 4 * N, 4), *in = task_in(t, N, 4);

	for (int i = 0; i < N; i++) {
		uint64_t v = in[i] = i < 30 ? (uint32_t)i : task_random(t) >> task_below(t, 32), r = 0, c = 0;
		while ((r + 1) * (r + 1) <= v)
			r++;
		while ((c + 1) * (c + 1) * (c + 1) <= v)
			c++;
		want[4 * i] = (uint32_t)r;
		want[4 * i + 1] = (uint32_t)(v - r * r);
		want[4 * i + 2] = (uint32_t)c;
		want[4 * i + 3] = log_bits(v ? (uint32_t)v : 1);
	}
	task_s32(t, N);
}

static void bit_tricks(struct task *t)
{
	uint32_t *want = task_out(t, 8 * t->items, 4), *in = task_in(t, t->items, 4);

	fill(t, in, 4 * t->items);
	in[0] = 0;
	in[1] = 0xffffffff;
	in[2] = 0x80000000;
	for (unsigned g = 0; g < t->items; g++) {
		uint32_t v = in[g], *w = want + 8 * g;
		memset(w, 0, 32);
		for (unsigned b = 0; b < 32; b++) {
			w[0] |= (v >> b & 1) << (31 - b);
			w[1] |= b < 16 ? (v >> b & 1) << 2 * b : 0;
			w[5] += v >> b & 1;
		}
		w[2] = v ^ v / 2;
		w[3] = v;
		w[6] = v ? (uint32_t)__builtin_ctz(v) : 32;
		w[7] = w[5] % 2;
		if (v) {
			uint32_t low = 1u << w[6], up = v + low;
			w[4] = up | (v ^ up) / 4 / low;
		}
	}
}

static void big_add(struct task *t)
{
	unsigned size = t->local[0];
	uint32_t *sum = task_out(t, t->items, 4), *carry_out = task_out(t, t->groups[0], 4);
	uint32_t *a = task_in(t, t->items, 4), *b = task_in(t, t->items, 4);

	fill(t, a, 4 * t->items);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		uint64_t carry = 0;
		for (unsigned i = g * size; i < (g + 1) * size; i++) {
			b[i] = task_below(t, 4) ? ~a[i] : task_random(t);
			carry += (uint64_t)a[i] + b[i];
			sum[i] = (uint32_t)carry;
			carry >>= 32;
		}
		carry_out[g] = (uint32_t)carry;
	}
}

static void factorial_digits(struct task *t)
{
	enum { MOST = 50, DIGITS = 120 };
	uint32_t *want = task_out(t, 2 * t->items, 4);

	for (unsigned g = 0; g < t->items; g++) {
		int digit[DIGITS] = { 1 }, sum = 0, length = 0;
		for (int f = 2; f <= (int)(g % MOST); f++)
			for (int i = 0, carry = 0; i < DIGITS; i++) {
				carry += digit[i] * f;
				digit[i] = carry % 10;
				carry /= 10;
			}
		for (int i = 0; i < DIGITS; i++) {
			sum += digit[i];
			length = digit[i] ? i + 1 : length;
		}
		want[2 * g] = (uint32_t)sum;
		want[2 * g + 1] = (uint32_t)(length + 3) / 4;
	}
	task_u32(t, MOST);
}

static void adler(struct task *t)
{
	enum { BYTES = 77 };
	uint32_t *want = task_out(t, 2 * t->items, 4);
	uint8_t *rows = task_in(t, t->items * BYTES, 1);

	fill(t, rows, t->items * BYTES);
	for (unsigned g = 0; g < t->items; g++) {
		uint32_t a = 1, b = 0, x = 0, y = 0;
		for (unsigned i = 0; i < BYTES; i++) {
			uint32_t v = rows[g * BYTES + i];
			a = (a + v) % 65521;
			b = (b + a) % 65521;
			x = (x + v) % 255;
			y = (y + x) % 255;
		}
		want[2 * g] = b << 16 | a;
		want[2 * g + 1] = y << 8 | x;
	}
	task_u32(t, BYTES);
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(1, 256) }
#define SHORT_LINES { LINE(3, 32), LINE(2, 50) }

const struct textbook number_kernels[] = {
	{ "crc32", crc32, LINES },
	{ "crc_table", crc_table, LINES },
	{ "sha256", sha256, SHORT_LINES },
	{ "md5", md5, SHORT_LINES },
	{ "aes128", aes128, { LINE(2, 32), LINE(1, 50) } },
	{ "xtea", xtea, { LINE(3, 32), LINE(1, 100) } },
	{ "rc4", rc4, { LINE(2, 32), LINE(1, 50) } },
	{ "philox", philox, LINES },
	{ "xoroshiro", xoroshiro, SHORT_LINES },
	{ "sieve", sieve, { LINE(3, 32), LINE(2, 100), LINE(2, 256) } },
	{ "gcd", gcd, LINES },
	{ "miller_rabin", miller_rabin, { LINE(2, 32), LINE(1, 50) } },
	{ "divide64", divide64, SHORT_LINES },
	{ "cordic", cordic, LINES },
	{ "root_fixed", root_fixed, SHORT_LINES },
	{ "bit_tricks", bit_tricks, LINES },
	{ "big_add", big_add, LINES },
	{ "factorial_digits", factorial_digits, SHORT_LINES },
	{ "adler", adler, SHORT_LINES },
	{ NULL, NULL, { LINE(0, 0) } },
};
