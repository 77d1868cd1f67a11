/* Inputs for accuracy.cu, and the judge of its outputs:   accuracy >IN   |   accuracy OUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 2048 };

static const struct row {
	const char *name;
	double bound, low, high;
} rows[] = {
#define MATH(function, bound, low, high, reference) { #function, bound, low, high },
#define LOOSE(function, bound, low, high, reference, documented) MATH(function, bound, low, high, reference)
#include "accuracy.def"
};

enum { ROWS = sizeof rows / sizeof *rows };

/* Where a rising function is x, by halves of -8 to 8. */
static double inverse(double (*f)(double), double x)
{
	double low = -8, high = 8;

	for (unsigned i = 0; i < 64; i++) {
		double middle = (low + high) / 2;
		*(f(middle) < x ? &low : &high) = middle;
	}
	return low;
}

static double wanted(unsigned row, double x)
{
	unsigned n = 0;

#define MATH(function, bound, low, high, reference) \
	if (n++ == row) \
		return reference;
#define LOOSE(function, bound, low, high, reference, documented) MATH(function, bound, low, high, reference)
#include "accuracy.def"
	return NAN;
}

static float input(const struct row *r, unsigned i)
{
	double part = (double)(i * 2654435761u) / 4294967296.0;

	if (i & 1 && r->low > 0)
		return (float)(r->low * pow(r->high / r->low, part));
	if (i & 1 && r->low < 0)        /* small ones of both signs */
		return (float)((i & 2 ? r->low : r->high) * pow(2, -20 * part));
	return (float)(r->low + (r->high - r->low) * part);
}

static double unit(double v)
{
	int e;

	frexp(v, &e);
	return ldexp(1, e < -125 ? -149 : e - 24);
}

static int judge(const float *in, const float *out, unsigned row)
{
	double worst = 0;
	unsigned where = 0;

	for (unsigned i = 0; i < INPUTS; i++) {
		double want = wanted(row, in[i]), error = fabs(out[i] - want) / unit(want);
		if (!(error <= worst)) {
			worst = error;
			where = i;
		}
	}
	if (worst <= rows[row].bound + 0.5)
		return 0;
	printf("%s(%a) is %a, %.2f units from %a; expected %g\n", rows[row].name, in[where], out[where], worst,
	       wanted(row, in[where]), rows[row].bound);
	return 1;
}

int main(int argc, char **argv)
{
	static float in[ROWS][INPUTS], out[ROWS][INPUTS];
	int bad = 0;

	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned i = 0; i < INPUTS; i++)
			in[row][i] = input(&rows[row], i);
	if (argc < 2)
		return fwrite(in, sizeof in, 1, stdout) != 1;
	FILE *f = fopen(argv[1], "rb");
	if (!f || fread(out, sizeof out, 1, f) != 1)
		return 2;
	for (unsigned row = 0; row < ROWS; row++)
		bad |= judge(in[row], out[row], row);
	return bad;
}
