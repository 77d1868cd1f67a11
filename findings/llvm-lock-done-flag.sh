#!/bin/sh
# A good guess: a lock taken, used and given back inside the loop, with a flag `done` that ends the loop, is the way to
# write a spin lock for lanes in lockstep: the winner gives the lock back before waiting for the losers. Really:
# LLVM removes the flag and moves the critical section and the unlock behind the loop, for AMD and for nvptx, in 14 and
# 19: lawful for independent threads, and an endless loop where the winner waits at the loop's end for all lanes.
# Consequence: the source is the one that textbooks call safe, and the livelock is the compiler's, not the machine's.
. "$(dirname "$0")/packages.sh"
clangs 14 19

cat >lock.cl <<'END'
kernel void add(global int *counter, volatile global int *lock)
{
	bool done = false;

	while (!done) {
		if (__sync_val_compare_and_swap(lock, 0, 1) == 0) {
			*counter += 1;
			__sync_lock_test_and_set(lock, 0);
			done = true;
		}
	}
}
END
cat lock.cl

# The order of atomics, of the branch back to the loop's head and of the store to the counter.
order() {   # FILE
	grep '^	\(global_atomic\|global_store\|s_cbranch\|atom\|st\.global\|@\)' "$1" >lines
	cat lines >&2
	echo $(sed 's/.*cmpswap.*\|.*cas.*/take/; s/.*swap.*\|.*exch.*/give/; s/.*store.*\|.*st\.global.*/count/
		s/.*cbranch.*\|.*bra.*/back/' lines)
}
for major in 14 19; do
	tool $major clang
	amd $major lock.cl >lock.s
	stated 'order of the code for AMD' "$(order lock.s)" 'take back count give'
	nvidia $major lock.cl >lock.s
	stated 'order of the code for nvptx' "$(order lock.s)" 'take back count give'
done
exit $status
