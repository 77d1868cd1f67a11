/* Bodies that attract each other, and a picture of where they have been: nbody.ppm in the present folder. The check
 * computes the first step again, with doubles. */
#include "open.h"
#include <math.h>

enum { N = 128, BLOCK = 64, STEPS = 24, WIDTH = 192 };

static float bodies[N][4], speed[N][4];
static unsigned char picture[WIDTH][WIDTH][3];

static float noise(void)
{
	static cl_uint seed = 3;
	seed = seed * 1664525 + 1013904223;
	return (float)(seed >> 8) / (1 << 24) - 0.5f;
}

static void draw(int step)
{
	for (int i = 0; i < N; i++) {
		int x = (int)((bodies[i][0] / 3 + 0.5f) * WIDTH), y = (int)((bodies[i][1] / 3 + 0.5f) * WIDTH);
		if (x < 0 || y < 0 || x >= WIDTH || y >= WIDTH)
			continue;
		picture[y][x][0] = (unsigned char)(80 + 7 * step);
		picture[y][x][1] = (unsigned char)(i * 255 / N);
		picture[y][x][2] = 255;
	}
}

/* The largest difference between a step of the device and the same step in doubles. */
static double step_again(float old[N][4], float dt)
{
	double worst = 0;

	for (int i = 0; i < N; i++) {
		double pull[3] = { 0, 0, 0 };
		for (int k = 0; k < N; k++) {
			double d[3], square = 0.01;
			for (int a = 0; a < 3; a++) {
				d[a] = (double)old[k][a] - old[i][a];
				square += d[a] * d[a];
			}
			for (int a = 0; a < 3; a++)
				pull[a] += d[a] * old[k][3] / (square * sqrt(square));
		}
		for (int a = 0; a < 3; a++) /* all bodies stood still before */
			worst = fmax(worst, fabs(old[i][a] + pull[a] * dt * dt - bodies[i][a]));
	}
	return worst;
}

int main(int argc, char **argv)
{
	static float old[N][4];
	const cl_uint n = N;
	const float dt = 0.02f;
	double worst = 1;

	(void)argc;
	for (int i = 0; i < N; i++) {
		for (int a = 0; a < 3; a++)
			bodies[i][a] = 2 * noise();
		bodies[i][3] = 0.02f;
	}
	memcpy(old, bodies, sizeof old);
	open_all(argv[0], "nbody.cl");
	cl_kernel k = kernel("advance");
	cl_mem place[2] = { buffer(sizeof bodies, bodies), buffer(sizeof bodies, NULL) };
	cl_mem on_speed = buffer(sizeof speed, speed);
	ARG(k, 2, on_speed);
	ARG(k, 3, n);
	ARG(k, 4, dt);
	for (int step = 0; step < STEPS; step++) {
		ARG(k, 0, place[step % 2]);
		ARG(k, 1, place[1 - step % 2]);
		launch(k, N, BLOCK);
		read_back(place[1 - step % 2], sizeof bodies, bodies);
		if (!step)
			worst = step_again(old, dt);
		draw(step);
	}
	FILE *f = fopen("nbody.ppm", "wb");
	if (f) {
		fprintf(f, "P6\n%d %d\n255\n", WIDTH, WIDTH);
		fwrite(picture, 1, sizeof picture, f);
		fclose(f);
	}
	OK(clReleaseMemObject(place[0]));
	OK(clReleaseMemObject(place[1]));
	OK(clReleaseMemObject(on_speed));
	OK(clReleaseKernel(k));
	close_all();
	return verdict(f && worst < 1e-5, "n-body");
}
