// Base64: three bytes to four characters by a __constant__ table, with padding at the end of a text.
typedef unsigned char uchar;

__constant__ char digits[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
extern "C" __global__ void base64(char *out, const uchar *in, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i * 3 < n; i += gridDim.x * blockDim.x) {
		uint v = in[3 * i] << 16;
		int have = min(n - 3 * i, 3);
		if (have > 1)
			v |= in[3 * i + 1] << 8;
		if (have > 2)
			v |= in[3 * i + 2];
		out[4 * i] = digits[v >> 18];
		out[4 * i + 1] = digits[v >> 12 & 63];
		out[4 * i + 2] = have > 1 ? digits[v >> 6 & 63] : '=';
		out[4 * i + 3] = have > 2 ? digits[v & 63] : '=';
	}
}
