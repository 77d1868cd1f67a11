#!/bin/sh
# run [OPTIONS] -- PROGRAM: the program's output and exit code are its own, ours is on stderr.
#   run_program.sh WARPBEAM HOST CC...
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
host=$(realpath "$2")
shift 2
cd "$work" || exit 1

# ---- a build tree whose libraries are not built yet ----

mkdir -p young/frontends/cli
cp "$warpbeam" young/frontends/cli/
touch young/build.ninja
api=$(dirname "$(ldd "$warpbeam" | awk '/libwarpbeam/ { print $3 }')")
check 3 err "libcudart.so.12 of Warpbeam is not built yet: 'ninja -C .*/young programs' builds" \
	env LD_LIBRARY_PATH="$api" young/frontends/cli/warpbeam run -- "$host" 3

# ---- output, exit code, table ----

check 0 out '^3 launches$' "$warpbeam" run -- "$host" 3
result "$(grep -vc '^3 launches$' out)" 'standard output has more than the program wrote'
check 7 err '^  step                    1           64         5 ' "$warpbeam" run -- "$host" 5 7
check 7 out '^5 launches$' "$warpbeam" run -q -- "$host" 5 7
not err .
printf '#!/bin/sh\ncat; "%s" 1; "%s" 2\n' "$host" "$host" >script
chmod +x script
ok 'input is the program'\''s' sh -c "echo typed | '$warpbeam' run -- ./script | grep -q '^typed$'"
check 0 err '^  step                    1           64         3 ' "$warpbeam" run -- ./script
PATH=$PWD:$PATH check 0 err ': 3 launches, the latest on g200$' "$warpbeam" run -- script

# ---- options ----

check 0 err 'the latest on mcp77$' "$warpbeam" run --chip mcp77 -- "$host" 1
check 0 err '3 ns ' "$warpbeam" run --timing off -- "$host" 3
check 2 err 'warpbeam: --grid is for a file of kernels' "$warpbeam" run --grid 4 -- "$host" 1
check 2 err 'expected race, uninit, barrier or bounds' "$warpbeam" run --check raec -- "$host" 1
check 2 err 'g2000. is not known' "$warpbeam" run --chip g2000 -- "$host" 1
check 2 err 'expected a kernel.s name' "$warpbeam" run --only step:x -- "$host" 1
check 2 err 'is for whole programs' "$warpbeam" run --launches x ifelse
check 0 out '^ifelse on ' "$warpbeam" run --trace of-kernel.trace ifelse
check 3 err '^warpbeam: ./nothing: no such program$' "$warpbeam" run -- ./nothing
check 3 err '^warpbeam: nothing: no such program$' "$warpbeam" run -- nothing
: >data
check 3 err '^warpbeam: ./data: cannot run: Permission denied$' "$warpbeam" run -- ./data

# ---- the file of launches ----

for n in 1 2 3; do
	check 0 out '^4 launches$' "$warpbeam" run --launches "$n.jsonl" -- "$host" 4
done
ok 'the same bytes each time' cmp 1.jsonl 2.jsonl
ok 'the same bytes each time' cmp 1.jsonl 3.jsonl
check 0 out '^4$' grep -c '"call":"testLaunch","number":[1-4],"result":"ok"' 1.jsonl
WARPBEAM_LAUNCHES=own.jsonl check 0 out '^4 launches$' "$host" 4
ok 'without run as with it' cmp 1.jsonl own.jsonl
for brief in "$warpbeam run --launches brief.jsonl --" 'env WARPBEAM_LAUNCHES=brief.jsonl'; do
	# shellcheck disable=SC2086
	WARPBEAM_BRIEF=on check 0 out '^4 launches$' $brief "$host" 4
	ok 'short lines are of the journal of run alone' cmp 1.jsonl brief.jsonl
done
check 3 err 'nowhere' "$warpbeam" run --launches nowhere/file -- "$host" 1
not out .
check 0 out '^1$' sh -c "'$warpbeam' run --only step:2 --launches o.jsonl -- '$host' 3 >&2; grep -c counters o.jsonl"
check 0 err '--only stop: the program launched no kernel of this name' "$warpbeam" run --only stop -- "$host" 3
check 0 err '--stop-at step:4: the program launched this kernel 3 times$' "$warpbeam" run --stop-at step:4 -- "$host" 3
silent 0 err 'this kernel' "$warpbeam" run --only step:3 -- "$host" 3

# ---- findings and faults ----

race='launch 1, kernel race of host.s, by call 1 of testLaunch: race: .*(line 1[0-9])'
check 0 err "$race" "$warpbeam" run --check race -- "$host" 3 race
test "$(grep -c ': race: ' err)" = 1
result $? 'a finding of each launch is told more than once'
check 1 err "$race" "$warpbeam" run --check race --strict -- "$host" 3 race
check 0 out '3 launches' "$warpbeam" run --strict -- "$host" 3
check 0 err 'kernel step of host.s, by call 1 of testLaunch: host.s:[0-9]*: ' "$warpbeam" run -- "$host" 2 fault
check 0 err ' 2 failed$' "$warpbeam" run -- "$host" 2 fault
check 1 err ' 2 failed$' "$warpbeam" run --strict -- "$host" 2 fault

# ---- launches as files ----

