#!/bin/sh
# A good guess: a number that a compiler knows is the same number in every block of a function.
# Really: for AMD, by clang 14 and 19 from -O1 on, a conversion to an integer of constants that reach the instruction
# selector unfolded (calls of fabs and fmin with the attribute nobuiltin, as OpenCL C has all calls) is 0 in another
# block: `(q | (int)-1.95) & 3` is compiled as `q & 3`. At -O0 the `or` is there; without fmin all is right.
# Consequence: an if whose condition always holds is taken by some lanes, on every chip, without a word.
. "$(dirname "$0")/packages.sh"
clangs 14 19

cat >late.ll <<'END'
target triple = "amdgcn-unknown-amdhsa"
declare float @llvm.fabs.f32(float)
declare float @llvm.minnum.f32(float, float)
define amdgpu_kernel void @k(i32 addrspace(1)* %out, i32 %a, i32 %b, i32 %c) {
  %size = call float @llvm.fabs.f32(float 0xBFFB333340000000) #0
  %least = call float @llvm.minnum.f32(float %size, float 1.0e6) #0
  %sum = fadd float %least, 2.5e-01
  %less = fneg float %sum
  %number = fptosi float %less to i32
  store i32 %number, i32 addrspace(1)* %out
  %skip = icmp eq i32 %a, 0
  br i1 %skip, label %end, label %more
more:
  %q = udiv i32 %c, %b
  %bits = or i32 %q, %number
  %two = and i32 %bits, 3
  %none = icmp eq i32 %two, 0
  br i1 %none, label %end, label %store
store:
  store i32 7, i32 addrspace(1)* %out
  br label %end
end:
  ret void
}
attributes #0 = { nobuiltin "no-builtins" }
END
cat late.ll
code() {   # MAJOR LEVEL: what the code tests. Pointers of clang 14 have types.
	case $1 in 14) cp late.ll in.ll ;; *) sed 's/i32 addrspace(1)\*/ptr addrspace(1)/' late.ll >in.ll ;; esac
	llvm "$1" clang -target amdgcn-unknown-amdhsa -mcpu=gfx900 "$2" -nogpulib -x ir in.ll -S -o code.s
	if grep -q '^[[:space:]]*[sv]_or_b32' code.s; then
		echo 'q | number'
	elif grep -q '^[[:space:]]*[sv]_and_b32.* 3' code.s; then
		echo 'q alone'
	else
		echo 'no test'
	fi
}
for major in 14 19; do
	tool $major clang
	stated "clang $major -O0" "$(code $major -O0)" 'q | number'
	stated "clang $major -O1" "$(code $major -O1)" 'q alone'
	stated "clang $major -O2" "$(code $major -O2)" 'q alone'
done
exit $status
