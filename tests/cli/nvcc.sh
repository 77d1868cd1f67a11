#!/bin/sh
# Kernels of CUDA C++ (nvcc/*.cu), as nvcc makes PTX of these, with and without optimisation, give the words of the same
# text compiled as plain C++ (nvcc/host.h). WB_TEST_ALL: every way of nvcc, and registers for values to be spilled.
# nvcc.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$1
source=$2
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null && command -v g++ >/dev/null || {
	echo "skipped: no nvcc, or no g++"
	exit 77
}

# 256 words of all sizes and both signs
awk 'BEGIN {
	x = 12345
	for (i = 0; i < 256; i++) {
		for (k = 0; k < 4; k++) {
			x = (x * 1103515245 + 12345) % 2147483648
			printf("\\%03o", k > i % 4 ? (i % 3 ? 0 : 255) : int(x / 65536) % 256)
		}
	}
}' >"$work/octal"
printf "$(cat "$work/octal")" >"$work/in"

# One way to compile a file, and its kernels: OPTIONS OF NVCC, OPTIONS OF WARPBEAM
way() {
	nvcc -ptx $1 "$source/tests/nvcc/$file.cu" -o "$work/$file.ptx" 2>"$work/err" || {
		cat "$work/err"
		result 1 "$file: nvcc $1"
		return
	}
	for kernel in $("$work/$file"); do
		for n in 5 2; do
			"$work/$file" "$kernel" "$work/in" "$work/want" $n || { result 1 "$kernel: model"; continue; }
			"$warpbeam" run "$work/$file.ptx" --chip g200 --kernel "$kernel" --grid 4 --block 64 \
				--timing off -q $2 -a in="$work/in" -a out="$work/found":1024 -a s32=$n \
				>"$work/out" 2>"$work/err" &&
				cmp -s "$work/want" "$work/found"
			result $? "$file.cu: $kernel, nvcc $1, warpbeam $2: $(grep -v warning "$work/err" | head -n 1)"
		done
	done
}

for file in pointers objects memories; do
	g++ -std=c++17 -O1 -fwrapv -w -x c++ "$source/tests/nvcc/$file.cu" -o "$work/$file" || {
		result 1 "$file: g++"
		continue
	}
	way "-arch=sm_75 -O3 -w" ""
	way "-arch=sm_75 -O0 -G -w" ""
	[ "${WB_TEST_ALL:-}" ] || continue
	way "-arch=sm_75 -O3 -w" "--max-regs 16"
	way "-arch=sm_75 -O3 -lineinfo -w" "--reconverge minpc"
	way "-arch=sm_90 -O3 -w" ""
	way "-arch=sm_90 -O0 -G -w" "--max-regs 24"
	way "-arch=sm_80 -O1 -w" "--reconverge ipdom"
done
finish