check 0 err 'launch 2, kernel step of host.s, by call 2 of testLaunch: kept in step-2.trace' \
	"$warpbeam" run --stop-at step:2 --launches all.jsonl -- "$host" 3
"$warpbeam" run --json step-2.trace >again 2>err
for key in cycles instructions digest; do
	value=$(sed -n "2s/.*\"$key\":\"*\([0-9a-f]*\).*/\1/p" all.jsonl)
	ok "the file's launch has the same $key" grep -q "\"$key\": \"*$value[\",]" again
done
check 0 out '^step on g200' "$warpbeam" annotate step-2.trace
ok 'the debugger opens the file' sh -c "echo 'step 3' | '$warpbeam' debug step-2.trace | grep -q '0x'"
check 0 out '^3 launches$' "$warpbeam" run --trace traces -- "$host" 3
check 0 out '^{' "$warpbeam" export traces/00003-step.trace --format jsonl -o -
check 0 out '^step on g200' "$warpbeam" run traces/00002-step.trace
not err 'recorded by'
check 0 out '^3 launches$' "$warpbeam" run --report page.html -- "$host" 3
ok 'the page is of the launch' grep -q '<title>.*step' page.html
check 0 err 'launched nothing' "$warpbeam" run --report none.html -- "$host" 0
ok 'no page without launches' test ! -e none.html
check 0 err '/nowhere: cannot make the folder of traces: ' "$warpbeam" run --trace /nowhere/x/nowhere -- "$host" 1
check 7 out '^1 launches$' sh -c "mkdir -p locked && chmod a-w locked && cd locked && '$warpbeam' run --stop-at step \
	-- '$host' 1 7"

# ---- the program's own mishaps ----

check 139 err 'in code of its own; the latest launch here was launch 2, kernel step, by call 2 of testLaunch$' \
	"$warpbeam" run -- "$host" 2 crash
check 139 err '^  step .* 2 ' "$warpbeam" run -- "$host" 2 crash
check 134 err 'in code of its own; nothing had been launched here$' "$warpbeam" run -- "$host" 0 abort
check 139 err 'while here ran launch 1, kernel spin, by call 1 of testLaunch$' \
	"$warpbeam" run -- "$host" 1 crash-within

mkdir temporary
TMPDIR=$PWD/temporary check 137 err 'while here ran launch 1, kernel spin, by call 1 of testLaunch$' \
	"$warpbeam" run -- "$host" 1 kill-within
# more sizes than a process counts in memory: the others are lines of the journal
TMPDIR=$PWD/temporary check 0 err '^  all .* 300 ' "$warpbeam" run -- "$host" 300 sizes
ok 'no file is left behind' rmdir temporary
# A killed run leaves its files to the next one, which leaves those of a run that lives, of the last minute, of others.
mkdir swept
touch swept/warpbeam-run-locked swept/warpbeam-run-locked-counts swept/others
TMPDIR=$PWD/swept "$warpbeam" run -- sh -c "'$host' 1; kill -9 \$PPID" >out 2>err
[ "$(ls swept | wc -l)" = 5 ]
result $? "a killed run has left two files: $(ls swept)" || outputs
touch -d '2 minutes ago' swept/*
: >swept/warpbeam-run-recent
TMPDIR=$PWD/swept check 0 err 'the latest on g200' flock swept/warpbeam-run-locked "$warpbeam" run -- "$host" 1
[ "$(ls swept | tr '\n' ' ')" = 'others warpbeam-run-locked warpbeam-run-locked-counts warpbeam-run-recent ' ]
result $? "what a killed run has left is removed, and no more: $(ls swept)"

# ---- programs that are not reached ----

check 0 err 'launched nothing here: it called Test, and no launch began$' "$warpbeam" run -- "$host" 0
check 0 err 'launched nothing here: it needs none of libOpenCL.so, libcudart.so, libcuda' "$warpbeam" run -- true
echo 'int main(void) { return 5; }' >plain.c
if "$@" -static plain.c -o static 2>/dev/null; then
	check 5 err 'launched nothing here: it is statically linked' "$warpbeam" run -- ./static
fi
echo 'int hip(void) { return 0; }' >hip.c
echo 'int hip(void); int main(void) { return hip(); }' >hips.c
if "$@" -shared -fPIC -Wl,-soname,libamdhip64.so.6 hip.c -o libamdhip64.so.6 &&
	"$@" hips.c -o hips -L. -l:libamdhip64.so.6 -Wl,--enable-new-dtags,-rpath,"$work"; then
	check 0 err 'launched nothing here: it needs HIP of ROCm 6, which has no stand-in' "$warpbeam" run -- ./hips
fi
echo '__attribute__((section(".nv_fatbin"))) const int image = 1; int main(void) { return 6; }' >cuda.c
"$@" cuda.c -o cuda
check 6 err 'a static CUDA runtime; link with -cudart shared$' "$warpbeam" run -- ./cuda
"$@" plain.c -o setuid && chmod u+s setuid
check 5 err 'it runs with another user.s rights' "$warpbeam" run -- ./setuid
printf '\177ELF\2\1\1' >stub && chmod +x stub     # which a shell takes for a script, as execvp has it
check 127 err 'launched nothing here$' "$warpbeam" run -- ./stub

finish
