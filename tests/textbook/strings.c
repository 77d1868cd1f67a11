/* Models of kernels about texts, codes and dynamic programming. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

#include <stdio.h>

static void letters(struct task *t, void *bytes, size_t n, const char *alphabet)
{
	for (size_t i = 0; i < n; i++)
		((char *)bytes)[i] = alphabet[task_below(t, (uint32_t)strlen(alphabet))];
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static void edit_distance(struct task *t)
{
	enum { NA = 70, NB = 61 };
	int32_t *want = task_out(t, t->groups[0], 4), d[NA + 1][NB + 1];
	char *a = task_in(t, t->groups[0] * NA, 1), *b = task_in(t, t->groups[0] * NB, 1);

	letters(t, a, t->groups[0] * NA, "abc");
	letters(t, b, t->groups[0] * NB, "abcd");
	for (unsigned g = 0; g < t->groups[0]; g++) {
		const char *x = a + g * NA, *y = b + g * NB;
		for (int i = 0; i <= NA; i++)
			for (int j = 0; j <= NB; j++)
				d[i][j] = !i ? j : !j ? i : least(d[i - 1][j - 1] + (x[i - 1] != y[j - 1]),
								  least(d[i - 1][j], d[i][j - 1]) + 1);
		want[g] = d[NA][NB];
	}
	task_s32(t, NA);
	task_s32(t, NB);
}

static void lcs(struct task *t)
{
	enum { M = 16, N = 60 };
	int32_t *want = task_out(t, t->items, 4), d[M + 1][N + 1];
	char *p = task_in(t, t->items * M, 1), *text = task_in(t, N, 1);

	letters(t, p, t->items * M, "wxyz");
	letters(t, text, N, "vwxyz");
	for (unsigned g = 0; g < t->items; g++) {
		for (int i = 0; i <= M; i++)
			for (int j = 0; j <= N; j++)
				d[i][j] = !i || !j ? 0 :
					  p[g * M + (unsigned)i - 1] == text[j - 1] ? d[i - 1][j - 1] + 1 :
					  -least(-d[i - 1][j], -d[i][j - 1]);
		want[g] = d[M][N];
	}
	task_s32(t, N);
}

static void knapsack(struct task *t)
{
	enum { CAPACITY = 150, ITEMS = 25 };
	int32_t *want = task_out(t, t->groups[0] * (CAPACITY + 1), 4), *items = task_in(t, 2 * ITEMS, 4);

	for (int i = 0; i < ITEMS; i++) {
		items[2 * i] = 3 + (int32_t)task_below(t, 40);
		items[2 * i + 1] = 1 + (int32_t)task_below(t, 100);
	}
	memset(want, 0, t->groups[0] * (CAPACITY + 1) * 4);
	for (int g = 0; g < (int)t->groups[0]; g++)
		for (int i = 0; i < ITEMS; i++)
			for (int c = CAPACITY; c >= items[2 * i]; c--) {
				int32_t *row = want + g * (CAPACITY + 1);
				row[c] = -least(-row[c], -(row[c - items[2 * i]] + items[2 * i + 1] + g));
			}
	task_s32(t, ITEMS);
}

/* A text with a pattern planted at places. */
static void plant(struct task *t, char *text, unsigned n, const char *pattern, unsigned times)
{
	unsigned m = (unsigned)strlen(pattern);

	letters(t, text, n, "ab");
	for (unsigned i = 0; i < times; i++)
		memcpy(text + task_below(t, n - m), pattern, m);
}

static void string_naive(struct task *t)
{
	enum { N = 900 };
	const char pattern[] = "abbab";
	uint32_t *places = task_out(t, N, 4), *count, m = sizeof pattern - 1;
	char *text;

	task_unordered(t);
	task_inout(t, 1, 4, &count);
	text = task_in(t, N, 1);
	plant(t, text, N, pattern, 20);
	for (uint32_t i = 0; i + m <= N; i++)
		if (!memcmp(text + i, pattern, m))
			places[(*count)++] = i;
	task_u32(t, N);
	memcpy(task_in(t, m, 1), pattern, m);
	task_u32(t, m);
}

/* Places of one part of the text are counted whether they overlap or not. */
static void kmp(struct task *t)
{
	enum { N = 2000 };
	const char pattern[] = "abaabab";
	uint32_t *want = task_out(t, t->items, 4), m = sizeof pattern - 1, part = N / t->items + 1;
	char *text = task_in(t, N, 1);

	memset(want, 0, t->items * 4);
	plant(t, text, N, pattern, 60);
	for (uint32_t i = 0; i + m <= N; i++)
		if (!memcmp(text + i, pattern, m))
			want[i / part]++;
	task_u32(t, N);
	memcpy(task_in(t, m, 1), pattern, m);
	task_u32(t, m);
	task_u32(t, part);
}

