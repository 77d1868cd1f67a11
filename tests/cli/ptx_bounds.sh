#!/bin/sh
# Files that are long, deep, wide or wild end in a program or in a diagnostic, in seconds. Sizes are a small part of the
# limits of a file; WB_PTX_BYTES=16000000 asks for files of that size.   ptx_bounds.sh WARPBEAM
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
bytes=${WB_PTX_BYTES:-60000}
cd "$work" || exit 1
head='.version 1.4\n.target sm_13\n'

# ends WHAT: the file k.ptx is a program (exit 0) or is refused (exit 4 with a line).
ends_well() {
	timeout 100 "$warpbeam" info k.ptx >out 2>err
	status=$?
	[ $status = 0 ] || { [ $status = 4 ] && grep -q 'k\.ptx' err; }
	result $? "$1: exit $status, $(head -c 200 err)"
}

# repeated TEXT: the text again and again, with the number of the repetition for each '#'. (gsub takes square time in
# mawk.)
repeated() {
	awk -v text="$1" -v bytes="$bytes" 'BEGIN {
		pieces = split(text, piece, /[#~]/)
		for (k = 1; k < pieces; k++) {
			at += length(piece[k]) + 1
			mark[k] = substr(text, at, 1)
		}
		for (n = 0; made < bytes; n++) {
			line = piece[1]
			for (k = 1; k < pieces; k++)
				line = line (mark[k] == "#" ? n : (n * 7919) % int(bytes / 40)) piece[k + 1]
			printf "%s", line
			made += length(line)
		}
	}'
}

regs='.reg .u32 %r<9>; .reg .pred %p<4>;'
{ printf "$head.entry k () { %s" "$regs"; repeated 'add.u32 %r1, %r1, %r2;\n'; echo 'exit; }'; } >k.ptx
ends_well 'a straight line'
{ printf "$head.file 1 \"a.c\"\n.entry k () { %s" "$regs"; repeated '.loc 1 # 1\n'; echo 'exit; }'; } >k.ptx
ends_well 'lines'
{ printf "$head.entry k () { %s" "$regs"; repeated 'l#: @%p1 bra l#; bar.sync 0;\n'; echo 'exit; }'; } >k.ptx
ends_well 'loops'
{ printf "$head.entry k () { %s" "$regs"; repeated 'setp.lt.u32 %p1, %r2, #; @%p1 bra l#; bar.sync 0;\nl#:\n'
	echo 'st.global.u32 [%r1], %r2; exit; }'; } >k.ptx
ends_well 'branches one behind another'
{ printf "$head.entry k () { %s cvt.u32.u16 %%r2, %%tid.x;" "$regs"
	repeated 'setp.lt.u32 %p1, %r2, #; @%p1 bra end; bar.sync 0;\n'
	echo 'end: st.global.u32 [%r1], %r2; exit; }'; } >k.ptx
ends_well 'branches to one label'
{ printf "$head.entry k () { %s cvt.u32.u16 %%r2, %%tid.x;" "$regs"
	repeated 'add.u32 %r3, %r3, %r2; setp.lt.u32 %p1, %r3, #; @%p1 bra end; bar.sync 0;\n'
	echo 'end: st.global.u32 [%r1], %r3; exit; }'; } >k.ptx
ends_well 'branches to one label with another value each'
{ printf "$head.entry k () { %s cvt.u32.u16 %%r2, %%tid.x;" "$regs"
	repeated 'setp.lt.u32 %p1, %r2, #; @%p1 bra l#; add.u32 %r3, %r2, 1; st.global.u32 [%r3], %r2;
bar.sync 0; l#:\n'
	echo 'exit; }'; } >k.ptx
ends_well 'the same operation side by side'
{ printf "$head.entry k () { %s cvt.u32.u16 %%r2, %%tid.x;" "$regs"
	repeated 'l#: setp.lt.u32 %p1, %r2, #; @%p1 bra m#; add.u32 %r2, %r2, 1;\n'
	awk -v bytes="$bytes" 'BEGIN {
		for (n = int(bytes / 60); n >= 0; n--)
			printf "m%d: st.global.u32 [%%r1], %%r2;\n", n
	}'
	echo 'exit; }'; } >k.ptx
