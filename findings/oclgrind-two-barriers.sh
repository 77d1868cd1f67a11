#!/bin/sh
# A good guess: Oclgrind reports work-items of a group that wait at different barriers. Really: with its default
# options Oclgrind 21.10 reports nothing for a barrier in each side of an if, as the optimiser (LLVM 14) leaves a single
# barrier before the run; with -cl-opt-disable each of the eight late work-items is reported.
# Consequence: Oclgrind's silence is no proof that a kernel is free of divergent barriers.
. "$(dirname "$0")/packages.sh"
unpack $beneath oclgrind=21.10-3 liboclgrind-21.10=21.10-3 libllvm14="$(version_of 14)"

cat >meet.cl <<'END'
kernel void meet(global int *out)
{
	int item = get_local_id(0);

	if (item < 8)
		barrier(CLK_LOCAL_MEM_FENCE);
	else
		barrier(CLK_LOCAL_MEM_FENCE);
	out[item] = item;
}
END
cat >meet.sim <<'END'
meet.cl
meet
16 1 1
16 1 1
<size=64 fill=0 hex>
END
cat meet.cl meet.sim
oclgrind() {   # OPTION...
	library "$work/usr/bin/oclgrind-kernel" --pch-dir "$(echo "$work"/usr/lib/*/oclgrind/21.10)" "$@"
}
reports() {   # OPTION...
	oclgrind "$@" meet.sim >found 2>&1 || echo "exit $?"
	sed -n 1,6p found >&2
	grep -c '^Work-group divergence detected' found || :
}
echo "== $(oclgrind --version | grep -m 1 Oclgrind) (package 21.10-3)"
stated 'reports by default' "$(reports)" 0
stated 'reports with -cl-opt-disable' "$(reports --build-options -cl-opt-disable)" 8
exit $status