static void horspool(struct task *t)
{
	enum { LINE_BYTES = 64 };
	const char pattern[] = "babba";
	int32_t *want = task_out(t, t->items, 4), m = sizeof pattern - 1;
	char *text = task_in(t, t->items * LINE_BYTES, 1);

	plant(t, text, t->items * LINE_BYTES, pattern, 20);
	for (unsigned g = 0; g < t->items; g++) {
		want[g] = -1;
		for (int i = LINE_BYTES - m; i >= 0; i--)
			if (!memcmp(text + g * LINE_BYTES + i, pattern, (size_t)m))
				want[g] = i;
	}
	memcpy(task_in(t, (size_t)m, 1), pattern, (size_t)m);
	task_s32(t, m);
}

static void rabin_karp(struct task *t)
{
	enum { N = 1800 };
	const char pattern[] = "bbabbbaab";
	int32_t *want = task_out(t, t->items, 4), m = sizeof pattern - 1, part = N / (int32_t)t->items + 2;
	char *text = task_in(t, N, 1);

	plant(t, text, N, pattern, 30);
	memset(want, 0xff, t->items * 4);
	for (int i = N - m; i >= 0; i--)
		if (!memcmp(text + i, pattern, (size_t)m))
			want[i / part] = i;
	task_s32(t, N);
	memcpy(task_in(t, (size_t)m, 1), pattern, (size_t)m);
	task_s32(t, m);
	task_s32(t, part);
}

static void word_count(struct task *t)
{
	enum { N = 1500 };
	uint32_t *want, length = 0;
	char *text;

	task_inout(t, 3, 4, &want);
	text = task_in(t, N, 1);
	letters(t, text, N, "abcdefghij  \n\t");
	for (int i = 0; i < N; i++) {
		bool space = strchr(" \n\t", text[i]);
		want[1] += text[i] == '\n';
		want[0] += !space && !length;
		length = space ? 0 : length + 1;
		want[2] = length > want[2] ? length : want[2];
	}
	task_s32(t, N);
	task_s32(t, N / (int32_t)t->items + 1);
}

static void parse_numbers(struct task *t)
{
	enum { WIDTH = 12 };
	static const char *const odd[] = {
		"  2147483647", "  2147483648", " -2147483648", " -2147483649", "999999999999", "           -",
		"            ", "12 34       ", "+7          ", "0000000000x1",
	};
	unsigned n = t->items - 7;
	int32_t *values = task_out(t, n, 4);
	uint8_t *errors = task_out(t, n, 1);
	char *fields = task_in(t, n * WIDTH, 1), field[32];
	static const int32_t odd_value[] = { 2147483647, 2147483647, -2147483647 - 1, -2147483647 - 1, 2147483647, 0, 0,
					     12, 7, 0 };
	static const uint8_t odd_error[] = { 0, 1, 0, 1, 1, 1, 1, 1, 0, 1 };

	for (unsigned g = 0; g < n; g++) {
		int32_t v = (int32_t)task_random(t) >> task_below(t, 32);
		snprintf(field, sizeof field, g % 3 ? "%12d" : "%-12d", (int)v);
		values[g] = g % 5 ? v : odd_value[g / 5 % 10];
		errors[g] = g % 5 ? 0 : odd_error[g / 5 % 10];
		memcpy(fields + g * WIDTH, g % 5 ? field : odd[g / 5 % 10], WIDTH);
	}
	task_s32(t, (int32_t)n);
}

/* Bytes that a sequence has by its lead byte; 0: no lead byte. */
static int sequence_bytes(uint8_t lead)
{
	return lead < 0x80 ? 1 : lead < 0xc0 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf8 ? 4 : 0;
}

/* A code point by hand: the length of a good sequence at p, or 0. */
static int good_sequence(const uint8_t *p, int n)
{
	static const uint32_t lowest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	int length = sequence_bytes(*p);
	uint32_t v = *p & (0xffu >> (length + 1));

	if (length == 1)
		return 1;
	if (!length || length > n)
		return 0;
	for (int i = 1; i < length; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		v = v * 64 + (p[i] & 63u);
	}
	return v >= lowest[length] && v <= 0x10ffff && !(v >= 0xd800 && v < 0xe000) ? length : 0;
}

/* Bytes that an error consumes: the lead byte and the continuations that fit. */
static int bad_sequence(const uint8_t *p, int n)
{
	int length = sequence_bytes(*p), i = 1;

	while (i < length && i < n && p[i] >> 6 == 2)
		i++;
	return i;
}

