#!/bin/sh
# A checked-out collection of programs in OpenCL (PolyBench, Rodinia, SHOC, Parboil and the like), CUDA or HIP
# (HeCBench, NVIDIA's cuda-samples), with Warpbeam as the GPU: reads, builds and runs whatever has a Makefile, or a
# CMakeLists.txt beside CUDA sources, and prints a row for each program: built, ran, right by the program's own check,
# launches, what was missing. The collection is copied first; nothing in DIR changes. Checkouts of Khronos'
# conformance suite, pocl and Oclgrind are for conformance.sh, pocl.sh and oclgrind.sh, with the same arguments.
#
#     collections.sh DIR [WARPBEAM] [NAME...]        NAME: programs whose path has this text, default all
#
# SECONDS_EACH (60): after so long a program is ended. CFLAGS_MORE: for every compiler call, such as -DMINI_DATASET.
# CUDA and HIP programs get the arguments of their Makefile's rule `run`; of HeCBench's the last is how often a kernel
# runs, and becomes REPEATS (1). CUDA programs run on v100 unless WARPBEAM_CHIP says another chip.
set -u
dir=${1:-}
warpbeam=$(command -v "${2:-warpbeam}") || { echo "collections.sh: no ${2:-warpbeam}"; exit 77; }
warpbeam=$(realpath "$warpbeam")
[ -d "$dir" ] || { echo "collections.sh: $dir is not here: skipped"; exit 77; }
[ -f "$dir/test_common/harness/testHarness.cpp" ] && exec sh "$(dirname "$0")/conformance.sh" "$@"
[ -f "$dir/tests/kernels/TESTS" ] && exec sh "$(dirname "$0")/oclgrind.sh" "$@"
[ -f "$dir/poclu/poclu.h" ] && exec sh "$(dirname "$0")/pocl.sh" "$@"
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

uses_opencl() {
	grep -lsE 'clCreateKernel|CL/cl\.h|CL/opencl\.h|OpenCL' ./*.c ./*.cc ./*.cpp ./*.h Makefile src/*.c* \
		2>/dev/null | grep -q .
}

has() {   # FILES
	[ -e "$1" ]
}

kind_of() {   # of the present folder's program; nothing: none
	if has Makefile && grep -q hipcc Makefile; then
		echo hip
	elif has ./*.cu || has src/*.cu; then
		echo cuda
	elif has Makefile && uses_opencl; then
		echo opencl
	fi
}

build_one() {   # KIND
	if [ "$1" = opencl ]; then
		PATH=$work/bin:$PATH make
	elif has Makefile; then
		"$warpbeam" build -- make
	else
		"$warpbeam" build -- sh -c 'cmake -S . -B . -DCMAKE_BUILD_TYPE=Release && make'
	fi
}

arguments() {   # of the rule `run` for CUDA and HIP programs
	make -n run 2>/dev/null | sed -n 's/^.*\.\/[^ ]* *//p' | head -n 1 | sed "s/[0-9][0-9]*\$/${REPEATS:-1}/"
}

programs_of() {   # programs built in the present folder
	find . -name CMakeFiles -prune -o -type f -newer "$work/stamp" -perm -u+x -print | while read -r file; do
		case $(head -c 4 "$file" | od -An -tx1 | tr -d ' \n') in
		7f454c46) case $file in *.so|*.o|*.so.*) ;; *) echo "$file" ;; esac ;;
		esac
	done
}

right() {   # what the output says about the program's own check
	if grep -aqE 'Non-Matching.*: *[1-9]|FAIL|[Mm]ismatch|[Ii]ncorrect|WRONG' "$work/out"; then
		echo no
	elif grep -aqE 'Non-Matching.*: *0|PASS|[Cc]orrect|[Vv]erified|[Ss]uccess|right|\bOK\b' "$work/out"; then
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
find "$work/all" -name Makefile -o -name CMakeLists.txt | sed 's|/[^/]*$||' | sort -u >"$work/folders"
while read -r folder; do
	name=${folder#"$work/all"}
	name=${name#/}
	wanted=$#
	for part in "$@"; do
		case $name in *"$part"*) wanted=0 ;; esac
	done
	[ $wanted = 0 ] && cd "$folder" || continue
	kind=$(kind_of)
	[ "$kind" ] || continue
	more=
	: >"$work/stamp"
	sleep 0.01
	if ! build_one "$kind" >"$work/make" 2>&1 </dev/null; then
		why=$(grep -aE 'error|No such|^warpbeam:|undefined' "$work/make" | head -n 1 | cut -c1-100)
		row "$name" no - - - "$why"
		count=$((count + 1))
		continue
	fi
	[ "$kind" = opencl ] || more=$(arguments)
	chip=${WARPBEAM_CHIP:-}
	[ "$kind" = cuda ] && chip=${chip:-v100}
	if [ "$kind" = opencl ] && [ -f run ]; then
		echo "sh ./run" >"$work/commands"
	else
		programs_of >"$work/commands"
	fi
	[ -s "$work/commands" ] || row "$name" nothing - - - ""
	while read -r command; do
		# shellcheck disable=SC2086
		timeout "${SECONDS_EACH:-60}" "$warpbeam" run ${chip:+--chip "$chip"} \
			--launches "$work/launches" -- $command $more \
			>"$work/out" 2>"$work/err" </dev/null
		code=$?
		[ -f "$work/launches" ] || : >"$work/launches"
		case $code in
		0) ran=yes ;;
		124) ran=slow ;;
		*) ran="exit $code" ;;
		esac
		verdict=$(right)
		row "$name" yes "$ran" "$verdict" "$(wc -l <"$work/launches")" "$(missing)"
		rm -f "$work/launches"
		count=$((count + 1))
		[ $code = 0 ] && [ "$verdict" != no ] && good=$((good + 1))
	done <"$work/commands"
done <"$work/folders"
echo "$good of $count ran to their end and were not wrong by their own checks"
