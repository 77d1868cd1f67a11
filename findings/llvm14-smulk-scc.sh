#!/bin/sh
# A good guess: LLVM's tables of instructions are the best written source on what an instruction changes. Really:
# LLVM 14's table says that s_mulk_i32 writes SCC, as the Southern Islands manual does, yet LLVM 14 itself puts
# s_mulk_i32 between s_add_u32 and s_addc_u32, where SCC is the carry (s_mul_i32 stands there first and is shortened
# late); LLVM 19's table has no SCC, and the same code. CLRX's manual says "SCC has not been changed".
# Consequence: an emulator that trusts the table loses the carry of 64-bit addresses, and compiled programs fault.
. "$(dirname "$0")/packages.sh"
llvms 14 19

cat >multiply.ll <<'END'
define amdgpu_kernel void @multiply(ptr addrspace(1) %out, i64 %a, i64 %b, i32 %n) {
	%sum = add i64 %a, %b
	%product = mul i32 %n, 1000
	%wide = zext i32 %product to i64
	%second = getelementptr i64, ptr addrspace(1) %out, i64 1
	store i64 %sum, ptr addrspace(1) %out
	store i64 %wide, ptr addrspace(1) %second
	ret void
}
END
# A text of machine instructions is refused where a register of the table is missing.
cat >table.mir <<'END'
---
name: table
body: |
  bb.0:
    liveins: $sgpr0
    $sgpr0 = S_MULK_I32 $sgpr0, 1000
    S_ENDPGM 0
...
END
cat multiply.ll table.mir
table() {   # MAJOR
	if llvm "$1" llc -mtriple=amdgcn -mcpu=gfx900 -run-pass=none -o - table.mir >text 2>message; then
		echo 'takes the instruction without SCC'
	else
		grep error message >&2
		grep -q "missing implicit register operand 'implicit-def \$scc'" message && echo 'wants SCC'
	fi
}
for major in 14 19; do
	tool $major llc
	case $major in
	14) pointers=-opaque-pointers said='wants SCC' ;;
	*) pointers='' said='takes the instruction without SCC' ;;
	esac
	stated 'the table' "$(table $major)" "$said"
	llvm $major llc $pointers -mtriple=amdgcn -mcpu=gfx900 -o - multiply.ll >all
	grep '^	s_add\|^	s_mul' all >code
	cat code
	stated 'the code' "$(echo $(awk '{ print $1 }' code))" 's_add_u32 s_mulk_i32 s_addc_u32'
done
exit $status
