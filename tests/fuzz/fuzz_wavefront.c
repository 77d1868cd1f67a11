/* The target `execution` with the generator of GCN's wavefront programs. */
#define WAVEFRONTS 1
// NOLINTNEXTLINE(bugprone-suspicious-include): a source with two generators
#include "tests/fuzz/fuzz_execution.c"
