#!/bin/sh
# Variables of kernels in OpenCL C, with each clang that is installed, with and without optimisation: in the debugger,
# and in conditions. Debug information leaves the instructions as they are.
#   variables.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
cp "$root/examples/scan.cl" "$root/tests/gcn/variables.cl" .

if ! "$warpbeam" info scan.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi

# session COMMANDS FILE OPTION...: the output of the debugger, with warps in turns of a single instruction.
session() {
	commands=$1
	shift
	printf "$commands" | "$warpbeam" debug --timing off --slice 1 --grid 1 "$@" >out 2>err
	cat err >>out
}

# said TEXT WHAT: the last session printed TEXT.
said() {
	grep -q -e "$1" out
	result $? "$2 (--cc $cc -O $o): expected '$1', found:" || sed 's/^/    /' out
}

# instructions FILE OPTION...: texts, without the offsets from code to data, which move with the file's other parts.
instructions() {
	"$warpbeam" dis "$@" 2>>err | sed '\|^// |d; s/^[0-9a-f]*: .*  //; s/^\(s_add_u32 .*, \)0x[0-9a-f]*$/\1DATA/'
}

for cc in clang-14 clang-19; do
	if ! "$warpbeam" info scan.cl --cc $cc >out 2>&1; then
		echo "skipped: $cc: $(head -n 1 out)"
		continue
	fi
	# The compiler, called by a name to leave out the additions of -g to line tables, makes the same instructions.
	mkdir -p lines
	printf '#!/bin/sh\nfor a; do shift; [ "$a" = -g ] && a=-gline-tables-only; set -- "$@" "$a"; done
exec %s "$@"\n' \
		"$(command -v $cc)" >lines/$cc
	chmod +x lines/$cc
	for o in 0 2; do
		for file in scan variables; do
			instructions $file.cl --cc $cc -O $o >whole
			instructions $file.cl --cc "$work/lines/$cc" --files any -O $o >without
			ok "$file, $cc -O $o: -g changes instructions" cmp whole without
			ok "$file, $cc -O $o: no instructions" test "$(grep -c '^[sv]_' whole)" -gt 40
		done
		session 'p v\np x\nbreak :23\ncont\np i\np i@9\ninfo locals
delete\nbreak :25 if far > 3\ncont\np far\np out[0]\nrun\ndelete\nrun
goto 0\nbreak :26 if far == 2 && v > 0\ncont\np v\n' scan.cl --cc $cc -O $o
		said '"v" is not in scope here (line .*line 22 of scan declares it; "break :2[2-5]"' 'out of scope'
		said 'found "x", expected .* variable of the source' 'an unknown name'
		said '^i@0 *0 *1 *2 *3 *4 *5 *6 *7$' 'a variable by lane'
		said '^i@9 = 9  (uint' 'one lane'
		said '^out = 0x.*(uint \*, ' 'an argument'
		said '^far = 4 .*(uint, ' 'a variable of all lanes'
		said '^out\[0\] = 0  *\(in 60 lanes  \)\?(uint, global memory)' 'a pointer'
		said '^v@8 *1\?3  *15  *17  *19  *21  *23  *25  *27$' 'a condition of two variables'
	done
done
# Findings of the checkers name variables: of local memory where the compiler says where they are.
cat >found.cl <<'END'
// .block 128
// .arg zero=512
// .arg shared=512
struct pair { int a; float b; };
__kernel void found(__global struct pair *out, __local int *dyn)
{
	__local int tile[128];
	__local float other[128];
	int l = get_local_id(0);
	float mine[4];
	tile[l] = l;
	dyn[l] = l;
	out[l].a = tile[127 - l] + dyn[l ^ 64];
	if (l == 3)
		out[l].b = other[5] + mine[l & 3];
}
END
for cc in clang-14 clang-19; do
	o=0
	"$warpbeam" run found.cl --check race,uninit,bounds -O 0 --cc $cc >out 2>&1 || grep -q findings out || continue
	said 'race: s\[0x[0-9a-f]*\] (dyn\[[0-9]*\]): load .* (line 13)' 'a race in memory of an argument'
	said 'bounds: store of 4 bytes at g\[0x[0-9a-f]*\] (out\[64\].a) .* (line 13)' 'beyond a buffer of structs'
	said 'uninit: .* reads l\[0x[0-9a-f]*\] (mine\[3\]), .* lane 3' 'an element of an array never written'
done
if [ "$cc" = clang-19 ] && grep -q 'race: ' out; then
	said 'race: s\[0x[0-9a-f]*\] (tile\[127\]): load .* (line 13)' 'a race in local memory'
	said 'uninit: .* reads s\[0x[0-9a-f]*\] (other\[5\]), .* lane 3' 'an element of local memory never written'
fi
# Compiled to Tesla: the arguments, by names and types; other variables are said not to be available.
cc=any o=2
if "$warpbeam" info scan.cl --chip g200 >out 2>&1; then
	session 'p i\nbreak :25 if v > 3\np out\np out[3]\np out.x\nbreak :25 if out[0] == 0\ncont\n' scan.cl \
		--chip g200
	said 'found "i", expected .*an argument of the kernel (other variables are not available on this target' \
		'a local variable'
	said 'found "v", expected .*other variables are not available' 'a condition of a local variable'
	said '^out = 0x100000  (uint\*, argument, as passed)$' 'an argument'
	said '^out\[3\] = 0  (uint, global memory)$' 'the target of an argument'
	said '"out" is of type uint\*, found ".x": expected -> behind a pointer' 'a member of a pointer'
	said '^breakpoint: (1) issue' 'a condition of an argument'
fi
cc=clang-19 o=2
if "$warpbeam" info scan.cl --cc $cc >out 2>&1; then
	session 'break :37 if sum > 1\np part\np sum\n' variables.cl --block 64 -a zero=256 -a zero=128 -a shared=256 \
		-a s32=5 -a s64=-7 -a f32=1.5
	said '"sum" at line 37 (.*optimised out; -O 0 keeps every variable' 'a condition that never holds'
	said '^part: optimised out here; kept at line ' 'a value that is elsewhere'
	said '^sum: optimised out; -O 0 keeps every variable$' 'a value that is nowhere'
fi

finish
