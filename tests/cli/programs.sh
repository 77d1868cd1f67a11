#!/bin/sh
# The programs of examples/programs, with Warpbeam as the GPU: right by their own checks on three chips, the same bytes
# of launches each time, and the race is named by its line.   programs.sh WARPBEAM SOURCE_ROOT LIBOPENCL CC...
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
library=$(realpath "$3")
shift 3
cd "$work" || exit 1
echo '#include <CL/cl.h>' | "$@" -E - >/dev/null 2>&1 || { echo 'CL/cl.h is not here: skipped'; exit 77; }
cp "$root"/examples/programs/* .

for file in *.c; do
	grep -q '<cuda.h>' "$file" && continue  # cuda_driver.sh has these
	ok "$file is compiled" "$@" -Wall -Wextra -g -O1 "$file" "$library" -lm -o "${file%.c}"
done

# ---- right on every chip ----

for chip in gfx900 tonga g200; do
	for program in vector-add matmul histogram scan bfs nbody filter streams; do
		check 0 out ': right$' "$warpbeam" run --chip $chip -- "./$program"
		result "$(grep -c "launch.* on $chip$" err | sed 's/1/0/;t;s/.*/1/')" "$program has no launch on $chip"
	done
done
check 2 err 'parameter is an image' "$warpbeam" run filter.cl --chip gfx900 -a zero=64 -a zero=64
check 2 err 'parameter is an image' "$warpbeam" run filter.cl --chip g200 -a zero=64 -a zero=64
ok 'the picture of n-body is written' test -s nbody.ppm

# ---- the devices of a context ----

cat >devices.c <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
int main(void)
{
	const char *source = "kernel void k(int n) { printf(\"%d\", n); }";      /* which Tesla's chips have not */
	cl_uint n;
	cl_context c = clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, NULL, NULL);
	cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
	cl_int error = clBuildProgram(p, 0, NULL, NULL, NULL, NULL);
	clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL);
	printf("%u devices, %d\n", n, error);
}
END
ok 'devices.c is compiled' "$@" -w devices.c "$library" -o devices
check 0 out '^10 devices, -11$' "$warpbeam" run -q -- ./devices
check 0 out '^1 devices, 0$' "$warpbeam" run -q --chip tonga --one-device -- ./devices
check 0 out '^10 devices' env WARPBEAM_ONE_DEVICE=off "$warpbeam" run -q -- ./devices

# ---- flags of buffers ----

cat >limits.c <<'END'
/* Buffers whose flags forbid kernels what the kernel `move` does: argument 1 reads, argument 2 writes. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const source =
	"kernel void move(global int *from, global int *to)\n"
	"{\n"
	"	int i = get_global_id(0);\n"
	"	to[i] = from[i];\n"
	"}\n";

int main(int n, char **flag)
{
	cl_mem_flags flags[2] = { strtoul(n > 1 ? flag[1] : "4", NULL, 0), strtoul(n > 2 ? flag[2] : "2", NULL, 0) };
	cl_platform_id platform;
	cl_device_id device;
	size_t items = 16;

	clGetPlatformIDs(1, &platform, NULL);
	clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
	cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
	cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, NULL);
	clBuildProgram(program, 1, &device, "", NULL, NULL);
	cl_kernel kernel = clCreateKernel(program, "move", NULL);
	for (cl_uint i = 0; i < 2; i++) {
		cl_mem m = clCreateBuffer(context, flags[i], 4 * items, NULL, NULL);
		clSetKernelArg(kernel, i, sizeof m, &m);
	}
	return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL) || clFinish(queue);
}
END
ok 'limits.c is compiled' "$@" -Wall -Wextra -g -O1 limits.c "$library" -o limits
for chip in gfx900 g200; do
	silent 0 err 'bounds:' "$warpbeam" run --chip $chip --strict --check bounds -- ./limits 4 2
	silent 0 err 'bounds:' "$warpbeam" run --chip $chip --strict --check bounds -- ./limits 1 1
	check 1 err 'bounds: load of 4 bytes at g.*(from\[0\]).* in a buffer that is write-only for kernels' \
		"$warpbeam" run --chip $chip --strict --check bounds -- ./limits 2 2
	check 1 err 'bounds: store of 4 bytes at g.*(to\[0\]).* in a buffer that is read-only for kernels' \
		"$warpbeam" run --chip $chip --strict --check bounds -- ./limits 4 4
done

# ---- what is learned about a program ----

for n in 1 2 3 4 5 6 7 8 9 10; do
	"$warpbeam" run -q --launches "$n.jsonl" -- ./scan >out 2>err
	cmp -s 1.jsonl "$n.jsonl"
	result $? "run $n of scan has other launches than run 1"
done
check 0 out '^5$' grep -c '"call":"clEnqueueNDRangeKernel","number":[1-5],"result":"ok"' 1.jsonl
line=$(grep -n 'a barrier belongs' race.cl | cut -d: -f1)
check 0 err "kernel sum.* by call 1 of clEnqueueNDRangeKernel in .* ([a-z]*.[ch]:[0-9]*): race: .*(line $line)" \
	"$warpbeam" run --chip gfx900 --check race -- ./race
check 1 err 'race: ' "$warpbeam" run --strict --check race -- ./race
check 0 err 'kept in advance-2.trace' "$warpbeam" run --stop-at advance:2 -- ./bfs
check 0 out '^advance on ' "$warpbeam" run advance-2.trace
check 0 out 'right' "$warpbeam" run --report dearest.html -- ./matmul
ok 'the page is of the dearest launch' grep -q multiply dearest.html

finish
