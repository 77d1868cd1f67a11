// A lock in shared memory: the winner of a round releases the lock inside the loop.
//
// 64 threads each add their number to one word. `ld lock` tries to lock the word and loads it: condition l says that
// this lane got it. `st unlock` stores the new value and releases the lock. A warp can hold one lock, so of 32 lanes
// that try together one wins, and the others have to try again.
//
// What to look for: the winner branches away, does its work and comes back to the join, and only then do the losers go
// around. Thirty-two lanes take thirty-two rounds: that is the price of a lock all lanes want, and the bill shows it.
// When the warp that holds the lock is another one, `ld lock` waits instead of failing (lock_waits). lock-livelock is
// the same loop as one would write it for a CPU. It never ends.

.kernel lock_ok
.chip g200                              // locks need a chip with sm_12 or later
.grid 1
.block 64
.arg zero=4                             // out: the sum
.smem 0x40                              // the word is at s[0x20]

	joinat #done
try:
	ld lock $c0 $r1 b32 s[0x20]
win:
	(l $c0) bra #critical           // the winner runs first, the losers are pushed
	bra #again
critical:
	add b32 $r1 $r1 $r0
	st unlock b32 s[0x20] $r1
again:
	(geu $c0) bra #try              // losers go around; a winner arrives at the join and waits for them there
done:
	join (never) nop
	bar inc wait 0x0 all            // both warps have added everything
	and b32 $c0 # $r0 $r0
	mov b32 $r1 b32 s[0x20]
	mov b32 $r2 b32 s[0x10]
	(e $c0) st b32 g14[$r2] $r1
	exit (never) nop

// 0 + 1 + … + 63 = 2016. Each lane wins once; of each warp's 32 wins the last finds no losers to be parted from.
// expect: arg 0 u32 = 2016
// expect: s[0x20] u32 = 2016
// expect: branch win splits = 62
// expect: pc critical threads = 64
// expect: pc critical issues = 64
