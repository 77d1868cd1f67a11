/* Files of ../shared read whole: compressed ones and JSON. NULL where one is absent. */
#ifndef WB_TESTS_UNIT_SHARED_JSON_H
#define WB_TESTS_UNIT_SHARED_JSON_H

#include <jansson.h>
#include <zlib.h>

#include "tests/kit/shared.h"

/* The bytes of a file, gunzipped if need be, with a 0 behind. The caller frees them. */
static inline char *shared_bytes(const char *file, size_t *n)
{
	char path[1024], *bytes = NULL;
	gzFile f = shared_path(path, sizeof path, file) ? gzopen(path, "rb") : NULL;
	size_t capacity = 0;
	int got = 0;

	*n = 0;
	if (!f)
		return NULL;
	do {
		capacity = capacity ? capacity * 2 : 1 << 16;
		char *more = realloc(bytes, capacity);
		if (!more)
			break;
		bytes = more;
		got = gzread(f, bytes + *n, (unsigned)(capacity - *n - 1));
		*n += got > 0 ? (size_t)got : 0;
	} while (got > 0 && *n == capacity - 1);
	gzclose(f);
	if (bytes)
		bytes[*n] = '\0';
	return bytes;
}

static inline json_t *shared_json(const char *file)
{
	size_t n;
	char *bytes = shared_bytes(file, &n);
	json_t *j = bytes ? json_loadb(bytes, n, 0, NULL) : NULL;

	free(bytes);
	return j;
}

#endif