static void utf8(struct task *t)
{
	enum { BYTES = 48 };
	static const uint8_t parts[][4] = {
		{ 'a', 'b', 'c', 'd' }, { 0xc3, 0xa9, 'x', 'y' }, { 0xe2, 0x82, 0xac, '.' }, { 0xf0, 0x9f, 0x99, 0x82 },
		{ 0xc0, 0x80, 'o', 'v' }, { 0xed, 0xa0, 0x80, 's' }, { 0xe2, 0x28, 0xa1, 'e' },
		{ 0x80, 'q', 0xff, 'r' }, { 0xf4, 0x90, 0x80, 0x80 }, { 0xf0, 0x9f, 'p', 0xc3 },
	};
	uint32_t *want = task_out(t, 2 * t->items, 4);
	uint8_t *in = task_in(t, t->items * BYTES, 1);

	memset(want, 0, 8 * t->items);
	for (unsigned i = 0; i < t->items * BYTES / 4; i++)
		memcpy(in + 4 * i, parts[task_below(t, 10)], 4);
	for (unsigned g = 0; g < t->items; g++)
		for (int i = 0; i < BYTES;) {
			const uint8_t *p = in + g * BYTES + i;
			int length = good_sequence(p, BYTES - i);
			want[2 * g + (length ? 0 : 1)]++;
			i += length ? length : bad_sequence(p, BYTES - i);
		}
}

static void rle_encode(struct task *t)
{
	enum { ROW = 64 };
	uint8_t *want = task_out(t, t->items * 2 * ROW, 1);
	uint32_t *lengths = task_out(t, t->items, 4);
	uint8_t *in = task_in(t, t->items * ROW, 1);

	for (unsigned i = 0; i < t->items * ROW; i++)
		in[i] = i % ROW && task_below(t, 5) ? in[i - 1] : (uint8_t)task_below(t, 4);
	for (unsigned g = 0; g < t->items; g++) {
		uint8_t *q = want + g * 2 * ROW, *start = q;
		for (unsigned i = 0; i < ROW; i++) {
			uint8_t v = in[g * ROW + i];
			if (q > start && q[-1] == v && q[-2] < 10) {
				q[-2]++;
			} else {
				*q++ = 1;
				*q++ = v;
			}
		}
		lengths[g] = (uint32_t)(q - start);
	}
}

static void rle_decode(struct task *t)
{
	uint8_t *want = task_out(t, t->items * 8, 1), *pairs = task_in(t, t->items * 2, 1);

	for (unsigned g = 0; g < t->groups[0]; g++) {
		uint8_t *q = want + g * t->local[0] * 8;
		for (unsigned i = 0; i < t->local[0]; i++) {
			uint8_t *pair = pairs + 2 * (g * t->local[0] + i);
			pair[0] = (uint8_t)task_below(t, 9);
			pair[1] = (uint8_t)task_random(t);
			for (int k = 0; k < pair[0]; k++)
				*q++ = pair[1];
		}
	}
}

static void huffman_decode(struct task *t)
{
	enum { SYMBOLS = 20, WORDS = 4 };
	static const char *const code[12] = { "00", "01", "100", "101", "1100", "1101", "11100", "11101", "111100",
					      "111101", "111110", "111111" };
	uint8_t *want = task_out(t, t->items * SYMBOLS, 1);
	uint32_t *streams = task_in(t, t->items * WORDS, 4);

	for (unsigned g = 0; g < t->items; g++) {
		unsigned bit = 0;
		for (unsigned i = 0; i < SYMBOLS; i++) {
			unsigned symbol = task_below(t, 12);
			want[g * SYMBOLS + i] = (uint8_t)symbol;
			for (const char *c = code[symbol]; *c; c++, bit++)
				streams[g * WORDS + bit / 32] |= (uint32_t)(*c - '0') << bit % 32;
		}
	}
	task_s32(t, WORDS);
	task_s32(t, SYMBOLS);
}

/* Streams are made with their outcome: each step adds literals or a match to both. */
static void lz_decode(struct task *t)
{
	enum { CAPACITY = 160, STREAM = 100 };
	unsigned n = t->items - 4, used = 0;
	uint8_t *want = task_out(t, n * CAPACITY, 1);
	uint32_t *sizes = task_out(t, n, 4), *starts;
	uint8_t *in = task_in(t, n * STREAM, 1);

	starts = task_in(t, n + 1, 4);
	for (unsigned g = 0; g < n; g++) {
		uint8_t *base = want + g * CAPACITY, *out = base;
		starts[g] = used;
		while (out - base < 120 && used - starts[g] < STREAM - 12) {
			if (out == base || task_below(t, 2)) {
				unsigned count = 1 + task_below(t, 9);
				in[used++] = (uint8_t)(count - 1);
				while (count--)
					*out++ = in[used++] = (uint8_t)task_random(t);
			} else {
				unsigned length = 3 + task_below(t, 20);
				unsigned distance = 1 + task_below(t, (uint32_t)(out - base));
				in[used++] = (uint8_t)(0x80 | (length - 3));
				in[used++] = (uint8_t)(distance - 1);
				for (; length--; out++)
					*out = *(out - distance);
			}
		}
		sizes[g] = (uint32_t)(out - base);
	}
	starts[n] = used;
	task_u32(t, n);
	task_u32(t, CAPACITY);
}

