// Convolution of a signal with a mask of odd length that is a __constant parameter; zeros beyond the ends.
__kernel void convolution(__global int *out, __global const int *in, __constant int *mask, int n, int taps)
{
	for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
		int sum = 0;
		for (int k = 0; k < taps; k++) {
			int at = i + k - taps / 2;
			if (at >= 0 && at < n)
				sum += in[at] * mask[k];
		}
		out[i] = sum;
	}
}
