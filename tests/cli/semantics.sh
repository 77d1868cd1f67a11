#!/bin/sh
# The semantics of programs that race, spin, or are malformed.   semantics.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

# ---- Turns without timing: warp 1 stores 7 at once, warp 0 stores 5 to the same word 300 instructions later.
cat >late.s <<'END'
.kernel late
.chip g200
.block 64
.smem 0x40
.arg zero=4
.const 1 0: 1
	shr u32 $r1 $r0 0x5
	mov b32 $r2 0x7
	and b32 $c0 # $r1 $r1
	(lg $c0) bra #store
	mov b32 $r2 0x5
	mov b32 $r3 0x96
loop:
	sub b32 $c0 $r3 $r3 c1[0x0]
	(lg $c0) bra #loop
store:
	st b32 s[0x20] $r2
	bar inc wait 0x0 all
	mov b32 $r4 b32 s[0x10]
	mov b32 $r5 b32 s[0x20]
	exit st b32 g14[$r4] $r5
END
check 0 out '^arg 0 \[0\] 5$' "$warpbeam" run late.s --show 0:u32
check 0 out '^arg 0 \[0\] 5$' "$warpbeam" run late.s --show 0:u32 --timing off
check 0 out '^arg 0 \[0\] 5$' "$warpbeam" run late.s --show 0:u32 --timing off --grid 40 --threads 2
check 0 out '^arg 0 \[0\] 7$' "$warpbeam" run late.s --show 0:u32 --timing off --slice 4096
check 1 err 'race: s\[0x20\]: store at pc' "$warpbeam" run late.s --check race
check 2 err 'found 0, expected 1 or more' "$warpbeam" run late.s --slice 0
check 2 err 'means nothing on machine pica' "$warpbeam" run "$root/examples/diffuse.vsh" --slice 5

# ---- A warm launch: no warp waits for its first instructions, by every way to execute; the bill is a cold launch's.
check 0 out ', code cache filled$' "$warpbeam" run "$root/examples/ifelse.s" --warm
! grep -q ' fetch ' out
result $? 'a program that fits its code cache waits for instructions in a warm launch'
check 0 out ' fetch ' "$warpbeam" run "$root/examples/ifelse.s"
for example in matmul bitonic textured-triangle; do
	for how in --fast-forward --in-order '--threads 3' --no-threaded-code --no-fast-forward; do
		# shellcheck disable=SC2086
		"$warpbeam" run "$root/examples/$example.s" --json --mps 3 --warm $how |
			sed '/"execution":/d; /"precise_reason":/d' >"ways.${how%% *}"
		cmp ./ways.--fast-forward "ways.${how%% *}"
		result $? "$example: --warm $how gives another report"
	done
	for warm in --warm --no-warm; do
		"$warpbeam" bill "$root/examples/$example.s" --mps 3 $warm | grep ' useful ' >useful$warm
	done
	cmp useful--warm useful--no-warm && [ -s useful--warm ]
	result $? "$example: --warm gives another bill"
done
# Lines that have no place in a cache are fetched: a program longer than the first level still waits.
{
	printf '.kernel long\n.chip g200\n.block 32\n'
	for i in $(seq 3000); do printf '\tadd b32 $r1 $r1 $r2\n'; done
	printf '\texit nop\n'
} >long.s
check 0 out ' fetch ' "$warpbeam" run long.s --warm

# A slice of n keeps two warps within n instructions of each other: warp 0 stores 300 instructions late, so of slices
# below that none lets it be first, be they shorter than the interpreter's runs or not.
for slice in 1 2 63 64 127 128 129 200 299; do
	check 0 out '^arg 0 \[0\] 5$' "$warpbeam" run late.s --show 0:u32 --timing off --slice $slice
done

# ---- Flags of 16 bits, whatever becomes of the sum: 0xffff + 1 is zero with a carry, in a register and discarded.
for sum in '$r9l' '#'; do
	cat >flags.s <<-END
		.kernel flags
		.chip g200
		.block 32
		.arg zero=4
		.arg u32=0xffff
		.const 1 0: 1
			add b16 \$c0 $sum u16 s[0x14] c1[0x0]
			mov \$r1 \$c0
			mov b32 \$r4 b32 s[0x10]
			exit st b32 g14[\$r4] \$r1
	END
	for how in '' '--timing off' '--check race'; do
		# shellcheck disable=SC2086
		check 0 out '^arg 0 \[0\] 5$' "$warpbeam" run flags.s --show 0:u32 $how
	done
done

