#!/bin/sh
# rooms.sh finds circles: between two files of a room, and between two rooms, each in a copy of the objects where a file
# of the ground calls what stands above.   rooms_test.sh BUILD_DIRECTORY CC...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$1
shift
work=$(mktemp -d "$build/rooms.XXXXXX")
trap 'rm -rf "$work"' EXIT
for room in core host toolchain mem sched machine inspect device api; do
	cp -rl "$build/$room" "$work/"
done
sh "$here/rooms.sh" "$work" >"$work/out" || {
	status=$?
	cat "$work/out"
	exit $status
}
passed=0 failed=0

# FILE.c of ROOM defines DEFINED and calls WANTED: the circle of EDGE is found.
finds() {   # ROOM FILE DEFINED WANTED EDGE CC...
	object=$(find "$work/$1" -name "$2.c.o")
	edge=$5
	cp "$object" "$work/kept.o"
	rm "$object"
	printf 'void %s(void);\nvoid %s(void);\nvoid %s(void)\n{\n\t%s();\n}\n' "$3" "$4" "$3" "$4" >"$work/file.c"
	shift 5
	"$@" -c -o "$object" "$work/file.c"
	if ! sh "$here/rooms.sh" "$work" >"$work/out" && grep -q "^circle: $edge " "$work/out"; then
		passed=$((passed + 1))
	else
		echo "FAILED: a circle $edge is not found"
		cat "$work/out"
		failed=$((failed + 1))
	fi
	cp "$work/kept.o" "$object"
}
finds machine stop give_up machine_run 'machine/stop -> machine/machine' "$@"
finds inspect findings check_verdict launch_observe 'inspect/findings -> inspect/launch' "$@"
finds device const_banks fill_bank launch_prepare 'device/const_banks -> device/prepare' "$@"
finds core/compile lex lex_next ptx_parse 'core/compile/lex -> core/compile/parse' "$@"
finds core/isa/tesla edges tesla_edges reconverge_find 'core/isa/tesla/edges -> core/isa/tesla/reconverge' "$@"
finds sched policy policy_pick machine_run 'sched -> machine' "$@"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
