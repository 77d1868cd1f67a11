#!/bin/sh
# rooms.sh finds a circle between two files of machine/: in a copy of the objects whose ground floor calls machine_run.
#   rooms_test.sh BUILD_DIRECTORY CC...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
work=$(mktemp -d "$build/rooms.XXXXXX")
trap 'rm -rf "$work"' EXIT
for room in core mem sched machine inspect api; do
	cp -rl "$build/$room" "$work/"
done
sh "$here/rooms.sh" "$work" >"$work/out" || {
	status=$?
	cat "$work/out"
	exit $status
}
object=$(find "$work/machine" -name 'thread_pool.c.o')
rm "$object"
cat >"$work/thread_pool.c" <<'END'
void machine_run(void);
void threads_give_up(void);
void threads_give_up(void)
{
	machine_run();
}
END
"$@" -c -o "$object" "$work/thread_pool.c"
if sh "$here/rooms.sh" "$work" >"$work/out"; then
	echo "0 passed, 1 failed: a circle inside machine/ is not found"
	exit 1
fi
grep -q '^circle: machine/thread_pool -> machine/machine ' "$work/out" || {
	cat "$work/out"
	exit 1
}
echo "1 passed, 0 failed"
