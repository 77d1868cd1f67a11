// Code points and errors of UTF-8 texts by a state machine with a switch; one text of 48 bytes for each thread.
typedef unsigned char uchar;

#define BYTES 48
extern "C" __global__ void utf8(uint2 *out, const uchar *texts)
{
	const uchar *p = texts + (blockIdx.x * blockDim.x + threadIdx.x) * BYTES;
	uint state = 0, points = 0, errors = 0, value = 0, least = 0;

	for (int i = 0; i < BYTES; i++) {
		uchar c = p[i];
		switch (state) {
		case 0:
			if (c < 0x80) {
				points++;
			} else if ((c & 0xe0) == 0xc0) {
				value = c & 31;
				least = 0x80;
				state = 1;
			} else if ((c & 0xf0) == 0xe0) {
				value = c & 15;
				least = 0x800;
				state = 2;
			} else if ((c & 0xf8) == 0xf0) {
				value = c & 7;
				least = 0x10000;
				state = 3;
			} else {
				errors++;
			}
			break;
		case 1:
		case 2:
		case 3:
			if ((c & 0xc0) != 0x80) {
				errors++;
				state = 0;
				i--;
				break;
			}
			value = value << 6 | (c & 63);
			if (--state == 0) {
				if (value < least || value > 0x10ffff || (value >> 11) == 0x1b)
					errors++;
				else
					points++;
			}
			break;
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = make_uint2(points, errors + (state != 0));
}
