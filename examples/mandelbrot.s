// The Mandelbrot set: neighbours leave the loop at different times, the warp waits for the slowest.
//
// Each thread has one pixel, c = cx + i cy, and repeats z = z² + c until |z| > 2 or `limit` rounds are over. The
// picture is 64 by 48 here, in blocks of 16 by 16 threads; a warp is two rows of a block.
//
// What to look for: inside the set all lanes make 256 rounds, far outside all leave after one or two. What costs is
// the edge, where one lane of a warp stays for hundreds of rounds and 31 wait for it. The bill charges them to the
// `break` that they left by. Try --block 32,8 with --grid 2,6: the same picture from warps that are one row wide.

.kernel mandelbrot
.chip g200
.grid 4,3
.block 16,16
.arg zero=12288                         // out: rounds of each pixel, row by row
.arg u32=64                             // width
.arg f32=0.046875                       // distance of two columns, 3 / 64
.arg f32=0.046875                       // distance of two rows, 2.25 / 48
.arg u32=256                            // limit
.const 1 0x0: 4.0 1

	cvt u32 $r1 u16 $r0l                    // $r0 packs thread x in bits 0 to 15 …
	shr u32 $r2 $r0 0x10                    // … and thread y above
	mov b16 $r3l u16 s[0x2]
	mov b16 $r3h u16 s[0x4]
	add $r1 (mul u16 u16 s[0xc] $r3l) $r1   // column
	add $r2 (mul u16 u16 s[0xe] $r3h) $r2   // row
	cvt rn f32 $r3 u32 $r1
	cvt rn f32 $r4 u32 $r2
	mov b32 $r5 -2.0
	mov b32 $r6 -1.125
	add f32 $r5 (mul b32 s[0x18] $r3) $r5   // cx
	add f32 $r6 (mul b32 s[0x1c] $r4) $r6   // cy
	mov b32 $r7 b32 s[0x20]                 // rounds left
	mov b32 $r8 0x0                         // x
	mov b32 $r9 0x0                         // y
	breakaddr #store
round:
	mul f32 $r10 $r8 $r8
	mul f32 $r11 $r9 $r9
	add rn f32 $r12 $r10 $r11               // rn: the 8-byte form; the next instruction needs a multiple of 8
	set $c0 # g f32 $r12 c1[0x0]            // x² + y² > 4
escape:
	(lg $c0) break
	add rn f32 $r8 $r8 $r8
	add f32 $r9 (mul $r8 $r9) $r6           // y = 2 x y + cy
	add f32 $r8 $r10 neg $r11
	add f32 $r8 $r8 $r5                     // x = x² - y² + cx
	sub b32 $c0 $r7 $r7 c1[0x4]
	(lg $c0) bra #round
	break                                   // the limit: whoever is left has made all rounds
store:
	sub b32 $r7 b32 s[0x20] $r7
	mul $r2 u24 b32 s[0x14] $r2
	add b32 $r1 $r1 $r2
	shl b32 $r1 $r1 0x2
	add b32 $r1 b32 s[0x10] $r1
	exit st b32 g14[$r1] $r7

// The checksum and the lost slots were computed apart from Warpbeam, with this machine's multiply-add (tesla-facts
// 4.2).
// expect: arg 0 u32[0..2] = 1 1 1
// expect: arg 0 u32[1568] = 256
// expect: arg 0 crc32 = 09722cf2
// expect: bill brk = 2227833
// expect: branch escape lost = 2227833
// expect: counter warp_execution_efficiency < 0.51
// expect: with block=32,8 grid=2,6
// expect: arg 0 crc32 = 09722cf2
