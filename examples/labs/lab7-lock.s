// Lab 7: A lock that 32 lanes want
//
// question: Each of 32 threads takes a lock, adds its number to a sum and lets go: `while (cas(lock, 0, 1));
// sum += n; lock = 0;`. Chips from Volta on end the program. Run it with `--reconverge barriers`, then with
// `--reconverge stack`, as the machines before did.
//
// Who holds the lock when nothing moves any more, and who spins? Where does the holder wait, and for whom? Compare
// `warpbeam compare lab7-lock.s --reconverge stack,barriers`, then change the program so that it ends on both.
//
// hint: Look at the Stack pane or at `debug` after some rounds. On the stack the lane with the lock waits at the
// join behind the loop, for the lanes that spin. They wait for the lock.
// hint: Under barriers the spinning lanes give way at their branch back, and the barrier no longer waits for
// them. The machine is not cleverer about locks: groups of lanes have pcs of their own.
// hint: Let the lane that has got the lock do its work and let go before it meets the others: inside of the loop,
// between `cas` and the meeting. A lane that has not got the lock does not do the work.
//
// goal: The sum is right on chips with convergence barriers.
// expect: with chip=g200 grid=1 block=32 reconverge=barriers -a zero=8 -a u32=1
// expect: arg 0 u32[0..1] = 0 496
// goal: The sum is right on a stack, whichever side of a branch runs first.
// expect: with chip=g200 grid=1 block=32 reconverge=stack -a zero=8 -a u32=1
// expect: arg 0 u32[0..1] = 0 496
// expect: with chip=g200 grid=1 block=32 reconverge=stack diverge=fall -a zero=8 -a u32=3
// expect: arg 0 u32[0..1] = 0 1488
// goal: Each lane takes the lock: the additions are done one after the other, by one lane at a time.
// expect: with chip=g200 grid=1 block=32 reconverge=stack -a zero=8 -a u32=1
// expect: pc work issues = 32
// expect: pc work threads = 32

.kernel lock
.chip g200
.grid 1
.block 32
.arg zero=8                             // the lock, the sum
.arg u32=1                              // k: thread n adds k * n
.const 1 0x0: 1 4

	mov b32 $r1 b32 s[0x10]         // address of the lock
	add b32 $r2 b32 s[0x10] c1[0x4] // address of the sum
	mul $r3 u16 u16 s[0x14] u16 $r0l // k * n
	mov b32 $r4 0x0
	mov b32 $r5 0x1
	joinat #have
spin:
	cas b32 $r6 g14[$r1] $r4 $r5    // 0: this lane has got the lock
	and b32 $c0 # $r6 $r6
	(lg $c0) bra #spin
have:
	join (never) nop
work:
	ld b32 $r7 g14[$r2]
	add b32 $r7 $r7 $r3
	st b32 g14[$r2] $r7
	exch b32 $r6 g14[$r1] $r4       // let go
	exit (never) nop

// solution:
// // Lab 7, solved: the lane with the lock works and lets go inside of the loop.
//
// .kernel lock
// .chip g200
// .grid 1
// .block 32
// .arg zero=8
// .arg u32=1
// .const 1 0x0: 1 4
//
// 	mov b32 $r1 b32 s[0x10]
// 	add b32 $r2 b32 s[0x10] c1[0x4]
// 	mul $r3 u16 u16 s[0x14] u16 $r0l
// 	mov b32 $r4 0x0
// 	mov b32 $r5 0x1
// 	joinat #done
// spin:
// 	cas b32 $r6 g14[$r1] $r4 $r5
// 	and b32 $c0 # $r6 $r6
// 	joinat #again
// 	(lg $c0) bra #again             // without the lock: wait for the lane with the lock
// work:
// 	ld b32 $r7 g14[$r2]
// 	add b32 $r7 $r7 $r3
// 	st b32 g14[$r2] $r7
// 	exch b32 $r8 g14[$r1] $r4
// again:
// 	join and b32 $c0 # $r6 $r6
// 	(lg $c0) bra #spin              // once more, without the lane that is done
// done:
// 	join (never) nop
// 	exit (never) nop
