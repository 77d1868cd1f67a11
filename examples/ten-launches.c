/* A kernel prepared once and launched ten times on one buffer: the memory is the device's, and outlives each launch.
 *
 *     cc ten-launches.c $(pkg-config --cflags --libs warpbeam) -o ten-launches && ./ten-launches */
#include <stdio.h>
#include <string.h>
#include <warpbeam.h>

static const char text[] =              /* a[thread] = 2 a[thread] + 1 */
	".kernel step\n.chip g200\n"
	"shl b32 $r1 $r0 0x2\nadd b32 $r1 b32 s[0x10] $r1\nld b32 $r2 g14[$r1]\n"
	"add b32 $r2 $r2 $r2\nadd b32 $r2 $r2 0x1\nexit st b32 g14[$r1] $r2\n";

int main(void)
{
	const struct wb_launch_size size = { .grid = { 1 }, .block = { 64 } };
	struct wb_program *program = NULL;
	struct wb_device *device = NULL;
	struct wb_prepared *kernel = NULL;
	struct wb_launch *launch = NULL;
	struct wb_diag d;
	uint64_t a, nanoseconds = 0;
	uint32_t first = 0;
	bool good = wb_program_load(text, strlen(text), "step.s", NULL, &program, &d) == WB_OK &&
		    wb_device_new(NULL, &device, &d) == WB_OK &&
		    wb_memory_alloc(device, 64 * sizeof first, &a, &d) == WB_OK &&
		    wb_prepare(device, program, "step", &kernel, &d) == WB_OK;

	for (int i = 0; good && i < 10; i++) {
		uint32_t params = (uint32_t)a;
		good = wb_launch_on(device, kernel, &size, &params, sizeof params, &launch, &d) == WB_OK &&
		       wb_launch_run(launch, &d) == WB_OK;
		nanoseconds += good ? wb_launch_nanoseconds(launch) : 0;
		wb_launch_free(launch);
	}
	good = good && wb_memory_read(device, a, &first, sizeof first, &d) == WB_OK;
	if (good)
		printf("a[0] = %u after %llu ns\n", first, (unsigned long long)nanoseconds);
	else
		fprintf(stderr, "%s\n", d.text);
	wb_prepared_free(kernel);
	wb_device_free(device);
	wb_program_free(program);
	return good ? 0 : d.status;
}
