/* A fuzz target without a fuzzer: the files of corpus folders, then inputs derived from the files by a generator, the
 * same for a seed on every machine.
 *
 *     replay [-t SECONDS] [-n INPUTS] [-s SEED] [-k FILE] FOLDER...
 *
 * Derived inputs are tried until either number is reached, with WB_TEST_ALL=1 ten times as long. With -k FILE each is
 * written to FILE before the try, so that a fatal input can be read there. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/rng.h"
#include "tests/fuzz/fuzz_image.h"

enum { INPUT_MAX = 1 << 16 };

static struct seed {
	uint8_t *bytes;
	size_t size;
} *seeds;
static size_t nseeds;

static bool add_seed(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct seed *more = realloc(seeds, (nseeds + 1) * sizeof *seeds), *s;
	bool ok = f && more && !fseek(f, 0, SEEK_END);

	seeds = more ? more : seeds;
	if (ok) {
		s = &seeds[nseeds];
		s->size = (size_t)ftell(f);
		s->bytes = malloc(s->size + 1);
		rewind(f);
		ok = s->bytes && fread(s->bytes, 1, s->size, f) == s->size;
		nseeds += ok;
	}
	if (f)
		fclose(f);
	if (!ok)
		fprintf(stderr, "%s: cannot be read\n", path);
	return ok;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool add_folder(const char *folder)
{
	struct dirent **e;
	/* sorted: the same order everywhere, as inputs derive from the files */
	int n = scandir(folder, &e, NULL, by_name);
	bool ok = n >= 0;

	for (int i = 0; i < n; i++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, e[i]->d_name);
		if (e[i]->d_name[0] != '.')
			ok &= add_seed(path);
		free(e[i]);
	}
	if (n >= 0)
		free(e);
	return ok;
}

/* ---- derived inputs ---- */

static uint64_t below(uint64_t *state, uint64_t n)
{
	*state += 0x9e3779b97f4a7c15;
	return n ? mix64(*state) % n : 0;
}

static size_t splice(uint64_t *r, uint8_t *to, size_t size)
{
	const struct seed *s = &seeds[below(r, nseeds)];
	size_t from = below(r, s->size + 1), n = below(r, s->size - from + 1), at = below(r, size + 1);

	n = at + n > INPUT_MAX ? INPUT_MAX - at : n;
	memcpy(to + at, s->bytes + from, n);
	return at + n > size ? at + n : size;
}

static size_t mutate(uint64_t *r, uint8_t *to, size_t size)
{
	uint64_t value = mix64(below(r, UINT64_MAX));
	size_t at = below(r, size), n = 1u << below(r, 4);

	if (!size)
		return 0;
	n = at + n > size ? size - at : n;
	switch (below(r, 6)) {
	case 0: to[at] ^= (uint8_t)(1u << below(r, 8)); return size;
	case 1: to[at] = (uint8_t)value; return size;
	case 2: memcpy(to + at, &value, n); return size;
	case 3: memset(to + at, value & 1 ? 0xff : 0, n); return size;
	case 4: return below(r, 8) ? splice(r, to, size) : at;
	default:
		memmove(to + at, to + at + n, size - at - n);
		return size - n;
	}
}

static size_t make(uint64_t *r, uint8_t *to)
{
	const struct seed *s = &seeds[below(r, nseeds ? nseeds : 1)];
	size_t size = nseeds ? s->size : 0;

	if (!nseeds || !below(r, 8)) {
		size = below(r, 512);
		for (size_t i = 0; i < size; i++)
			to[i] = (uint8_t)below(r, 256);
		return size;
	}
	size = size < INPUT_MAX ? size : INPUT_MAX;
	memcpy(to, s->bytes, size);
	for (uint64_t n = 1 + below(r, 8); n; n--)
		size = mutate(r, to, size);
	return size;
}

static void keep(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *f = fopen(path, "wb");

	if (f) {
		fwrite(bytes, 1, size, f);
		fclose(f);
	}
}

static void try(const uint8_t *bytes, size_t size)
{
	uint8_t *own = malloc(size + !size);    /* exactly as large as the input, so that a sanitizer sees the end */

	if (!own)
		abort();
	memcpy(own, bytes, size);
	LLVMFuzzerTestOneInput(own, size);
	free(own);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	static uint8_t input[INPUT_MAX];
	uint64_t seed = 1, most = UINT64_MAX, made = 0;
	const char *kept = NULL;
	double seconds = 0, start;
	bool ok = true;
	int o;

	while ((o = getopt(argc, argv, "t:n:s:k:")) != -1) {
		switch (o) {
		case 't': seconds = atof(optarg); break;
		case 'n': most = strtoull(optarg, NULL, 0); break;
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'k': kept = optarg; break;
		default: return 2;
		}
	}
	for (; optind < argc; optind++)
		ok &= add_folder(argv[optind]);
	for (size_t i = 0; i < nseeds; i++)
		try(seeds[i].bytes, seeds[i].size);
	seconds = seconds <= 0 && most != UINT64_MAX ? 1e9 : seconds * (getenv("WB_TEST_ALL") ? 10 : 1);
	for (start = now(); made < most && now() < start + seconds; made++) {
		uint64_t r = mix64(seed + made);
		size_t size = make(&r, input);
		if (kept)
			keep(kept, input, size);
		try(input, size);
	}
	printf("%zu files, %llu inputs made of them\n", nseeds, (unsigned long long)made);
	printf("%d passed, %d failed\n", ok, !ok);
	for (size_t i = 0; i < nseeds; i++)
		free(seeds[i].bytes);
	free(seeds);
	return !ok;
}
