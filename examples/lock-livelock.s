// The spin lock of every CPU programmer. On a warp machine the loop never ends.
//
//     while (!try_lock(word))
//             ;
//     *word += n;
//     unlock(word);
//
// One lane gets the lock in the first round. The other 31 branch back to try again; the winner is pushed and waits.
// The warp has one program counter, and it is spinning: the losers wait for an unlock that stands below them on the
// stack. Nothing is wrong with the lock or with the logic of any single thread; the threads of a warp are not
// independent.
//
// What to look for: the run ends with exit code 7 and result `livelock`, and names the warp, its pc and its mask: all
// lanes but lane 0. Under --diverge fall the winner runs first and this program ends; but under that rule lock-ok does
// not. Whether a lock loop is right depends on which side of a branch runs first; on this machine it is the taken
// side, and loops like lock-ok's are what compilers made of it.

.kernel lock_livelock
.chip g200
.grid 1
.block 32
.smem 0x40                              // the word is at s[0x20]

spin:
	ld lock $c0 $r1 b32 s[0x20]
	(geu $c0) bra #spin             // the losers: taken, so they run first, for ever
	add b32 $r1 $r1 $r0
	st unlock b32 s[0x20] $r1
	exit (never) nop

// expect: result livelock
// expect: exit 7
// expect: counter divergent_branch = 1
// expect: s[0x20] u32 = 0
// expect: with diverge=fall
// expect: result ok
// expect: s[0x20] u32 = 496
