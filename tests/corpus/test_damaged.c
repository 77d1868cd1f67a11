/* Real programs with bytes missing or bits flipped: whatever they have become, they are refused with a reason or they
 * run to an end that says what it was, and every vector width makes the same of them. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "tests/corpus/corpus.h"
#include "tests/kit/cmocka_all.h"
#include "tests/kit/shared.h"

enum { CUTS = 16, FLIPS = 48, BUFFERS = 3, BUFFER_BYTES = 1024 };

/* A file as it is, the copy to damage, and how often copies loaded and ran. */
struct sample {
	char name[300];
	const char *options;
	uint8_t *bytes, *copy;
	size_t size;
	unsigned loaded, ran;
};

/* What a run leaves: its end, the hash of its events, its buffers. */
struct outcome {
	enum wb_status status;
	char digest[20];
	uint8_t memory[BUFFERS][BUFFER_BYTES];
};

static void check_refusal(const struct sample *p, enum wb_status status, const struct wb_diag *d)
{
	if (status == WB_INTERNAL || status == WB_ENV || !d->text[0])
		fail_msg("%s: ended with %d and says \"%s\"", p->name, status, d->text);
}

static enum wb_status end_of(struct wb_launch *l, struct outcome *o, struct wb_diag *d)
{
	enum wb_status s = WB_OK;

	for (unsigned b = 0; b < BUFFERS && s == WB_OK; b++)
		s = wb_launch_arg(l, "zero=1024", d);
	if (s == WB_OK)
		s = wb_launch_arg(l, "u32=7", d);
	if (s != WB_OK)
		return s;
	o->status = wb_launch_run(l, d);
	snprintf(o->digest, sizeof o->digest, "%s", wb_launch_report(l)->digest);
	for (unsigned b = 0; b < BUFFERS; b++)
		wb_launch_read_arg(l, b, 0, o->memory[b], BUFFER_BYTES, NULL);
	return o->status;
}

/* One run; false if it was refused before its first instruction. */
static bool run(struct sample *p, const struct wb_program *program, struct wb_config *c, const char *simd,
		struct outcome *o)
{
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	enum wb_status s;

	memset(o, 0, sizeof *o);
	assert_int_equal(wb_config_set(c, "simd", simd, &d), WB_OK);
	s = wb_launch_new(program, NULL, c, &l, &d);
	if (s == WB_OK)
		s = end_of(l, o, &d);
	if (s != WB_OK)
		check_refusal(p, s, &d);
	wb_launch_free(l);
	return o->digest[0];
}

static void run_all(struct sample *p, const struct wb_program *program, struct wb_config *c)
{
	static struct outcome first, other;

	if (!run(p, program, c, wb_simd_level(0), &first))
		return;
	p->ran++;
	for (unsigned i = 1; wb_simd_level(i); i++) {
		assert_true(run(p, program, c, wb_simd_level(i), &other));
		if (memcmp(&first, &other, sizeof first))
			fail_msg("%s: %s ends with %d (%s), %s with %d (%s)", p->name, wb_simd_level(0), first.status,
				 first.digest, wb_simd_level(i), other.status, other.digest);
	}
}

static void try_copy(struct sample *p, size_t size, struct wb_config *c)
{
	struct wb_program *program;
	struct wb_text text = { 0 };
	struct wb_diag d = { 0 };
	enum wb_status s = wb_program_load(p->copy, size, p->name, c, &program, &d);

	if (s != WB_OK) {
		check_refusal(p, s, &d);
		return;
	}
	p->loaded++;
	s = wb_disassemble(program, c, 0, &text, &d);
	if (s != WB_OK)
		check_refusal(p, s, &d);
	wb_text_free(&text);
	run_all(p, program, c);
	wb_program_free(program);
}

static struct wb_config *config_of(const struct sample *p)
{
	struct corpus c = { .file = p->name, .config = wb_config_new() };

	corpus_set(&c, "block=64 max-insns=2000 livelock=50000");
	corpus_set(&c, p->options);
	return c.config;
}

/* Flip any bit, or in every second round write another hex digit over one, so that texts stay texts. */
static void flip(struct sample *p, bool digit, uint64_t *random)
{
	uint64_t bit = rng_next(random) % (p->size * 8);
	uint8_t *at = p->copy + bit / 8;

	if (!digit) {
		*at ^= (uint8_t)(1 << bit % 8);
		return;
	}
	while (!isxdigit(*at))
		at = p->copy + rng_next(random) % p->size;
	*at = (uint8_t)"0123456789abcdef"[bit % 16];
}

static void damage(struct sample *p, uint64_t seed)
{
	struct wb_config *c = config_of(p);

	for (unsigned i = 0; i < CUTS; i++) {
		memcpy(p->copy, p->bytes, p->size);
		try_copy(p, rng_next(&seed) % p->size, c);
	}
	for (unsigned i = 0; i < FLIPS; i++) {
		memcpy(p->copy, p->bytes, p->size);
		for (unsigned k = 0; k <= i / 2 % 4; k++)
			flip(p, i % 2, &seed);
		try_copy(p, p->size, c);
	}
	wb_config_free(c);
}

static void read_sample(struct sample *p, const char *folder, const char *file, const char *options)
{
	FILE *f;

	*p = (struct sample){ .options = options };
	snprintf(p->name, sizeof p->name, "corpus/tesla/%s/%s", folder, file);
	f = fopen(corpus_path(p->name), "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	p->size = (size_t)ftell(f);
	rewind(f);
	p->bytes = malloc(p->size);
	p->copy = malloc(p->size);
	assert_true(p->bytes && p->copy);
	assert_int_equal(fread(p->bytes, 1, p->size, f), p->size);
	fclose(f);
}

/* Every file of a folder whose name begins and ends like that; at least `least` of the copies must still run. */
static void damage_all(const char *folder, const char *begin, const char *end, const char *options, unsigned least)
{
	char path[64];
	unsigned ran = 0, files = 0;

	snprintf(path, sizeof path, "corpus/tesla/%s", folder);
	DIR *d = opendir(corpus_path(path));
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		struct sample p;
		size_t n = strlen(e->d_name), tail = strlen(end);
		if (n < tail || strcmp(e->d_name + n - tail, end) || strncmp(e->d_name, begin, strlen(begin)))
			continue;
		read_sample(&p, folder, e->d_name, options);
		damage(&p, 1000 * n + p.size);
		ran += p.ran;
		files++;
		free(p.bytes);
		free(p.copy);
	}
	closedir(d);
	print_message("%s: %u files, %u of %u damaged copies ran\n", folder, files, ran, files * (CUTS + FLIPS));
	assert_true(ran >= least);
}

static void test_text_cubins(void **state)
{
	(void)state;
	skip_without("tesla/decuda");
	damage_all("decuda", "", ".cubin", "ptr=8", 1500);
}

static void test_elf_cubin(void **state)
{
	(void)state;
	skip_without("tesla/gpgpusim");
	damage_all("gpgpusim", "", ".cubin", "", 10);
}

#define WORDS "format=hex param-base=0x14 smem=256 global=0:zero=4096 global=1:zero=256"

static void test_words(void **state)
{
	(void)state;
	damage_all("nouveau", "own_", ".a0.hex", WORDS, 300);
}

static void test_mesa_words(void **state)
{
	(void)state;
	skip_without("tesla/mesa");
	damage_all("mesa", "mesa_", ".a0.hex", WORDS, 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_cubins),
		cmocka_unit_test(test_elf_cubin),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_mesa_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