# ---- Livelock: a loop of 1.5 million cycles that stores nothing is no livelock.
loop() {
	printf '.kernel loop\n.chip g200\n.block 32\n.arg zero=4\n.const 1 0: %s\n' "$1"
	printf '\tmov b32 $r3 0xd000\nloop:\n\tsub b32 $c0 $r3 $r3 c1[0x0]\n\t%sbra #loop\n' "$2"
	printf '\tmov b32 $r4 b32 s[0x10]\n\texit st b32 g14[$r4] $r3\n'
}
loop 1 '(lg $c0) ' >finite.s
loop 1 '' >counts.s         # for ever, and never in the same state: 2^32 trips apart
loop 0 '' >spins.s          # for ever in the same state
for how in '' '--timing off' --in-order '--check race'; do
	# shellcheck disable=SC2086
	silent 0 err 'livelock' "$warpbeam" run finite.s $how --show 0:u32
done
check 0 out '^ *1,[0-9]*,[0-9]*  cycles' "$warpbeam" run finite.s
check 7 err 'livelock, suspected: no store' "$warpbeam" run finite.s --livelock 1000000
check 6 err 'warning: a livelock is suspected: no store, exit, barrier release or unlock in the last [23]' \
	"$warpbeam" run counts.s --max-cycles 3000000
check 6 err 'warning: a livelock is suspected' "$warpbeam" run counts.s --max-cycles 3000000 --timing off
silent 6 err 'suspected' "$warpbeam" run counts.s --max-cycles 900000
# A person who interrupts a loop needs no such word.
silent 130 err 'suspected' timeout --preserve-status -s INT 3 "$warpbeam" run counts.s
check 7 err 'livelock, suspected' "$warpbeam" run counts.s --livelock 200000

# Registers of the upper 32 of 64 lanes are part of the state.
cat >upper.s <<'EOF'
.chip tahiti
.kernel upper
.block 64
	s_mov_b32 exec_lo, 0
	v_mov_b32 v1, 0
loop:
	v_add_i32 v1, vcc, 1, v1
	v_cmp_gt_u32 vcc, 0x40000, v1
	s_cbranch_vccnz loop
	s_endpgm
EOF
for how in '' '--timing off' --in-order; do
	# shellcheck disable=SC2086
	check 0 out '^ *786,435  instructions' "$warpbeam" run upper.s $how
done

# A run stops soon after N cycles, never before, at the same cycle by every way to execute.
stops() {       # MOST HOW...: counts.s idles from its start
	most=$1
	shift
	"$warpbeam" run counts.s "$@" --json >out 2>err
	status=$?
	cycles=$(sed -n 's/.*"cycles": *\([0-9]*\).*/\1/p' out | head -n 1)
	[ $status = 7 ] && [ "${cycles:-0}" -ge "$n" ] && [ "$cycles" -le "$most" ]
	result $? "counts.s $*: exit $status after ${cycles:-no} cycles, expected exit 7 after $n to $most"
}
for n in 100 1000 10000 300000; do
	for how in '' --in-order '--grid 40 --block 96' '--grid 40 --threads 2' '--grid 40 --policy gto --in-order'; do
		# shellcheck disable=SC2086
		stops $((n + n / 8 + 1500)) --livelock $n $how
	done
	stops $((n + n / 8 + 2 * 4 * 256)) --livelock $n --timing off
	stops $((n + n / 8 + 4 * 4 * 256)) --livelock $n --timing off --block 96
	stops $((n + n / 8 + 2 * 4 * 32768)) --livelock $n --timing off --grid 40
done
sed 's/^loop:/&\n\tmov b32 $r5 b32 s[0x10]\n\tst b32 g14[$r5] $r3/' finite.s >stores.s     # in each trip
sed -i 's/0xd000/0x400/' stores.s
for how in '' --in-order '--timing off' '--grid 40 --timing off' '--grid 40 --in-order' '--grid 40 --threads 2'; do
	# shellcheck disable=SC2086
	check 0 out cycles "$warpbeam" run stores.s --livelock 700 $how
done

for how in '' '--timing off' --in-order '--block 512 --grid 60' '--threads 2 --grid 60' '--livelock none' \
	'--policy random' '--policy two-level --group 4 --block 512'; do
	# shellcheck disable=SC2086
	check 7 err 'livelock, proven' timeout 60 "$warpbeam" run spins.s $how
done

# ---- c[] at 0x6 is the word at 0x4, with a notice; a half at 0x6 is read as written.
cat >odd.s <<'END'
.kernel odd
.chip g200
.block 32
.arg zero=8
.const 1 0: 0x11111111 0x22223333 0x44444444
	mov b32 $r1 0x6
	shl $a1 $r1 0x0
	mov b32 $r4 b32 s[0x10]
	ld $r5 b32 c1[$a1]
	st b32 g14[$r4] $r5
	ld $r6 u16 c1[$a1]
	add b32 $r4 $r4 0x4
	exit st b32 g14[$r4] $r6
