/* A reader of bytes that the library wrote and somebody may have changed: a state of a device, a saved run. */
#ifndef WB_DEVICE_READER_H
#define WB_DEVICE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;

struct reader {
	const uint8_t *bytes;
	size_t size, position;
	const char *of;         /* what the bytes are, as "the saved run" */
	struct diag *d;
};

/* Always false: the bytes are damaged at the position. */
bool reader_bad(const struct reader *r, const char *what);
/* The next n bytes; NULL: there are fewer. */
const uint8_t *reader_take(struct reader *r, uint64_t n);

#endif
