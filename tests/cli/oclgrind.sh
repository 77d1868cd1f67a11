#!/bin/sh
# tests/programs/oclgrind.sh on a tree in the form of Oclgrind's tests: a row for each simulation and chip, with every
# verdict, type and way to give an argument's values.   oclgrind.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
cd "$work" || exit 1
mkdir -p tree/tests/kernels/all
cd tree/tests/kernels/all || exit 1

cat >sums.cl <<'END_OF_SOURCE'
struct pair { char c; int i; };
kernel void sums(global int *a, constant uint *b, global float *f, local int *scratch, const struct pair s, long n,
		 global double *d, global ulong *wide, global char *bytes, global int *none)
{
	int i = get_global_id(0);
	scratch[get_local_id(0)] = a[i];
	barrier(CLK_LOCAL_MEM_FENCE);
	a[i] = scratch[get_local_id(0) ^ 1] + b[i] + s.c * 100 + s.i;
	f[i] = f[i] / 3 + n;
	d[i] = f[i] < 0 ? d[i] : -d[i];
	wide[i] = (wide[i] << 4) + i;
	bytes[i] -= none == 0;
}
kernel void null(global int *none, global int *p) { *p += *none; }
kernel void out(global int *p) { p[get_global_id(0) * 2] = 1; }
END_OF_SOURCE
cat >sums.sim <<'END_OF_SIMULATION'
# a comment
sums.cl
sums
4 1 1
2 1 1

<size=16 range=10:-5:-5 dump>
<size=16 hex>
ff 0x10 1
7   # behind the values
<size=16 dump>
1.5 -3 0.25 1e3
<size=8>
<size=8 char>
-1 0 0 0 7 1 0 0
<size=8 fill=-2>
<size=32 fill=0.1 dump>
<size=32 ulong fill=123456789a hex dump>
<size=4 dump fill=-128>
<null>
END_OF_SIMULATION
cat >sums.ref <<'END_OF_REFERENCE'

EXACT Argument 'a': 16 bytes
EXACT   a[0] = 423
EXACT   a[1] = 189
EXACT   a[2] = 159
EXACT   a[3] = 170

MATCH Argument 'f': 16 bytes
EXACT   f[0] = -1.5
MATCH   f[1] =
EXACT   f[2] = -1.91667
EXACT   f[3] = 331.333
EXACT Argument 'd': 32 bytes
EXACT   d[0] = 0.1
EXACT   d[1] = 0.1
EXACT   d[2] = 0.1
EXACT   d[3] = -0.1
EXACT Argument 'wide': 32 bytes
EXACT   wide[0] = 0x00000123456789a0
EXACT   wide[1] = 0x00000123456789a1
EXACT   wide[2] = 0x00000123456789a2
EXACT   wide[3] = 0x00000123456789a3
EXACT Argument 'bytes': 4 bytes
EXACT   bytes[0] = 127
EXACT   bytes[1] = 127
EXACT   bytes[2] = 127
EXACT   bytes[3] = 127
END_OF_REFERENCE
cp sums.sim other.sim
sed 's/a\[2\] = 159/a[2] = 160/' sums.ref >other.ref
cp sums.sim short.sim
sed '$d' sums.ref >short.ref
printf 'sums.cl\nout\n4 1 1\n4 1 1\n<size=16 fill=0 dump>\n' >end.sim
printf "ERROR Invalid write\nEXACT Argument 'p': 16 bytes\nEXACT   p[0] = 2\n" >end.ref
printf 'sums.cl\nnull\n1 1 1\n1 1 1\n<null>\n<size=4 fill=5 dump>\n' >null.sim
printf 'sums.cl\nnull\n1 1 1\n1 1 1\n<size=4 noinit>\n<size=4 fill=5 dump>\n' >blank.sim
printf "ERROR Uninitialized value\nEXACT Argument 'p': 4 bytes\nEXACT   p[0] = 5\n" >blank.ref
printf "ERROR Invalid read\nEXACT Argument 'p': 4 bytes\nEXACT   p[0] = 5\n" >null.ref
cp end.sim open.sim
echo 'ERROR Invalid write' >open.ref
cp end.sim typed.sim
cp end.ref typed.ref
touch typed.inp
sed 's/^4 1 1$/5 1 1/; 4s/.*/2 1 1/' end.sim >uneven.sim
cp end.ref uneven.ref
echo 'kernel void k(global int *p) { *p = nothing; }' >bad.cl
printf 'bad.cl\nk\n1 1 1\n1 1 1\n<size=4 fill=0 dump>\n' >bad.sim
cp end.ref bad.ref
printf 'kernel void say(int n) { printf("%%d of %%.1f\\n", n, 2.5f); }\n' >say.cl
printf 'say.cl\nsay\n1 1 1\n1 1 1\n<size=4>\n3\n' >say.sim
printf 'MATCH 3 of 2.5\n' >say.ref
printf 'all/%s\n' sums other short end null blank open typed uneven bad say >../TESTS
cd "$work" || exit 1
if ! "$warpbeam" info tree/tests/kernels/all/say.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
cp -r tree before

rows() { env "$@" >out 2>err; }
row() {   # WHAT ROW
	grep -Eq "^$2" out
	result $? "$1" || outputs
}
rows CHIPS='gfx900 tonga' sh "$source/tests/programs/oclgrind.sh" tree "$warpbeam"
result $((! $?)) 'something is wrong'
for chip in gfx900 tonga; do
	row 'right values' "all/sums +$chip +right +- *$"
	row 'another value' "all/other +$chip +WRONG +- +found +a\[2\] = 159, expected +a\[2\] = 160$"
	row 'a line more' "all/short +$chip +WRONG +- +more: +bytes\[3\] = 127$"
	row 'an error is expected' "all/end +$chip +undefined +1 of 1 "
	row 'a null pointer' "all/null +$chip +right +1 of 1 *$"
	row 'a buffer without values' "all/blank +$chip +right +0 of 1 *$"
	row 'no values' "all/open +$chip +nothing +1 of 1 *$"
	row 'a dialogue' "all/typed +$chip +skipped +- "
	row 'half a group' "all/uneven +$chip +refused +- +sizes that are no multiples"
	row 'no program' "all/bad +$chip +refused +- .*nothing"
	row 'printed lines' "all/say +$chip +right +- *$"
done
row 'the sum' '.* 22 rows$'
row 'the sum of a verdict' '.*gfx900 WRONG 2, '
row 'the sum of errors' '.*tonga errors found 3 of 4, '
rows CHIPS=gfx900 sh "$source/tests/programs/collections.sh" tree "$warpbeam" all/s all/end
result $((! $?)) 'all/short is among the names'
rows CHIPS=gfx900 sh "$source/tests/programs/collections.sh" tree "$warpbeam" all/sums all/end
result $? 'nothing is wrong' || outputs
row 'names choose' '.* 2 rows$'
ok 'the tree stays as it is' diff -r tree before
finish
