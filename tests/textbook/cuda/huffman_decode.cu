// Huffman decoding with a canonical code of up to 6 bits, tables in __constant__ memory; a stream for each thread.
typedef unsigned char uchar;

__constant__ uchar first_code[8] = { 0, 0, 0, 4, 12, 28, 60, 0 };
__constant__ uchar first_symbol[8] = { 0, 0, 0, 2, 4, 6, 8, 0 };
__constant__ uchar count[8] = { 0, 0, 2, 2, 2, 2, 4, 0 };
extern "C" __global__ void huffman_decode(uchar *out, const uint *streams, int words, int symbols)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x;
	const uint *s = streams + g * words;
	uint position = 0;

	for (int i = 0; i < symbols; i++) {
		uint code = 0;
		for (int length = 1;; length++) {
			code = code << 1 | (s[position >> 5] >> (position & 31) & 1);
			position++;
			uint offset = code - first_code[length];
			if (count[length] && code >= first_code[length] && offset < count[length]) {
				out[g * symbols + i] = first_symbol[length] + offset;
				break;
			}
			if (length == 6)
				return;
		}
	}
}
