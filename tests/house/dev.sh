#!/bin/sh
# Messages of ./dev for wrong arguments, and the comparison of two builds.   dev.sh ROOT
set -u
root=$(cd "$1" && pwd) || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

expect() {   # NAME STATUS TEXT COMMAND...: the exit status, and a text of the output
	name=$1 status=$2 text=$3
	shift 3
	"$@" >"$work/out" 2>&1
	got=$?
	if [ $got = "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" "$work/out"; }; then
		passed=$((passed + 1))
	else
		echo "$name: found exit $got, expected $status and '$text'; the output:"
		cat "$work/out"
		failed=$((failed + 1))
	fi
}

expect 'unknown command' 2 "unknown command 'bnech'" "$root/dev" bnech
expect 'help' 0 'bench --against REV' "$root/dev" help
expect 'no commit' 2 'found nothing, expected a commit' "$root/dev" bench --against
if git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
	expect 'unknown commit' 2 "found 'no-such-commit', expected a commit" "$root/dev" bench --against no-such-commit
fi

# A row of the table of packages with a check that cannot pass. Installed, the row is in error; not installed, the
# package cannot be had.
mkdir -p "$work/rows/bin"
sed "/^packages() {/,/^}/c packages() { echo 'some-row build glob /nonexistent/file optional nothing at all'; }" \
	"$root/dev" >"$work/rows/dev"
for tool in apt-get sudo meson ninja; do
	printf '#!/bin/sh\nexit 0\n' >"$work/rows/bin/$tool"
