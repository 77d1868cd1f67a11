#!/bin/sh
# Host instructions and cycles of frequent handlers, by llvm-mca, for processors that are not here.
# mca.sh [HANDLER]...
# Handlers of the base level as clang compiles them: a row of 32 lanes by vectors of four. Instructions are those up to
# the first jump to another handler; cycles are of a loop of them alone, with all data in the first cache. `gather` is
# no handler, but the load of a word for each lane in those of shared memory.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
floats="fadd_full_fast fmul_full_fast fmad_full_fast"
handlers=${*:-$floats add_full shr_u32_full mul_u24_full set_s32_full add_some gather}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/gather.c" <<'END'
#include "mem/lane_words.h"
void gather(const uint8_t *base, uint32_t out[32], const uint32_t addr[32], uint32_t lanes);
void gather(const uint8_t *base, uint32_t out[32], const uint32_t addr[32], uint32_t lanes)
{
	words_gather(base, out, addr, 32, lanes);
}
END

compile() {   # TRIPLE OPTION...
	triple=$1
	shift
	for source in "$root/core/isa/tesla/handlers_words.c" "$work/gather.c"; do
		clang --target="$triple" "$@" -std=gnu11 -O3 -ffp-contract=off -fno-trapping-math -fno-math-errno \
			-fno-strict-aliasing -D_GNU_SOURCE -DNDEBUG -DSIMD_LEVEL=base -I "$root" -S -o - "$source"
	done >"$work/$triple.s"
}

count() {   # HANDLER TRIPLE CPU
	awk -v name="$1:" '
		$1 == name { inside = 1 }
		inside && /\.Lfunc_end/ { exit }
		!inside || /^\t\.(cfi|p2align|type|size|section|globl)/ { next }
		{ print }
		/^\t(br|jmpq|retq?)(\t|$)/ || /TAILCALL/ { exit }' "$work/$2.s" >"$work/handler.s"
	llvm-mca -mtriple="${2%%-*}" -mcpu="$3" -iterations=100 "$work/handler.s" 2>/dev/null |
		awk '/^Instructions:/ { n = $2 } /^Total Cycles:/ { printf " %d | %.0f |", n / 100, $3 / 100 }'
}

compile x86_64-linux-gnu
compile aarch64-linux-gnu -isystem /usr/aarch64-linux-gnu/include
echo '| handler | x86-64 | znver3 | skylake | AArch64 | neoverse-n1 | apple-m1 |'
echo '|---|---:|---:|---:|---:|---:|---:|'
for handler in $handlers; do
	printf '| `%s` |' "$handler"
	count "$handler" x86_64-linux-gnu znver3
	count "$handler" x86_64-linux-gnu skylake | sed 's/^ [0-9]* |//'
	count "$handler" aarch64-linux-gnu neoverse-n1
	count "$handler" aarch64-linux-gnu apple-m1 | sed 's/^ [0-9]* |//'
	echo
done
