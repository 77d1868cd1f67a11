#!/bin/sh
# A good guess: __shfl and __shfl_sync of an unsigned long long move two words, like those of a long long.
# Really: in clang 14's own CUDA header the overload for unsigned long long casts to its own type and calls itself. The
# optimiser knows that such a call never returns: of the kernel nothing is left, no shuffle, no store, not even a ret,
# and no message. 15 casts to long long first, and shuffles two words.
# Consequence: a reduction of unsigned long long compiled by clang 14 does nothing at best.
. "$(dirname "$0")/packages.sh"
clangs 14 15

cat >shuffle.cu <<'END'
#include <stddef.h>
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define CUDA_VERSION 11000
typedef unsigned int cuuint32_t;
constexpr int warpSize = 32;
__device__ inline void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
#include <__clang_cuda_intrinsics.h>
extern "C" __global__ void of_signed(long long *p) { p[0] = __shfl_sync(~0u, p[0], 0); }
extern "C" __global__ void of_unsigned(unsigned long long *p) { p[0] = __shfl_sync(~0u, p[0], 0); }
END
tail -n 2 shuffle.cu
left() {   # MAJOR KERNEL: instructions of the kernel
	llvm "$1" clang -x cuda --cuda-path=/nonexistent --cuda-device-only --cuda-gpu-arch=sm_30 -nocudainc \
		-nocudalib -Xclang -target-sdk-version=11.0 -Xclang -target-feature -Xclang +ptx65 -O2 -S -o - \
		shuffle.cu 2>messages |
		awk -v kernel="$2" '
			/\.entry/ { inside = index($0, kernel "(") }
			inside && /shfl/ { shuffles++ }
			inside && /st\.global|ret;/ { others++ }
			END { printf "%d shuffles, %d stores and returns", shuffles, others }'
	echo ", $(grep -c . messages) messages"
}
for major in 14 15; do
	tool $major clang
	stated 'long long' "$(left $major of_signed)" '2 shuffles, 2 stores and returns, 0 messages'
	case $major in
	14) stated 'unsigned long long' "$(left $major of_unsigned)" '0 shuffles, 0 stores and returns, 0 messages' ;;
	*) stated 'unsigned long long' "$(left $major of_unsigned)" '2 shuffles, 2 stores and returns, 0 messages' ;;
	esac
done
exit $status
