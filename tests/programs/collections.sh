#!/bin/sh
# A checked-out collection of OpenCL programs (PolyBench, Rodinia, SHOC, Parboil and the like), with Warpbeam as the
# GPU: reads, builds and runs whatever has a Makefile, and prints a row for each program: built, ran, right by the
# program's own check, launches, what was missing. The collection is copied first; nothing in DIR changes. A checkout of
# Khronos' conformance suite is for conformance.sh, which takes the same arguments.
#
#     collections.sh DIR [WARPBEAM] [NAME...]        NAME: programs whose path has this text, default all
#
# SECONDS_EACH (60): after so long a program is ended. CFLAGS_MORE: for every compiler call, such as -DMINI_DATASET.
set -u
dir=${1:-}
warpbeam=$(command -v "${2:-warpbeam}") || { echo "collections.sh: no ${2:-warpbeam}"; exit 77; }
warpbeam=$(realpath "$warpbeam")
[ -d "$dir" ] || { echo "collections.sh: $dir is not here: skipped"; exit 77; }
[ -f "$dir/test_common/harness/testHarness.cpp" ] && exec sh "$(dirname "$0")/conformance.sh" "$@"
shift
[ $# -gt 0 ] && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$dir" "$work/all"

# Compilers that find the headers and libOpenCL whatever paths a Makefile has.
mkdir "$work/bin"
for compiler in cc gcc g++ c++; do
	real=$(command -v $compiler) || continue
	cat >"$work/bin/$compiler" <<END
#!/bin/sh
case " \$* " in
*" -c "*|*" -E "*|*" -M "*) exec $real "\$@" -w -fcommon ${CFLAGS_MORE:-} ;;
esac
exec $real "\$@" -w -fcommon ${CFLAGS_MORE:-} -lOpenCL -lm -lpthread
END
	chmod +x "$work/bin/$compiler"
done
PATH=$work/bin:$PATH

uses_opencl() {   # FOLDER
	grep -lsE 'clCreateKernel|CL/cl\.h|CL/opencl\.h|OpenCL' "$1"/*.c "$1"/*.cc "$1"/*.cpp "$1"/*.h "$1"/Makefile \
		"$1"/src/*.c* 2>/dev/null | grep -q .
}

programs_of() {   # programs built in the present folder
	find . -type f -newer "$work/stamp" -perm -u+x | while read -r file; do
		case $(head -c 4 "$file" | od -An -tx1 | tr -d ' \n') in
		7f454c46) case $file in *.so|*.o|*.so.*) ;; *) echo "$file" ;; esac ;;
		esac
	done
}

right() {   # what the output says about the program's own check
	if grep -aqE 'Non-Matching.*: *[1-9]|FAIL|[Mm]ismatch|[Ii]ncorrect|WRONG' "$work/out"; then
		echo no
	elif grep -aqE 'Non-Matching.*: *0|PASS|[Cc]orrect|[Vv]erified|[Ss]uccess|right' "$work/out"; then
		echo yes
	else
		echo -
	fi
}

missing() {   # the first line of ours that is no table, else the program's last
	sed -n 's/^warpbeam: //p' "$work/err" | grep -avE ': [0-9]+ launch|ran to its end' | head -n 1 | cut -c1-100
}

row() {
	printf '%-44s %-6s %-8s %-6s %8s  %s\n' "$@"
}

count=0
good=0
row program built ran right launches missing
find "$work/all" -name Makefile | sort >"$work/makefiles"
while read -r makefile; do
	folder=$(dirname "$makefile")
	name=${folder#"$work/all"}
	name=${name#/}
	wanted=$#
	for part in "$@"; do
		case $name in *"$part"*) wanted=0 ;; esac
	done
	[ $wanted = 0 ] && uses_opencl "$folder" || continue
	cd "$folder" || continue
	: >"$work/stamp"
	sleep 0.01
	if ! make >"$work/make" 2>&1 </dev/null; then
		row "$name" no - - - "$(grep -aE 'error|No such' "$work/make" | head -n 1 | cut -c1-100)"
		count=$((count + 1))
		continue
	fi
	if [ -f run ]; then
		echo "sh ./run" >"$work/commands"
	else
		programs_of >"$work/commands"
	fi
	[ -s "$work/commands" ] || row "$name" nothing - - - ""
	while read -r command; do
		# shellcheck disable=SC2086
		timeout "${SECONDS_EACH:-60}" "$warpbeam" run --launches "$work/launches" -- $command \
			>"$work/out" 2>"$work/err" </dev/null
		code=$?
		case $code in
		0) ran=yes ;;
		124) ran=slow ;;
		*) ran="exit $code" ;;
		esac
		verdict=$(right)
		row "$name" yes "$ran" "$verdict" "$(wc -l <"$work/launches" 2>/dev/null || echo 0)" "$(missing)"
		rm -f "$work/launches"
		count=$((count + 1))
		[ $code = 0 ] && [ "$verdict" != no ] && good=$((good + 1))
	done <"$work/commands"
done <"$work/makefiles"
echo "$good of $count ran to their end and were not wrong by their own checks"
