// The guard at the top of almost every kernel: threads beyond the data return at once.
//
// 70 elements, blocks of 32 threads: three blocks are needed and 26 threads of the third have nothing to do. The grid
// has a fourth block on purpose, which has nothing to do at all.
//
// What to look for: `ret` outside any call ends the thread. In block 2 the 26 lanes that returned stay in their warp
// as dead weight: each of the 4 issues that follow loses 26 slots, 104 in all, and the bill charges them to the ret.
// Block 3 loses nothing: when all lanes return, the warp is over and its place is free for another block. So the guard
// is cheap, because only one warp of the whole grid can be half in and half out.

.kernel early_exit
.chip g200
.grid 4
.block 32
.arg zero=512                           // out: room for more than 70, to see that the rest stays untouched
.arg u32=70                             // how many elements there are

	mov b16 $r1l u16 s[0x2]                 // threads in a block
	add $r0 (mul u16 u16 s[0xc] $r1l) $r0   // block * threads + thread: the element
	mov b32 $r1 b32 s[0x14]
	sub b32 $c0 # $r0 $r1
guard:
	(ge $c0) ret
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	add b32 $r2 $r0 0x64
	exit st b32 g14[$r1] $r2

// expect: arg 0 u32[0..69] = 100..169
// expect: arg 0 u32[70..127] = 0
// expect: counter divergent_branch = 1
// expect: branch guard splits = 1
// expect: branch guard lost = 104
// expect: bill exited = 104
// expect: counter instructions = 32
