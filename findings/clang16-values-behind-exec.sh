#!/bin/sh
# A good guess: code without optimisation is slow, and right.
# Really: for AMD clang 16 without optimisation loads a vector register while lanes of the other side of a branch are
# off, sets EXEC, and stores the register for all lanes: those of the other side get what was in the register, not their
# value. `e > 1 ? (e > 2 ? r : 8) : 9` by lane is enough. clang 14, 15 and 19 do not, nor does 16 with its other
# allocator of registers (-mllvm -optimize-regalloc), the usual one from -O1 on. LLVM's issue 61083, pull request 69924.
# Consequence: get_global_id(1), which libraries write as a choice by dimension, was 0 at -O0 in every kernel.
. "$(dirname "$0")/packages.sh"
clangs 14 15 16 19

cat >choice.cl <<'END_OF_SOURCE'
kernel void choice(global int *p)
{
	int l = __builtin_amdgcn_workitem_id_x(), e = l & 3, r;
	switch (e) {
	case 0: r = __builtin_amdgcn_workgroup_id_x(); break;
	case 1: r = __builtin_amdgcn_workgroup_id_y(); break;
	case 2: r = __builtin_amdgcn_workgroup_id_z(); break;
	default: r = 0;
	}
	p[l] = e > 1 ? (e > 2 ? r : 8) : 9;
}
END_OF_SOURCE
cat choice.cl
# Registers of a block that are loaded before EXEC gets further lanes, and stored behind. Code that spills for all lanes
# (EXEC is -1) is another matter.
cat >behind.awk <<'END_OF_SOURCE'
/^\.LBB|^; %bb/ { loaded = ""; widened = 0 }
/s_or_saveexec_b64.*, -1/ { loaded = ""; next }
/buffer_load.*Folded Reload/ { loaded = $2; widened = 0 }
loaded != "" && /s_or_saveexec_b64|s_or_b64 exec/ { widened = 1 }
widened && /buffer_store.*Folded Spill/ && $2 == loaded { n++; loaded = "" }
END { print n + 0 }
END_OF_SOURCE
behind() {   # MAJOR OPTION...
	major=$1
	shift
	llvm "$major" clang -x cl -cl-std=CL1.2 -target amdgcn-unknown-amdhsa -mcpu=gfx900 -nogpulib "$@" -S choice.cl \
		-o code.s
	awk -f behind.awk code.s
}
for major in 14 15 16 19; do
	tool $major clang
done
stated 'clang 14 -O0' "$(behind 14 -O0)" 0
stated 'clang 15 -O0' "$(behind 15 -O0)" 0
stated 'clang 16 -O0' "$(behind 16 -O0)" 2
stated 'clang 16 -O0 -optimize-regalloc' "$(behind 16 -O0 -mllvm -optimize-regalloc)" 0
stated 'clang 16 -O1' "$(behind 16 -O1)" 0
stated 'clang 19 -O0' "$(behind 19 -O0)" 0
exit $status