static void base64(struct task *t)
{
	enum { N = 500 };
	char *want = task_out(t, (N + 2) / 3 * 4, 1);
	uint8_t *in = task_in(t, N, 1);

	for (int i = 0; i < N; i++)
		in[i] = (uint8_t)task_random(t);
	for (int k = 0; k < (N + 2) / 3 * 4; k++) {
		int bit = k * 6, v = 0;
		for (int b = bit; b < bit + 6; b++)
			v = 2 * v + (b < 8 * N ? in[b / 8] >> (7 - b % 8) & 1 : 0);
		want[k] = (char)(bit >= 8 * N ? '=' : v < 26 ? 'A' + v : v < 52 ? 'a' + v - 26 : v < 62 ? '0' + v - 52 :
				 v == 62 ? '+' : '/');
	}
	task_s32(t, N);
}

static void increasing_run(struct task *t)
{
	enum { ROW = 30 };
	int32_t *want = task_out(t, t->items, 4), best[ROW];
	int16_t *rows = task_in(t, t->items * ROW, 2);

	for (unsigned g = 0; g < t->items; g++) {
		int16_t *r = rows + g * ROW;
		want[g] = 0;
		for (int i = 0; i < ROW; i++) {
			r[i] = (int16_t)task_random(t);
			best[i] = 1;
			for (int k = 0; k < i; k++)
				if (r[k] < r[i] && best[k] + 1 > best[i])
					best[i] = best[k] + 1;
			want[g] = best[i] > want[g] ? best[i] : want[g];
		}
	}
}

static void csv_fields(struct task *t)
{
	enum { WIDTH = 50 };
	uint32_t *want = task_out(t, 4 * t->items, 4);
	char *text = task_in(t, t->items * WIDTH, 1);

	letters(t, text, t->items * WIDTH, "abc,,\"\";");
	memset(want, 0, 16 * t->items);
	for (unsigned g = 0; g < t->items; g++) {
		bool fresh = true, inside = false, ended = false;       /* a field's start; in quotes; behind a quote */
		uint32_t *w = want + 4 * g;
		for (const char *c = text + g * WIDTH; c < text + (g + 1) * WIDTH; c++) {
			if (inside) {
				ended = *c == '"';
				inside = !ended;
				continue;
			}
			bool field = *c == ',' || *c == ';';
			w[0] += field;
			w[2] += *c == ';';
			w[1] += *c == '"' && fresh;
			inside = *c == '"' && (fresh || ended);
			fresh = field;
			ended = false;
		}
		w[3] = inside ? 2 : ended ? 3 : fresh ? 0 : 1;
	}
	task_s32(t, WIDTH);
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(1, 256) }

const struct textbook string_kernels[] = {
	{ "edit_distance", edit_distance, { LINE(3, 32), LINE(2, 50), LINE(2, 128) } },
	{ "lcs", lcs, { LINE(3, 32), LINE(2, 50) } },
	{ "knapsack", knapsack, { LINE(3, 64), LINE(2, 100), LINE(2, 192) } },
	{ "string_naive", string_naive, LINES },
	{ "kmp", kmp, LINES },
	{ "horspool", horspool, LINES },
	{ "rabin_karp", rabin_karp, LINES },
	{ "word_count", word_count, LINES },
	{ "parse_numbers", parse_numbers, LINES },
	{ "utf8", utf8, { LINE(3, 32), LINE(2, 100) } },
	{ "rle_encode", rle_encode, { LINE(3, 32), LINE(2, 100) } },
	{ "rle_decode", rle_decode, LINES },
	{ "huffman_decode", huffman_decode, { LINE(3, 32), LINE(2, 100) } },
	{ "lz_decode", lz_decode, { LINE(3, 32), LINE(2, 50) } },
	{ "base64", base64, LINES },
	{ "increasing_run", increasing_run, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "csv_fields", csv_fields, { LINE(3, 32), LINE(2, 100) } },
	{ NULL, NULL, { LINE(0, 0) } },
};