done
printf '#!/bin/sh\nprintf "$STATUS"\n' >"$work/rows/bin/dpkg-query"
chmod +x "$work/rows/dev" "$work"/rows/bin/*
rows() { env PATH="$work/rows/bin:$PATH" "$@" "$work/rows/dev" setup; }
expect 'a wrong row' 3 'the row of some-row is wrong' rows STATUS='ii ' CI=true
expect 'a wrong row outside CI' 0 'the row of some-row is wrong' rows STATUS='ii ' CI=
expect 'no package' 0 'skipped: some-row is not available (nothing at all)' rows STATUS='un ' CI=true
expect 'wrong word' 2 "found 'everything', expected --all" "$root/dev" setup everything
expect 'unknown suite' 2 "found 'tiny', expected all, house, small" "$root/dev" test small tiny
expect 'wrong word of clean-room' 2 "found 'everything', expected --run" "$root/dev" clean-room everything
expect 'packages alone' 3 'the row of some-row is wrong' env PATH="$work/rows/bin:$PATH" STATUS='ii ' CI=true \
	"$work/rows/dev" setup --packages build

# SDL2 is wanted where a window could be opened, and nowhere else.
sed "/^packages() {/,/^}/c packages() { echo 'some-sdl window,test glob /nonexistent/file optional the window'; }" \
	"$root/dev" >"$work/rows/dev"
expect 'a display' 0 'skipped: some-sdl is not available (the window)' rows DISPLAY=:9 STATUS='un ' CI=true
rm -rf "$work/rows/build"
window() { ! rows "$@" STATUS='un ' CI=true 2>&1 | grep some-sdl; }
expect 'no display' 0 '' window DISPLAY= WAYLAND_DISPLAY=
rm -rf "$work/rows/build"
expect 'wayland' 1 'skipped: some-sdl is not available' window DISPLAY= WAYLAND_DISPLAY=wayland-0

# Skipped tests by the log of meson: reasons once, cases only without a reason.
printf '%s\n' 'test:         one' 'result:       exit status 0' 'skipped: no pen' 'skipped: no pen' \
	'[  SKIPPED ] 1 test(s), listed below:' '[  SKIPPED ] writes' 'test:         two' \
	'result:       exit status 0' '[  SKIPPED ] reads' 'test:         three' 'result:       exit status 77' \
	>"$work/testlog"
printf '%s\n' 'skipped: one: no pen' 'skipped: two: case reads' 'skipped: three: exit status 77, without a word' \
	>"$work/skips"
awk -f "$root/tests/skips.awk" "$work/testlog" >"$work/told"
expect 'what was skipped' 0 '' diff "$work/skips" "$work/told"

# Failed tests by the log of meson: the result, and what the test says.
printf '%s\n' 'test:         warpbeam:cli / one' 'result:       exit status 0' 'FAILED: nothing' 'test:         two' \
	'result:       exit status 1' '[  ERROR   ] --- 3 != 4' '[  FAILED  ] 1 test(s), listed below:' \
	'[  FAILED  ] counts' 'test:         three' 'result:       killed by signal 15 SIGTERM' >"$work/testlog"
printf '%s\n' 'failed: two: exit status 1' 'failed: two: [  ERROR   ] --- 3 != 4' 'failed: two: [  FAILED  ] counts' \
	'failed: three: killed by signal 15 SIGTERM' >"$work/fails"
awk -f "$root/tests/fails.awk" "$work/testlog" >"$work/told"
expect 'what failed' 0 '' diff "$work/fails" "$work/told"

# Stand-ins for builds: a kernel takes the configured time.
fake() {   # NAME SECONDS
	mkdir -p "$work/$1/bench"
	cat >"$work/$1/bench/throughput" <<FAKE
#!/bin/sh
[ "\$1" = --help ] && { echo 'Kernels: k'; exit; }
printf '"kernel": "k",\n"timing": "off",\n"seconds_median": $2,\n'
FAKE
	chmod +x "$work/$1/bench/throughput"
}
fake old 0.100
fake same 0.104
fake slow 0.106
fake none 0
export REPEAT=3
expect 'as fast' 0 ' 1.040' sh "$root/bench/against.sh" "$work/same" "$work/old"
expect 'slower' 1 ' 1.060  SLOWER' sh "$root/bench/against.sh" "$work/slow" "$work/old"
expect 'only the other' 1 'FAILED' sh "$root/bench/against.sh" "$work/none" "$work/old" k
expect 'not the other' 0 'not run by the other' sh "$root/bench/against.sh" "$work/old" "$work/none" k

# A build whose timed runs are trace-driven by default, and a build as fast with the option; of two threads the new
# build is slower.
cat >"$work/same/bench/throughput" <<'FAKE'
#!/bin/sh
case $* in
--help) echo 'Kernels: k' ;;
*ahead=on*) exit 2 ;;
*--threads*) printf '"kernel": "k",\n"timing": "on",\n"seconds_median": 0.1\n"beside": {\n"seconds_median": 0.09\n' ;;
*) printf '"kernel": "k",\n"timing": "on",\n"seconds_median": 0.100\n' ;;
esac
FAKE
cat >"$work/old/bench/throughput" <<'FAKE'
#!/bin/sh
case $* in
*ahead=on*) printf '"kernel": "k",\n"timing": "on",\n"seconds_median": 0.099\n' ;;
*--threads*) printf '"kernel": "k",\n"timing": "on",\n"seconds_median": 0.1\n"beside": {\n"seconds_median": 0.06\n' ;;
*) printf '"kernel": "k",\n"timing": "on",\n"seconds_median": 0.200\n' ;;
esac
FAKE
expect 'by default' 0 'k, timing on                           0.200000      0.100000   0.500' \
	sh "$root/bench/against.sh" "$work/same" "$work/old" k
expect 'against --ahead' 0 'k, timing on, --ahead                  0.099000      0.100000   1.010' \
	sh "$root/bench/against.sh" "$work/same" "$work/old" k
expect 'two threads' 1 'k, timing on, 2 threads                0.060000      0.090000   1.500  SLOWER' \
	env THREADS=2 sh "$root/bench/against.sh" "$work/same" "$work/old" k

# The page of a comparison, from made-up measurements.
mkdir "$work/m"
cd "$work/m" || exit 1
for file in about off on in-order gain-traces gain-fast-forward pocl oclgrind threads-off threads-on stats-off \
		stats-on sweep classes skipped; do
	: >$file
done
printf 'processor\tthis one\nslow\t64\ntimed\t16\n' >about
echo 'alu  off  1000.0  31.2  0.5000  0.1 %  500  61.0 %' >off
echo 'matmul  off  1000.0  31.2  0.5000  0.1 %  500  20.0 %' >>off
echo 'matmul  on  300.0  9.4  1.5000  0.1 %  500  14.0 %' >on
echo 'matmul  on  350.0  11.0  1.3000  0.1 %  500  16.0 %' >in-order
echo 'matmul  on  300.0  9.4  1.5000  0.1 %  500  3.0000  0.500  0.1' >gain-traces
echo 'matmul  on  300.0  9.4  1.5000  0.1 %  500  1.8750  0.800  0.1' >gain-fast-forward
printf 'Oclgrind\tmatmul\t64\t1.0\tok\nOclgrind\talu\t64\t1.0\twrong\n' >oclgrind
printf 'pocl\tmatmul\t1\t0.1\tok\n' >pocl
echo 'matmul  off  1000.0  31.2  0.5000  0.1 %  500  0.2632  1.900  1.9' >threads-off
echo 'matmul  on  1000.0  31.2  0.5000  0.1 %  500  0.2941  1.700  0.1' >threads-in-order
for file in threads-off threads-on threads-in-order; do
	echo 'loops of the ceiling on 2 processors at once: 1.93 times as much as on one' >>$file
done
echo 'matmul  on  1000.0  31.2  0.5000  0.1 %  500  0.4000  1.250  1.2' >stats-on
printf 'one 9\ntwo 4\nbytes equal\none 8\ntwo 5\nbytes equal\none 10\ntwo 5\nbytes differ\n' >sweep
printf 'ALU, int       on          672.2      21.0   8.9 %%   0.3 %%\ndecoding: 0.5 M instructions/s\n' >classes
echo 'nothing to see' >skipped
# Each level beside its own ceiling: 520 of 2000 M are 26.0 %, 2528 of 6400 M 39.5 %. There is no AVX-512, as compare.sh
# leaves it; matmul has no number of base, takes 2.5 times pocl's 0.1 s at AVX2, and its statistics none of AVX2.
echo 'alu          off         520.0      16.3     0.0091   0.0 %       4730368   26.0 %' >level-base
printf '\nthe ceiling with base: threaded 2.00 G lane operations/s\n' >>level-base
echo 'matmul       off        1600.0      50.0     0.2500   0.0 %       5996544   25.0 %' >level-avx2
echo 'alu          off        2528.0      79.0     0.0021   0.0 %       4730368   39.5 %' >>level-avx2
printf '\nthe ceiling with avx2: threaded 6.40 G lane operations/s\n' >>level-avx2
echo 'alu          off         520.0      16.3     0.0091   0.0 %       4730368     0.0073   1.250   0.001' \
	>level-stats-base
echo 'alu          off        2528.0      79.0     0.0021   0.0 %       4730368     0.0021   0.980   0.001' \
	>level-stats-avx2
: >level-avx512
: >level-stats-avx512
echo 'mandelbrot   tonga            41.0         30.0' >level-gcn-avx2
printf '| handler | x86-64 |\n|---|---:|\n| `add_full` | 52 |\n' >mca
printf '%-8s %-12s %10s %8s %8s\n' level kernel seconds now auto >native
printf '%-8s %-12s %10s %8s %8s\n' avx2 matmul 0.2500 2.00 1.90 >>native
expect 'a page' 0 '' sh "$root/bench/page.sh" "$work/m"
for row in '| alu, timing off: share of the threaded ceiling | 61.0 % | at least 50.0 % | 80.0 % | yes |' \
		'| the same with `--simd avx2` | 39.5 % | at least 40.0 % | 80.0 % | **no** |' \
		'| the same with `--simd base` | 26.0 % | at least 25.0 % | 80.0 % | yes |' \
		'| base, M thread insns/s | share | pocl | full | avx2, M thread insns/s | share | pocl | full |' \
		'| alu | 520 | 26.0 % |  | +25.0 % | 2528 | 39.5 % |  | -2.0 % |' \
		'| matmul |  |  |  |  | 1600 | 25.0 % | 2.5 |  |' \
		'| pocl: times slower with `--simd avx2`, mean | 2.50 | at most 3.00 |  | yes |' \
		'with `--simd avx2`, M wave instructions/s: the least, mandelbrot | 41.0 | at least 40.0 |  | yes |' \
		'| GCN, M wave instructions/s | base | avx2 |' '| mandelbrot |  | 41.0 |' '| `add_full` | 52 |' \
		'| the same, the most, alu with `--simd base` | 25.0 % | at most 10.0 % |  | **no** |' \
		'The ceiling (`bench/limit`) with base: threaded 2.00 G lane operations/s.' \
		'The ceiling (`bench/limit`) with avx2: threaded 6.40 G lane operations/s.' \
		'| oclgrind: times faster, mean | 128 | at least 100 | 300 | yes |' \
		'| pocl, a compiler: times slower, mean | 5.00 | at most 4.00 |  | **no** |' \
		'| native code, pocl: times slower, mean | 1.25 | at most 0.50 |  | **no** |' \
		'| native code, pocl: the most, matmul | 1.25 | at most 1.50 |  | yes |' \
		'avx2     matmul           0.2500     2.00     1.90     1.25' \
		'| timing on: share of the round-robin ceiling, mean | 14.0 % | at least 20.0 % | 40.0 % | **no** |' \
		'| the same with `--in-order`, mean | 16.0 % | | | |' \
		'| matmul | 9.4 | 14.0 % | 300 | 11.0 | 16.0 % | 31.2 |' \
		'| two threads, timing off: times faster than one, mean | 1.90 | at least 1.80 | 1.95 | yes |' \
		'| two threads with `--in-order`: the same | 1.70 | | | |' \
		'| matmul | × 2.00 | × 1.25 |' '| mean | × 2.00 | × 1.25 |' \
		'| matmul | × 1.90 |  | × 1.70 |  | +25.0 % |' '1.93, 1.93 and 1.93 times as much as one' \
		'| the same, timing on | 25.0 % | at most 10.0 % | 3.0 % | **no** |' \
		'times faster than `--threads 1` | 1.80 | at least 1.80 |  | yes |' \
		'| the bytes of their tables | differ | equal | | **no** |' \
		'| matmul | 1000 | 20.0 % | 0.5000 | 64.00 | 128 | 0.10000 | 5.0 |' \
		'| alu | 1000 | 61.0 % | 0.5000 |  |  |  |  |' '| ALU, int |' '| decoding | 0.5 M instructions/s |' \
		'Skipped: nothing to see.'; do
	expect "row" 0 "$row" cat performance.md
done
expect 'a level that the host lacks' 1 '' grep avx512 performance.md
if command -v gnuplot >/dev/null 2>&1; then
	expect 'the plot is on the page' 0 '(performance.png)' cat performance.md
	expect 'the plot is a picture' 0 'PNG' head -c 8 performance.png
fi
PATH=$work/none:$PATH
printf '#!/bin/sh\nexit 1\n' >"$work/none/gnuplot"
chmod +x "$work/none/gnuplot"
expect 'a page without a plot' 0 '' sh "$root/bench/page.sh" "$work/m"
expect 'it says so' 0 'There is no plot' cat performance.md

# The same without files, as an earlier comparison leaves it.
mv level-avx2 level-avx512
rm level-base level-stats-* threads-in-order
expect 'a page without files' 0 '' sh "$root/bench/page.sh" "$work/m"
expect 'the level that is there' 0 '| alu | 2528 | 39.5 % |  |' cat performance.md
expect 'levels that are not' 1 '' grep -E 'the same with `--simd|\| kernel \| base|--in-order`: the same' performance.md
rm level-avx512
expect 'a page without levels' 0 '' sh "$root/bench/page.sh" "$work/m"
expect 'no section of levels' 1 '' grep 'SIMD levels' performance.md
expect 'the other rows' 0 '| alu | 1000 | 61.0 % | 0.5000 |  |  |  |  |' cat performance.md
rm off
expect 'nothing measured' 2 'off' sh "$root/bench/page.sh" "$work/m"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