END
for how in '' '--timing off' --in-order; do
	# shellcheck disable=SC2086
	check 0 out '^arg 0 \[0\] 572666675 8738$' "$warpbeam" run odd.s --show 0:u32 $how
	# shellcheck disable=SC2086
	check 0 err '1 c\[\] accesses at addresses that are not a multiple of the size.*first at pc 0x' \
		"$warpbeam" run odd.s $how
done
check 5 err 'CONST_MISALIGNED.*lanes 0xffffffff, address 0x6: ' "$warpbeam" run odd.s --strict
check 0 out 'rounded down to a multiple of the size' "$warpbeam" isa tesla

# ---- Lanes that part and never meet again: the branch is named and charged, and the advice helps.
advice='put `joinat #tail` before it, and `join` on .* pc 0x28'
for how in '' '--timing off' --in-order; do
	# shellcheck disable=SC2086
	check 0 err "part at pc 0x8 (line [0-9]*) .*192 lane slots: $advice" "$warpbeam" run unreconverged $how
done
sed -e 's/^split:/	joinat #tail\n&/' -e 's/^	mov b32 $r5 b32 s/	join mov b32 $r5 b32 s/' \
	-e '/expect/d' "$root/examples/unreconverged.s" >met.s
silent 0 err 'warning' "$warpbeam" run met.s
# An immediate form takes no join: a nop does.
cat >part.s <<'END'
.kernel part
.chip g200
.block 32
	mov b32 $r3 0x10
	and b32 $c0 $r1 $r0 $r3
	(lg $c0) bra #odd
	mov b32 $r4 0x1
	bra #end
odd:	mov b32 $r4 0x2
end:	mov b32 $r5 0x3
	mov b32 $r6 0x3
	exit nop
END
check 0 err '`joinat #end` before it, and `join` on .* pc 0x30 .*, or `join nop` before that' "$warpbeam" run part.s
sed -e 's/^	(lg/	joinat #end\n&/' -e 's/^end:/end:	join nop\n/' part.s >parted.s
silent 0 err 'warning' "$warpbeam" run parted.s
cat >trips.s <<'END'
.kernel trips
.chip g200
.block 32
.arg zero=128
.const 1 0: 1 7
	and b32 $r1 $r0 c1[0x4]
	add b32 $r1 $r1 0x1
loop:
	sub b32 $c0 $r1 $r1 c1[0x0]
	(lg $c0) bra #loop
	shl b32 $r3 $r0 0x2
	add b32 $r3 b32 s[0x10] $r3
	exit st b32 g14[$r3] $r1
END
check 0 err 'ends a loop: put `breakaddr 0x[0-9a-f]*` before the loop, and leave it by a guarded `break`' \
	"$warpbeam" run trips.s
# Lanes that only end elsewhere lose nothing by it: a guard around the whole program is no missing joinat.
cat >guard.s <<'END'
.kernel guard
.chip g200
.block 32
.arg zero=128
.const 1 0: 1
	and b32 $c0 # $r0 c1[0x0]
	(lg $c0) bra #end
	shl b32 $r3 $r0 0x2
	add b32 $r3 b32 s[0x10] $r3
	st b32 g14[$r3] $r0
end:
	exit nop
END
silent 0 err 'warning' "$warpbeam" run guard.s

# ---- $pm counts the selected signal, pmevent included; a signal without a count is refused by name.
cat >pm.s <<'END'
.kernel pm
.chip g200
.block 64
.arg zero=1024
.const 1 0: 1
	mov b32 $r4 b32 s[0x10]
	shl b32 $r1 $r0 0x2
	add b32 $r4 $r4 $r1
	and b32 $c0 # $r0 c1[0x0]
	joinat #met
	(lg $c0) bra #met
	pmevent 0x3
met:
	join nop
	pmevent 0xf
	(never) pmevent 0x3
	bar inc wait 0x0 all
	mov $r2 $pm0
	mov $r3 $pm1
	st b32 g14[$r4] $r2
	add b32 $r4 $r4 0x100
	exit st b32 g14[$r4] $r3
END
for how in '' '--timing off' --in-order; do
	# shellcheck disable=SC2086
	check 0 out '^arg 0 \[0\] 2 2$' "$warpbeam" run pm.s --pm 0=prof_trigger_03 --pm 1=prof_trigger_15 --show \
		0:u32:2 $how
	# shellcheck disable=SC2086
	check 0 out '^ *2  prof_trigger_03' "$warpbeam" run pm.s $how
