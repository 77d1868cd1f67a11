// Lab 2: Loops of one length
//
// question: 128 threads work on 128 items, thread n on item n. Item i takes 1, 5, 9 or 13 trips around a loop:
// 4 (i mod 4) + 1. A lane that is done breaks, and waits at `done` until the slowest lane of its warp is done
// as well.
//
// How many lane slots does the break cost? Change which thread works on which item, so that no lane waits. Each
// item still gets its trips and its place in the results.
//
// hint: Lanes that leave a loop together wait for nobody. A warp is 32 neighbours: threads 0 to 31, 32 to 63,
// and so on. All items of one warp should have the same number of trips.
// hint: There are four warps and four lengths: let warp w take the items whose number is w modulo 4. The warp
// of thread n is n >> 5, its lane is n & 31.
// hint: Item = 4 * lane + warp: `shr u32 $r1 $r0 0x5`, `and b32 $r2 $r0 0x1f`, `shl b32 $r2 $r2 0x2`, `add`.
// Everything below takes the item from $r1 already.
//
// goal: Each item has its result at its place, for any k.
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=9
// expect: arg 0 u32[0..7] = 42 79682799 3284894900 2191183865 174 217725747 2186216248 2854303165
// expect: arg 0 crc32 = fa73d9ac
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=20
// expect: arg 0 u32[0..7] = 53 92187174 2735737943 1151986824 185 230253610 1594917147 2886849292
// expect: arg 0 crc32 = 528ad906
// goal: No lane waits at the end of the loop: the break costs no lane slot.
// expect: bill brk = 0
// goal: All is done within 7,500 lane slots, so no lane does trips for nothing.
// expect: bill lane_slots <= 7500

.kernel loop
.chip g200
.grid 1
.block 128
.arg zero=512                           // out: one word an item
.arg u32=9                              // k
.const 1 0x0: 1

	mov b32 $r1 $r0                 // the item of this thread

	mov b32 $r6 b32 s[0x14]         // k
	and b32 $r3 $r1 0x3
	shl b32 $r3 $r3 0x2
	add b32 $r3 $r3 0x1             // trips: 4 (item mod 4) + 1
	add b32 $r4 $r1 0x1             // the value begins as item + 1
	breakaddr #done
trip:
	shl b32 $r5 $r4 0x5
	xor b32 $r4 $r4 $r5
	add b32 $r4 $r4 $r6
	sub b32 $c0 $r3 $r3 c1[0x0]
leave:
	(e $c0) break
	bra #trip
done:
	shl b32 $r2 $r1 0x2
	add b32 $r2 b32 s[0x10] $r2
	exit st b32 g14[$r2] $r4        // out[item]

// solution:
// // Lab 2, solved: warp w works on the items w, w + 4, w + 8 …, which all take the same number of trips.
//
// .kernel loop
// .chip g200
// .grid 1
// .block 128
// .arg zero=512
// .arg u32=9
// .const 1 0x0: 1
//
// 	shr u32 $r1 $r0 0x5             // warp
// 	and b32 $r2 $r0 0x1f            // lane
// 	shl b32 $r2 $r2 0x2
// 	add b32 $r1 $r1 $r2             // item = 4 * lane + warp
//
// 	mov b32 $r6 b32 s[0x14]
// 	and b32 $r3 $r1 0x3
// 	shl b32 $r3 $r3 0x2
// 	add b32 $r3 $r3 0x1
// 	add b32 $r4 $r1 0x1
// 	breakaddr #done
// trip:
// 	shl b32 $r5 $r4 0x5
// 	xor b32 $r4 $r4 $r5
// 	add b32 $r4 $r4 $r6
// 	sub b32 $c0 $r3 $r3 c1[0x0]
// leave:
// 	(e $c0) break
// 	bra #trip
// done:
// 	shl b32 $r2 $r1 0x2
// 	add b32 $r2 b32 s[0x10] $r2
// 	exit st b32 g14[$r2] $r4
