// Nothing but arithmetic: eight independent chains of multiply-adds.
//
// Each thread starts with i, i + 1 … i + 7 and applies x = x b + c and x = x c + b in turn, 16 multiply-adds a trip.
//
// What to look for: every slot useful, no memory but one store at the end. `./dev bench` runs this file with more
// trips to see how many instructions a second Warpbeam itself can do. A multiply-add of this machine cuts the product
// to 24 bits before it adds (tesla-facts 4.2), so the last bits differ from a fused one, and from rounding twice.

.kernel alu
.chip g200
.grid 2
.block 128
.arg zero=1024                          // out: one word a thread
.arg f32=1.25                           // b
.arg f32=0.75                           // c
.arg u32=8                              // trips
.const 1 0x0: 1

	mov b16 $r1l u16 s[0x2]
	add $r0 (mul u16 u16 s[0xc] $r1l) $r0   // i
	cvt rn f32 $r2 u32 $r0
	add f32 $r3 $r2 1.0
	add f32 $r4 $r2 2.0
	add f32 $r5 $r2 3.0
	add f32 $r6 $r2 4.0
	add f32 $r7 $r2 5.0
	add f32 $r8 $r2 6.0
	add f32 $r9 $r2 7.0
	mov b32 $r10 b32 s[0x14]        // b
	mov b32 $r11 b32 s[0x18]        // c
	mov b32 $r12 b32 s[0x1c]
trip:
	add f32 $r2 (mul $r2 $r10) $r11
	add f32 $r3 (mul $r3 $r10) $r11
	add f32 $r4 (mul $r4 $r10) $r11
	add f32 $r5 (mul $r5 $r10) $r11
	add f32 $r6 (mul $r6 $r10) $r11
	add f32 $r7 (mul $r7 $r10) $r11
	add f32 $r8 (mul $r8 $r10) $r11
	add f32 $r9 (mul $r9 $r10) $r11
	add f32 $r2 (mul $r2 $r11) $r10
	add f32 $r3 (mul $r3 $r11) $r10
	add f32 $r4 (mul $r4 $r11) $r10
	add f32 $r5 (mul $r5 $r11) $r10
	add f32 $r6 (mul $r6 $r11) $r10
	add f32 $r7 (mul $r7 $r11) $r10
	add f32 $r8 (mul $r8 $r11) $r10
	add f32 $r9 (mul $r9 $r11) $r10
	sub b32 $c0 $r12 $r12 c1[0x0]
	(lg $c0) bra #trip
	add f32 $r2 $r2 $r3
	add f32 $r4 $r4 $r5
	add f32 $r6 $r6 $r7
	add f32 $r8 $r8 $r9
	add f32 $r2 $r2 $r4
	add f32 $r6 $r6 $r8
	add rn f32 $r2 $r2 $r6          // rn: the 8-byte form; seven short ones would leave what follows unaligned
	shl b32 $r0 $r0 0x2
	add b32 $r0 b32 s[0x10] $r0
	exit st b32 g14[$r0] $r2

// The checksum was computed apart from Warpbeam, with this machine's multiply-add.
// expect: arg 0 f32 = 0x1.b913aep+6
// expect: arg 0 crc32 = cf282363
// expect: counter instructions = 1336
// expect: bill useful = 42752
// expect: bill lane_slots = 42752
