// saxpy, y = a x + y: one multiply-add for two loads and a store.
//
// 100 elements in blocks of 32 threads, with the guard for the threads beyond the end. So that the file needs no
// input, each thread first makes its own elements, x[i] = i and y[i] = 100; what follows is the kernel as one finds it
// everywhere.
//
// What to look for: of the instructions of the second part one computes; the others make addresses and move data.
// Neighbouring threads use neighbouring words, so each half-warp's access is a single transaction of 64 bytes, or 32
// for the last four elements.

.kernel saxpy
.chip g200
.grid 4
.block 32
.arg zero=400                           // x
.arg zero=400                           // y
.arg f32=2.5                            // a
.arg u32=100                            // elements

	mov b16 $r1l u16 s[0x2]
	add $r0 (mul u16 u16 s[0xc] $r1l) $r0   // i
	sub b32 $c0 # b32 s[0x1c] $r0   // elements - i
guard:
	(le $c0) ret
	shl b32 $r1 $r0 0x2
	add b32 $r2 b32 s[0x10] $r1     // &x[i]
	add b32 $r3 b32 s[0x14] $r1     // &y[i]

	cvt rn f32 $r4 u32 $r0
	mov b32 $r5 100.0
	st b32 g14[$r2] $r4
	st b32 g14[$r3] $r5

	ld b32 $r4 g14[$r2]
	ld b32 $r5 g14[$r3]
	add f32 $r5 (mul b32 s[0x18] $r4) $r5
	exit st b32 g14[$r3] $r5

// expect: arg 1 f32[0..7] = 100 102.5 105 107.5 110 112.5 115 117.5
// expect: arg 1 f32[98..99] = 345 347.5
// expect: branch guard splits = 1
// expect: counter gld_64b = 12
// expect: counter gld_32b = 2
