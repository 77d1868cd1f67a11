// A loop that each lane leaves in its own time: the warp goes around until the last is done.
//
// Thread n makes t = (n & 7) + 1 trips and computes t + (t-1) + … + 1. `breakaddr` (prebrk in other assemblers) notes
// where the loop ends and which lanes are in it; `break` takes the lanes that are done out of the warp; when the last
// one has left, all of them go on at the noted place.
//
// What to look for: in trip k only the lanes with t >= k are active, 32 - 4(k-1) of them. The bill's entry for break
// grows with every trip: 4 more lanes idle through the rest of the loop. Sorting threads by their trip count, so that
// one warp has only short loops and another only long ones, would make all of it go away.

.kernel loop_varying
.chip g200
.grid 1
.block 32
.arg zero=128                           // out: one word a thread
.const 1 0x0: 1

	and b32 $r1 $r0 0x7
	add b32 $r1 $r1 0x1             // t, the trips left
	mov b32 $r2 0x0                 // the sum
	breakaddr #done
loop:
	add b32 $r2 $r2 $r1
	sub b32 $c0 $r1 $r1 c1[0x0]
leave:
	(e $c0) break                   // no trips left: wait at `done`
	bra #loop
done:
	shl b32 $r3 $r0 0x2
	add b32 $r3 b32 s[0x10] $r3
	exit st b32 g14[$r3] $r2

// Trip k issues add, sub and break with 4(k-1) lanes gone, and, but for the last trip, bra with 4k lanes gone: 3 * 4 *
// (0+1+…+7) + 4 * (1+2+…+7) = 336 + 112 = 448 slots. The break of the last trip is taken by all lanes that are left,
// so it does not count as divergent: 7 of the 8 do.
// expect: arg 0 u32[0..7] = 1 3 6 10 15 21 28 36
// expect: arg 0 u32[24..31] = 1 3 6 10 15 21 28 36
// expect: counter divergent_branch = 7
// expect: bill brk = 448
// expect: branch leave lost = 448
// expect: pc loop issues = 8
// expect: pc loop threads = 144
