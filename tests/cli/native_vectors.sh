#!/bin/sh
# Native code is made of vectors. Where clang makes no vectors of a loop over lanes (core/isa/native_call.h), results
# stay right and code gets slow; a stand-in for clang makes such a loop an error, so that nothing becomes native. Nor
# does code call functions outside of the text, but memcpy and the like: there, the loader would refuse the code.
#   native_vectors.sh WARPBEAM SOURCE_ROOT THROUGHPUT BENCH_OF_GCN
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
throughput=$(realpath "$3")
gcn=$(realpath "$4")
clangs=$(for name in clang $(seq -f 'clang-%g' 14 29); do command -v $name; done | xargs -r realpath | sort -u)
[ "$clangs" ] && command -v nm >/dev/null || { echo "skipped: no clang, or no nm"; exit 77; }
"$warpbeam" --version -v | grep -q '^simd levels:.* avx2' || { echo "skipped: no AVX2"; exit 77; }
cd "$work" || exit 1

mkdir bin
PATH=$work/bin:$PATH
export PATH

# made WHAT COMMAND...: the command makes native code.
made() {
	XDG_CACHE_HOME=$work/$1
	export XDG_CACHE_HOME
	mkdir "$XDG_CACHE_HOME"
	what=$1
	shift
	"$@" >out 2>err && [ "$(find "$XDG_CACHE_HOME" -name '*.so')" ]
	result $? "$what: a loop over lanes is not made of vectors, or nothing became native: $(tail -n 1 err)"
	outside=$(find "$XDG_CACHE_HOME" -name '*.so' -exec nm -D --undefined-only {} + 2>&1 | grep -v ' mem[a-z]*$')
	[ -z "$outside" ]
	result $? "$what: a function is outside: $outside"
}

cat >f.c <<'END'
void f(int *a)
{
	_Pragma("clang loop vectorize(assume_safety)")
	for (int i = 0; i < 32; i++)
		__asm__("" : "+r"(a[i]));
}
END
"$gcn" --check >out 2>err
opencl=$?
for clang in $clangs; do
	cat >bin/clang <<END
#!/bin/sh
for word; do
	shift
	[ "\$word" = -w ] || set -- "\$@" "\$word"
done
exec "$clang" "\$@" -Wno-everything -Werror=pass-failed
END
	chmod +x bin/clang
	name=$(echo "$clang" | tr -c 'a-z0-9\n' -)
	! clang -w -O2 -c f.c 2>err
	result $? "$name: the stand-in takes any loop"
	for kernel in saxpy mandelbrot matmul reduce histogram collatz bitonic alu; do
		made $name-$kernel "$throughput" --timing off --div 64 --repeat 1 --set native=now --set simd=avx2 \
			$kernel
	done
	for file in kway nqueens predicate-vs-branch reduction-contiguous; do
		made $name-$file "$warpbeam" run "$root/examples/$file.s" --timing off --native now --simd avx2
	done
	if [ $opencl = 0 ]; then
		for kernel in mandelbrot collatz; do
			made $name-gcn-$kernel "$gcn" --chip gfx900 --simd avx2 --native now --timing off --repeat 1 \
				$kernel
		done
	fi
done
finish
