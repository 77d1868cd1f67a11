// Lane i goes round {base} + i times, then all lanes reconverge.
.kernel trips
.regs 32
.arg zero=256
	and b32 $r2 $r0 0x1f
	add b32 $r3 $r2 0x{base:x}
	mov b32 $r4 0x0
	breakaddr #out
round:
	set $c0 # ge u32 $r4 $r3
	(lg $c0) break
	add b32 $r4 $r4 0x1
	bra #round
out:
	shl b32 $r5 $r2 0x2
	add b32 $r5 b32 s[0x10] $r5
	exit st b32 g14[$r5] $r4
