#!/bin/sh
# The test of upper halves must be able to fail: small listings, each with what is to be found in it.
#   upper_halves_test.sh AWK_PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# WHAT is found in the functions on stdin, a line an instruction, its address the number of the line before it; `NAME:`
# begins a function. Empty: the functions are right.
finds() {
	awk '/:$/ { at = sprintf("%x", NR); sub(/:/, ""); printf "\n%s <%s>:\n", at, $0; next }
		{ printf "  %x:\t%s\n", NR - 1, $0 }' >"$work/list"
	status=0
	awk -f "$program" "$work/list" "$work/list" >"$work/out" || status=$?
	[ -n "$1" ] && wanted=1 || wanted=0
	if [ "$status" = "$wanted" ] && grep -q "$1" "$work/out"; then
		passed=$((passed + 1))
		return
	fi
	echo "found in this, and expected '${1:-nothing}':"
	cat "$work/out" "$work/list"
	failed=$((failed + 1))
}

finds '' <<'END'
clean:
vmovaps (%rdi),%zmm0
vmovaps %zmm0,(%rsi)
vzeroupper
ret
END
finds 'a return: f at 3' <<'END'
f:
vmovaps (%rdi),%zmm0
vmovaps %zmm0,(%rsi)
ret
END
finds 'an indirect jump: f at 2' <<'END'
f:
vpaddd %ymm1,%ymm2,%ymm3{%k1}{z}
jmp    *%rax
END
finds 'a jump to another function: f at 2' <<'END'
f:
vmovaps (%rdi),%ymm0
jmp    4 <g>
g:
ret
END
finds 'a call: f at 2' <<'END'
f:
vmovaps (%rdi),%ymm0
call   99 <g>
vzeroupper
ret
END
finds 'SSE-encoded: f at 2' <<'END'
f:
vmovaps (%rdi),%ymm0
addps  %xmm1,%xmm2
vzeroupper
ret
END
finds 'a return: f at 5' <<'END'
f:
test   %eax,%eax
je     4 <f+0x3>
vmovaps (%rdi),%ymm0
nop
ret
END
finds 'a return: f.cold at 7' <<'END'
f:
vmovaps (%rdi),%ymm0
jne    6 <f.cold>
vzeroupper
ret
f.cold:
nop
ret
END
finds 'SSE-encoded: f at 5' <<'END'
f:
vmovaps (%rdi),%ymm0
movslq (%rdx,%rax,4),%rax
add    %rdx,%rax
jmp    *%rax
pxor   %xmm0,%xmm0
vzeroupper
ret
END
# Registers 16 to 31 and writes of the lower halves leave the upper halves clear; a loop comes to its end.
finds '' <<'END'
f:
vmovaps (%rdi),%ymm16
vmovaps (%rdi),%xmm1
vmovaps %xmm1,(%rsi)
addps  %xmm1,%xmm2
jne    1 <f>
ret
END
finds 'no function uses' <<'END'
f:
ret
END

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