ends_well 'one branch inside another'
{ printf "$head.entry k () { %s" "$regs"; repeated 'm#: @%p1 bra m~;\n'
	repeated 'm#9999999: bar.sync 0;\n'; echo 'exit; }'
} >k.ptx
ends_well 'jumps everywhere, some to nowhere'
{ printf "$head"; repeated '.entry k# () { exit; }\n'; } >k.ptx
ends_well 'entries'
{ printf "$head"; repeated '.global .u32 g# = #;\n'; echo '.entry k () { exit; }'; } >k.ptx
ends_well 'variables'
{ printf "$head"; repeated '.func f# () { ret; }\n'; echo '.entry k () { call f0, (); exit; }'; } >k.ptx
ends_well 'functions'
{ printf "$head.func f0 () { ret; }\n"
	awk 'BEGIN {
		for (n = 1; n < 60; n++)
			printf ".func f%d () { call f%d, (); call f%d, (); ret; }\n", n, n - 1, n - 1
	}'
	echo '.entry k () { call f59, (); exit; }'; } >k.ptx
ends_well 'calls that double'
{ printf "$head.entry k () "; repeated '{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{'; } >k.ptx
ends_well 'braces'
{ printf "$head.entry k () { %s add.u32 %%r1" "$regs"; repeated ', %r1'; echo '; exit; }'; } >k.ptx
ends_well 'operands'
{ printf "$head.entry k () {"; repeated '.reg .u32 r#;\n'; echo 'exit; }'; } >k.ptx
ends_well 'registers'
{ printf "$head.entry k () {"
	awk 'BEGIN { for (n = 0; n < 300; n++) printf ".reg .u32 %%q%d; cvt.u32.u16 %%q%d, %%tid.x;\n", n, n }'
	repeated 'add.u32 %q1#, %q2#, %q3#;\n' | awk '{
		for (k = 1; k < 4; k++)
			sub(/%q[0-9]*/, "%" "Q" (NR * (7 + 4 * k) + k * 31) % 300)
		gsub(/Q/, "q")
		print
	}'; echo 'exit; }'; } >k.ptx
ends_well 'more values than registers'

# A sanitized build takes more address space for itself: its limits are tried without the bound on the process.
within='ulimit -v 400000; exec timeout 100 "$0" "$@"'
sh -c "$within" "$warpbeam" --version >/dev/null 2>&1 || within='exec timeout 100 "$0" "$@"'

# over_limit LIMIT OPTION...: the file k.ptx is refused by the limit (exit 6), in little more than the limit's memory.
over_limit() {
	limit=$1
	shift
	sh -c "$within" "$warpbeam" run k.ptx "$@" >out 2>err
	status=$?
	[ $status = 6 ] && grep -q "k\.ptx:[0-9]*:1: compiling .* limit of $limit" err
	result $? "$*: exit $status, $(head -c 200 err)"
}

{ printf "$head.entry k (.param .u32 a) { .reg .f64 %%d<4>; .reg .u32 %%r<2>; ld.param.u32 %%r1, [a];
ld.global.f64 %%d1, [%%r1]; ld.global.f64 %%d2, [%%r1+8];\n"
	repeated 'div.rn.f64 %d1, %d1, %d2; sqrt.rn.f64 %d2, %d1;\n'
	echo 'st.global.f64 [%r1], %d2; exit; }'; } >k.ptx
over_limit memory --max-memory 30M
over_limit time --max-memory 300M --max-seconds 0
{ printf "$head.entry k (.param .u32 a) { .reg .u32 %%i<700>, %%a; .reg .pred p; ld.param.u32 %%a, [a];\n"
	awk 'BEGIN {
		for (n = 0; n < 700; n++)
			printf "mov.u32 %%i%d, 0;\nl%d: st.global.u32 [%%a], %%i%d;\n", n, n, n
		while (n--)
			printf "add.u32 %%i%d, %%i%d, 1; setp.lt.u32 p, %%i%d, 3; @p bra l%d;\n", n, n, n, n
	}'; echo 'exit; }'; } >k.ptx
ends_well 'loops inside one another'
over_limit memory --max-memory 100M
over_limit time --max-seconds 0
{ printf "$head/*"; repeated 'a comment without an end, and not even a line of its own; '; } >k.ptx
ends_well 'a comment without an end'
{ printf "$head.const .u32 c[2] = "; repeated '{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{'; } >k.ptx
ends_well 'nested initial values'
{ printf "$head"; head -c "$bytes" "$warpbeam"; } >k.ptx
ends_well 'bytes of a program'
finish
