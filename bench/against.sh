#!/bin/sh
# Two builds side by side, kernel by kernel in turns, so that other load of the machine falls on both; the kernels'
# files are the present tree's for both.   against.sh BUILD OTHER [KERNEL]...
# A line for each kernel: the medians of its seconds, and the median of the ratios of the rounds. Exit 1 if one is more
# than 5 % slower in BUILD. DIV (16) divides the problems, REPEAT (7) is the number of rounds. With THREADS=N also the
# seconds of N host threads, by the wall clock. Where OTHER is of the time when runs by traces were asked for (--ahead),
# a line compares BUILD's timed runs with those as well.
set -eu
new=$1
old=$2
shift 2
rounds=${REPEAT:-7}
div=${DIV:-16}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Measurements of a build's bench, as lines of "SECONDS WHAT", of a run or of the run beside.
throughput() {   # BUILD run|beside OPTION...
	build_of=$1
	wanted=$2
	shift 2
	"$build_of/bench/throughput" --json --repeat 5 --div "$div" --root "$root" "$@" | awk -v wanted="$wanted" '
		{ gsub(/[",]/, "") }
		$1 == "kernel:" { kernel = $2; of = "run" }
		$1 == "timing:" { timing = $2 }
		$1 == "beside:" { of = "beside" }
		$1 == "seconds_median:" && of == wanted { print $2, kernel ", timing " timing }'
}

takes_ahead() {   # BUILD: does the build have the option?
	"$1/bench/throughput" --check --timing on --div 65536 --root "$root" --set ahead=on alu >/dev/null 2>&1
}

# A round of a build.
kernel_seconds() {   # BUILD KERNEL
	throughput "$1" run "$2"
	if [ "$ahead" ]; then
		throughput "$1" run --timing on $([ "$1" = "$new" ] || echo --set ahead=on) "$2" | sed 's/$/, --ahead/'
	fi
	if [ "${THREADS:-1}" -gt 1 ]; then
		throughput "$1" beside --threads "$THREADS" "$2" | sed "s/\$/, $THREADS threads/"
	fi
}

# Shaders are measured in millions of lane instructions a second, a column for each SIMD level.
shader_seconds() {   # BUILD FILE
	"$1/bench/shaders" --repeat 3 "$2" | awk '
		$1 == "shader" { split($0, level); next }
		$1 == "all," { next }
		NF > 1 && length(level) { for (i = 2; i <= NF; i++) if ($i > 0) print 1 / $i, $1 ", " level[i] }'
}

# Lines of "BUILD ROUND SECONDS WHAT", of all rounds.
take_turns() {   # FUNCTION ARGUMENT
	for round in $(seq "$rounds"); do
		for build in new old; do
			eval "directory=\$$build"
			"$1" "$directory" "$2" >"$work/lines"
			[ -s "$work/lines" ] || echo "0 $(basename "$2")" >"$work/lines"
			sed "s/^/$build $round /" "$work/lines"
		done
	done
}

# A kernel that a build cannot run (wrong answer, or the file is refused) has no ratio; in BUILD the kernel has failed.
judge() {
	awk '
	function median(v, n,    i, k, t) {
		for (i = 2; i <= n; i++)
			for (k = i; k > 1 && v[k - 1] > v[k]; k--) {
				t = v[k]
				v[k] = v[k - 1]
				v[k - 1] = t
			}
		return (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2
	}
	{
		what = $0
		sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", what)
		if (!(what in seen))
			order[++n] = what
		seen[what]
		seconds[$1, $2, what] = $3
		rounds = $2 > rounds ? $2 + 0 : rounds
	}
	END {
		for (k = 1; k <= n; k++) {
			bad = ""
			for (i = 1; i <= rounds; i++) {
				a[i] = seconds["new", i, order[k]]
				b[i] = seconds["old", i, order[k]]
				bad = b[i] > 0 ? bad : "not run by the other"
				bad = a[i] > 0 ? bad : "FAILED"
				r[i] = bad ? 0 : a[i] / b[i]
			}
			ratio = median(r, rounds)
			printf "%-34s %12.6f  %12.6f  %6.3f", order[k], median(b, rounds), median(a, rounds), ratio
			print (bad ? "  " bad : (ratio > 1.05 ? "  SLOWER" : ""))
			failed += bad == "FAILED" || (!bad && ratio > 1.05)
			fflush()
		}
		exit failed > 0
	}'
}

kernels=${*:-$("$new/bench/throughput" --help | sed -n 's/^Kernels: //p')}
ahead=$(if takes_ahead "$old" && ! takes_ahead "$new"; then echo yes; fi)
status=0
printf '%-34s %12s  %12s  %6s\n' kernel 'other, s' 'this, s' ratio
for kernel in $kernels; do
	take_turns kernel_seconds "$kernel" | judge || status=1
done
if [ $# = 0 ] && [ -x "$old/bench/shaders" ]; then
	for shader in "$root"/bench/shaders/*.vsh; do
		take_turns shader_seconds "$shader" | judge || status=1
	done
fi
exit $status
