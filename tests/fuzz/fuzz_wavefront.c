/* GCN's random wavefront programs, in the ways that must not matter: the target `execution` with another generator. */
#define WAVEFRONTS 1
#include "tests/fuzz/fuzz_execution.c"
