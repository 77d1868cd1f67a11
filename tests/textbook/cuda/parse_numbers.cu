// Signed decimal numbers of fixed-width fields, with spaces, signs, errors and overflow clamped.
typedef unsigned char uchar;

#define WIDTH 12
extern "C" __global__ void parse_numbers(int *values, uchar *errors, const char *fields, int n)
{
	int g = blockIdx.x * blockDim.x + threadIdx.x;

	if (g >= n)
		return;
	const char *p = fields + g * WIDTH, *end = p + WIDTH;
	bool negative = false, wrong = false;
	long v = 0;

	while (p < end && *p == ' ')
		p++;
	if (p < end && (*p == '-' || *p == '+'))
		negative = *p++ == '-';
	if (p == end || *p < '0' || *p > '9')
		wrong = true;
	while (p < end && *p >= '0' && *p <= '9') {
		v = v * 10 + (*p++ - '0');
		if (v > 0x7fffffffL + negative) {
			v = 0x7fffffffL + negative;
			wrong = true;
		}
	}
	for (; p < end; p++)
		if (*p != ' ')
			wrong = true;
	values[g] = (int)(negative ? -v : v);
	errors[g] = wrong;
}
