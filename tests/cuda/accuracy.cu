// Every function of accuracy.def on inputs of its own.
enum { INPUTS = 2048 };

__global__ void accuracy(const float *in, float *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, row = 0;

#define MATH(function, bound, low, high, reference) \
	out[row * INPUTS + i] = function(in[row * INPUTS + i]); \
	row++;
#define LOOSE(function, bound, low, high, reference, documented) MATH(function, bound, low, high, reference)
#include "accuracy.def"
}
