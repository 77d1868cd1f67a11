/* Decoding alone: the library does it inside of a launch, together with much else. */
#ifndef WB_BENCH_DECODING_H
#define WB_BENCH_DECODING_H

#include <stddef.h>

struct decoding;

/* For a program of g200, which must stay. NULL: there is no memory; freed with free. */
struct decoding *decoding_new(const void *code, size_t size);
/* Decode all of its instructions; returns how many there are, less if some word is none. */
unsigned decoding_run(struct decoding *d);

#endif
