#!/bin/sh
# Pointers of OpenCL C to constant, private, local and global memory, whatever memory is known when the program is
# compiled: __constant parameters, tables, pointers kept in arrays. Each clang of this host, with and without
# optimisation, gives for the Tesla chips the words of a GCN chip.   opencl_spaces.sh WARPBEAM
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

cat >spaces.cl <<'END'
struct pair { int a; short b; char c; };
__constant int table[4] = { 11, 22, 33, 44 };
__constant struct pair pairs[2] = { { 1, 2, 3 }, { -4, -5, -6 } };

int sum(__constant int *p, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += p[i] * (i + 1);
	return s;
}
__constant int *either(__constant int *a, __constant int *b, int i) { return i % 3 ? a : b; }
void raise(int *p, int n)
{
	for (int i = 0; i < n; i++)
		p[i] += i;
}
void add_local(__local int *p, __private int *q) { p[0] += q[0]; }

__kernel void spaces(__global int *out, __constant int *w, __constant int4 *v, __constant struct pair *s,
		     __constant uchar *b, __global int *g)
{
	__local int l[16];
	int i = get_global_id(0), x = g[i], one[5] = { i, x, 3, 4, 5 }, two[4] = { 6, 7, 8, i };
	int *mine[2] = { one, two }, *end = one + 5;
	__constant int *p[3] = { w, table, w + 2 }, *q = i & 1 ? table + (i & 2) : w + i;
	int4 word = v[i & 3];
	int r = sum(w + i, 3) + sum(table, 4) * 3 + q[1] * 5 + p[i % 3][1] * 7 + either(w, table, i)[i & 1] * 11;

	r += word.x + word.y * 2 + word.z * 3 + word.w * 4 + b[i] * 13 + s[i & 7].a + s[i & 7].b * 3 + s[i & 7].c;
	r += pairs[i & 1].a + pairs[i & 1].b * 17 + pairs[1 - (i & 1)].c * 19;
	raise(one + 1, 3);
	for (int k = 0; k < 4; k++)
		mine[i & 1][k] += r >> k;
	for (int *p = one; p != end; p++)
		r = r * 3 + *p;
	l[get_local_id(0)] = i;
	add_local(l + get_local_id(0), mine[1 - (i & 1)]);
	barrier(CLK_LOCAL_MEM_FENCE);
	out[i] = r + two[3] * 5 + l[15 - get_local_id(0)];
}
END
awk 'BEGIN { for (i = 0; i < 256; i++) printf("\\%03o", (i * 167 + 13 * int(i / 7)) % 256) }' >octal
printf "$(cat octal)" >in
# CHIP, OPTIONS: the program's words in the file out.CHIP
words_of() {
	chip=$1
	shift
	rm -f "out.$chip"
	"$warpbeam" run spaces.cl --chip "$chip" --grid 1 --block 16 -q --timing off "$@" -a out="out.$chip":64 \
		-a in=in -a in=in -a in=in -a in=in -a in=in >out 2>err
}

if ! words_of gfx900 && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
cp out.gfx900 want
clangs=
for n in 19 16 15 14; do
	command -v clang-$n >/dev/null 2>&1 && clangs="$clangs clang-$n"
done
newest=$(echo $clangs | cut -d' ' -f1)
oldest=$(echo $clangs | awk '{ print $NF }')
[ "${WB_TEST_ALL:-}" ] || clangs=$(printf '%s\n' $newest $oldest | uniq)
for clang in $clangs; do
	for level in 0 2; do
		for chip in g80 g200 tonga; do
			words_of $chip --cc $clang -O $level && cmp -s want out.$chip
			result $? "$chip, $clang -O $level: $(head -n 1 err)"
		done
	done
done
for option in '--max-regs 16' '--reconverge minpc' '--reconverge ipdom'; do
	words_of g200 $option && cmp -s want out.g200
	result $? "g200, $option: $(head -n 1 err)"
done
finish