done
check 0 out '^arg 0 \[0\] 2 2$' "$warpbeam" run pm.s --pm 0=divergent_branch --show 0:u32:2
check 0 out '^arg 0 \[0\] 1 1$' "$warpbeam" run pm.s --pm 0=sm_cta_launched --show 0:u32:2
check 2 err 'sm_cta_launched, prof_trigger_00' "$warpbeam" run pm.s --pm 0=prof_trigger_16
check 2 err 'chip g200 has no such signal' "$warpbeam" run pm.s --pm 0=gld_coherent
check 2 err 'stats-level full alone' "$warpbeam" run pm.s --pm 0=gst_64b --stats-level counters
check 2 err 'sm_cta_launched, prof_trigger_00' "$warpbeam" run pm.s --pm 4=cycles
sed -e 's/mov $r2 $pm0/st b32 g14[$r4] $r0/' -e 's/st b32 g14\[$r4\] $r2/mov $r2 $pm0\n\tst b32 g14[$r4] $r2/' pm.s \
	>stores.s
for how in '--timing off' --in-order; do
	# shellcheck disable=SC2086
	check 0 out '^arg 0 \[32\] [24] ' "$warpbeam" run stores.s --pm 0=gst_64b --show 0:u32 $how
done

# ---- The mode register.
cat >mode.s <<'END'
.kernel mode
.chip g200
.block 32
.arg zero=16
	mov b32 $r4 b32 s[0x10]
	mov b32 $r1 0x0
	mov b32 $r2 0x7f800000
	mov b32 $r5 0x3f800000
	mul rn f32 $r3 $r1 $r2
	st b32 g14[$r4] $r3
	add b32 $r4 $r4 0x4
	add f32 $r3 (mul $r1 $r2) $r5
	st b32 g14[$r4] $r3
	add b32 $r4 $r4 0x4
	mov b32 $r6 0x7fffffff
	add sat rn f32 $r3 $r6 $r1
	st b32 g14[$r4] $r3
	add b32 $r4 $r4 0x4
	mov b32 $r6 0xff800000
	add sat rn f32 $r3 $r6 $r2
	exit st b32 g14[$r4] $r3
END
nan=2147483647
check 0 out "^arg 0 \\[0\\] $nan $nan $nan $nan\$" "$warpbeam" run mode.s --show 0:u32
check 0 out "^arg 0 \\[0\\] 0 1065353216 $nan $nan\$" "$warpbeam" run mode.s --show 0:u32 --mp-mode 2
check 0 out "^arg 0 \\[0\\] $nan $nan 0 $nan\$" "$warpbeam" run mode.s --show 0:u32 --mp-mode 0x80000
check 0 out "^arg 0 \\[0\\] $nan $nan 0 0\$" "$warpbeam" run mode.s --show 0:u32 --mp-mode 0x80000 --chip mcp77
check 2 err 'chip g84 has no such bit' "$warpbeam" run mode.s --mp-mode 0x80000 --chip g84
check 2 err "no other bit's meaning is known" "$warpbeam" run mode.s --mp-mode 4

# ---- g[] as a surface: x in bits 15:0, y in 31:16, tiles of 64 bytes by 4 rows. Thread n writes n at x = 4n, y = 1 and
# 5; with tiles side by side row 1 is at 0x40 and 0x140, row 5 at 0x240 and 0x340.
cat >surface.s <<'END'
.kernel surface
.chip g200
.block 32
.smem 0x40
	shl b32 $r1 $r0 0x2
	add b32 $r1 $r1 0x10000
	st b32 g3[$r1] $r0
	add b32 $r1 $r1 0x40000
	exit st b32 g3[$r1] $r0
END
for how in '' '--timing off' --in-order; do
	# shellcheck disable=SC2086
	check 0 out '' "$warpbeam" run surface.s --global 3:2d:128:8:out=rows:1024 $how
	check 0 out '^ 0000000 16 17 16 17$' sh -c \
		'for at in 320 832; do od -An -tu4 -j $at -N 8 rows; done | xargs echo " 0000000"'
	# shellcheck disable=SC2086
	check 0 out '^ 0000000 16 17$' sh -c \
		'"$0" run surface.s --global 3:2d:128:8:1:out=rows:1024 '"$how"' >/dev/null &&
		od -An -tu4 -j 832 -N 8 rows | xargs echo " 0000000"' "$warpbeam"
done
check 5 err 'GLOBAL_OUTSIDE_SURFACE.*address 0x10040' "$warpbeam" run surface.s --global 3:2d:64:8:zero=512
check 5 err 'GLOBAL_OUTSIDE_SURFACE.*address 0x50000' "$warpbeam" run surface.s --global 3:2d:128:5:zero=1024
check 2 err 'expected at least the 1024 that' "$warpbeam" run surface.s --global 3:2d:128:5:zero=1023
check 2 err 'a multiple of 64' "$warpbeam" run surface.s --global 3:2d:100:5:zero=1024
check 2 err '1 to 65536 rows' "$warpbeam" run surface.s --global 3:2d:128:0:zero=1024
check 2 err 'with 0 to 5' "$warpbeam" run surface.s --global 3:2d:128:8:6:zero=1024

finish
