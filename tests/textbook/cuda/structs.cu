// Records with padding, arrays and nested structures: read, changed, written to another array.
typedef unsigned char uchar;

typedef struct {
	char kind;
	int value;
	short pair[3];
	struct { uchar tag; uint weight; } part[2];
	char last;
} record;
extern "C" __global__ void structs(record *out, const record *in, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		record r = in[n - 1 - i];
		if (r.kind & 1) {
			r.value += r.pair[i % 3];
			r.part[0].weight = r.part[1].weight * 3u;
		} else {
			r.pair[r.value & 1] = (short)(r.value >> 3);
			r.part[i & 1].tag++;
		}
		r.last = r.kind + (char)i;
		out[i].kind = r.last;
		out[i].value = r.value;
		for (int k = 0; k < 3; k++)
			out[i].pair[2 - k] = r.pair[k];
		for (int k = 0; k < 2; k++) {
			out[i].part[k].tag = r.part[k].tag;
			out[i].part[k].weight = r.part[k].weight;
		}
		out[i].last = ~r.kind;
	}
}
