#!/bin/sh
# Includes between rooms: reads every #include of the project against DESIGN's table, and keeps the names of the
# machines, and the width of any machine, out of the other rooms.   layers.sh
# [SOURCE ROOT]
set -eu
root=${1:-.}

# A row a room: its files (an expression matched at the start of the path), then the headers allowed besides the
# system's. The first matching row is a file's room.
rooms() {
	cat <<'END'
core/base/            core/base/
core/isa/(simd|loop|threaded|translate|native)\.  core/base/|core/[^/]*$|core/isa/[^/]*$
core/isa/(exec|lane_(memory|runs))\.  core/base/|core/[^/]*$|core/isa/[^/]*$|mem/
core/isa/[^/]*$       core/base/|core/isa/[^/]*$|core/(isa|step|event|latency)\.
core/isa/             core/base/|core/[^/]*$|core/diverge/|core/isa/[^/]*$|@same/|mem/
core/load/shbin[_.]   core/base/|core/(image|shader)\.h|core/isa/pica/shader_image\.h|core/load/
core/load/            core/base/|core/(isa|image|variables)\.h|core/isa/asm\.h|core/load/
core/compile/         core/base/|core/compile/|core/print_text\.h|core/isa\.h|core/isa/[^/]*$|core/isa/tesla/[^/]*$
core/program/         core/
core/machines/        core/base/|core/isa\.h|core/isa/[^/]*$|core/machines/
core/diverge/         core/base/|core/[^/]*$|core/diverge/
core/[^/]*$           core/base/|core/[^/]*$
mem/                  core/base/|mem/
sched/                core/base/|core/machines/built\.h|core/(step|event|latency|trace_segment|warp)\.|mem/|sched/
host/                 core/base/|host/
native/               core/base/|core/[^/]*$|core/isa/[^/]*$|host/|native/
toolchain/            core/base/|core/[^/]*$|core/isa/[^/]*$|core/(load|compile|machines)/|host/|toolchain/
machine/              core/|mem/|sched/|machine/
inspect/              core/|mem/|sched/|machine/|inspect/|warpbeam\.h
device/config\.       core/base/|core/diverge/|inspect/|toolchain/language\.def|device/|warpbeam\.h
device/               core/|mem/|sched/|machine/|inspect/|host/|native/|device/|warpbeam\.h
api/                  core/|mem/|sched/|machine/|inspect/|host/|toolchain/|native/|device/|api/|warpbeam\.h
frontends/program/    frontends/(program|trace)/|warpbeam\.h
frontends/opencl/     frontends/opencl/|frontends/program/|warpbeam\.h
frontends/runtime/    frontends/(runtime|program|cuda/missing|hip/missing)|warpbeam\.h|include/warpbeam/(cuda|hip)/
frontends/rtc/        frontends/rtc/|warpbeam\.h
frontends/cuda/       frontends/(cuda|runtime)/|warpbeam\.h|include/warpbeam/cuda/
frontends/hip/        frontends/(hip|runtime)/|warpbeam\.h
frontends/cli/build\. frontends/|toolchain/opencl/clang\.def|warpbeam\.h
frontends/            frontends/|warpbeam\.h
bench/(assembling|decoding)\. bench/|core/base/|core/isa/
bench/laboratory/     bench/laboratory/|frontends/|warpbeam\.h
bench/                bench/|warpbeam\.h
examples/programs/    open\.h$
examples/             warpbeam\.h
include/warpbeam/cuda/ [a-z0-9_]*\.(h|def)$
include/warpbeam/hip/ (\.\./\.\./cuda/)?[a-z0-9_]*\.(h|def)$
include/              $^
tests/                .
END
}

# Exempt files: homes of a machine, and files that register or test machines.
# A page of the specification may be cited anywhere.
machine_names='tesla|gcn|pica'
pages='facts|semantics|encoding|graphics|text'
homes='core/isa/|core/load/|core/compile/|sched/[a-z_]*\.def|core/machines/registry\.'
homes="$homes|bench/laboratory/(vectors_|experiments_)|bench/(shaders|gcn|assembling|decoding)\.|examples/|tests/"

# Rooms to which the width of a warp is a parameter.
parametric='mem|sched|machine|inspect|host|toolchain|native|device|api'

# Where the host's vector instructions are named; mem/banks.c has a way for hosts that compare all lanes at once.
vectors='core/base/vector\.h|tests/'

# Where a function ends its callers: the compilation of PTX (HACKING, Rules), and libpng's errors.
jumps='core/compile/module\.c|frontends/view/picture\.c|tests/'

cd "$root"
files=$(find core host toolchain mem sched machine inspect native device api frontends bench examples include tests \
	-name '*.[ch]' -o -name '*.def' | sort)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rooms >"$work/rooms"

{
	# shellcheck disable=SC2086
	awk -v rooms="$work/rooms" '
	BEGIN {
		while ((getline line < rooms) > 0) {
			split(line, part, / +/)
			room[++n] = part[1]
			allowed[n] = part[2]
		}
	}
	FNR == 1 {
		files++
		for (mine = 1; mine <= n && FILENAME !~ "^" room[mine]; mine++)
			;
		if (mine > n)
			printf "%s: belongs to no room of tests/house/layers.sh\n", FILENAME
		folder = FILENAME
		sub(/[^\/]*$/, "", folder)
	}
	/^[ \t]*#[ \t]*include[ \t]*["<]/ {
		includes++
		target = $0
		sub(/^[^"<]*["<]/, "", target)
		sub(/[">].*/, "", target)
		rule = allowed[mine]
		gsub(/@same\//, folder, rule)
		quoted = $0 ~ /include[ \t]*"/
		if (target ~ /^SDL/ && FILENAME !~ /^(frontends\/sdl|tests)\//)
			printf "%s:%d: includes %s; only frontends/sdl/ may\n", FILENAME, FNR, target
		else if (quoted && target !~ "^(" rule ")")
			printf "%s:%d: includes %s; %s may include %s\n", FILENAME, FNR, target, room[mine], rule
	}
	END {
		if (files < 10 || includes < 20)
			printf "only %d files and %d includes found: is this the source root?\n", files, includes
	}' $files
	# shellcheck disable=SC2086
	grep -Hn '' $files | grep -vE "^($homes)" | sed -E "s/($machine_names)-($pages)//g" |
		grep -iwE "$machine_names|($machine_names)_[a-z0-9_]*" |
		sed 's/$/   <- names a machine outside its rooms/' || true
	# shellcheck disable=SC2086
	grep -Hn '' $files | grep -E \
		"^(core/[^/]*|core/isa/(exec|loop)|(core/diverge|$parametric)/.*)\.[ch]:" |
		grep -E '\b(LANES|FOR_LANES|ROW_LANES)\b' |
		sed 's/$/   <- the width of a warp is a parameter here (isa_ops.lanes)/' || true
	# shellcheck disable=SC2086
	grep -HnE '__(AVX|FMA|ARM_NEON)|_mm(256|512)?_|(mmintrin|arm_neon)\.h' $files | grep -vE "^($vectors)" |
		sed 's/$/   <- the host in vectors is known to core\/base\/vector.h alone/' || true
	# shellcheck disable=SC2086
	grep -HnE '\b(sig)?(setjmp|longjmp)\b *(\.h|\()' $files | grep -vE "^($jumps)" |
		sed 's/$/   <- a failing function returns; core\/compile\/module.c alone jumps/' || true
} >"$work/found"

sort -u "$work/found"
n=$(wc -l <"$work/found")
if [ "$n" = 0 ]; then
	echo "1 passed, 0 failed"
else
	echo "0 passed, 1 failed"
	exit 1
fi
