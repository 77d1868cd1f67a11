/* SHA-256 of FIPS 180-4's examples and of lengths around a block's end, in pieces of all sizes. */
#include <stdio.h>
#include <string.h>

#include "tests/kit/cmocka_all.h"
#include "core/base/sha256.h"

static const char *hex(const void *bytes, size_t n, size_t piece)
{
	static char text[2 * SHA256_BYTES + 1];
	const char *p = bytes;
	uint8_t digest[SHA256_BYTES];
	struct sha256 s;

	sha256_begin(&s);
	for (size_t i = 0; i < n; i += piece)
		sha256_add(&s, p + i, n - i < piece ? n - i : piece);
	sha256_end(&s, digest);
	for (int i = 0; i < SHA256_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	return text;
}

static void examples(void **state)
{
	static const struct { const char *text, *digest; } example[] = {
		{"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	};

	for (size_t i = 0; i < sizeof example / sizeof *example; i++)
		assert_string_equal(hex(example[i].text, strlen(example[i].text), 64), example[i].digest);
}

static void a_million(void **state)
{
	static char a[1000000];

	memset(a, 'a', sizeof a);
	assert_string_equal(hex(a, sizeof a, sizeof a),
			    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void pieces(void **state)
{
	char bytes[130], whole[2 * SHA256_BYTES + 1];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (char)(i * 7);
	for (size_t n = 0; n <= sizeof bytes; n++) {
		strcpy(whole, hex(bytes, n, sizeof bytes));
		for (size_t piece = 1; piece <= n; piece++)
			assert_string_equal(hex(bytes, n, piece), whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(examples),
		cmocka_unit_test(a_million),
		cmocka_unit_test(pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
