#!/bin/sh
# Textures and surfaces of CUDA programs (tests/cuda/textures.cu) by each compiler; and what no chip has is refused.
# cuda_textures.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
compilers=
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null && compilers="$compilers $cc"
done
[ "$compilers" ] && [ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] || {
	echo "skipped: no clang-14 and no clang-19, or no libclc for nvptx64"
	exit 77
}
cd "$work" || exit 1

chip=v100
for cc in $compilers; do
	ok "build by $cc" "$warpbeam" build "$source/tests/cuda/textures.cu" --cc $cc -o textures
	check 0 out ' cases, 0 wrong' "$warpbeam" run --chip $chip -- ./textures
	ok "build loaded.cu by $cc" "$warpbeam" build "$source/tests/cuda/loaded.cu" --cc $cc -o loaded
	check 0 out '^no error, 0 wrong words' "$warpbeam" run --chip $chip -- ./loaded
	grep -q '^stale: cudaErrorIllegalAddress' out
	result $? 'a stale handle' || outputs
	ok "build surface_references.cu by $cc" "$warpbeam" build "$source/tests/cuda/surface_references.cu" --cc $cc \
		-o references
	check 0 out '^cudaSuccess, 0 wrong words' "$warpbeam" run --chip $chip -- ./references
	ok "build gather.cu by $cc" "$warpbeam" build "$source/tests/cuda/gather.cu" --cc $cc -o gather
	check 0 out '^cudaSuccess, 0 wrong' "$warpbeam" run --chip v100 -- ./gather
	chip=g80
done

# A kept launch has its textures: they are in the device's memory.
ok 'keep a launch' "$warpbeam" run --chip v100 --stop-at _Z6layersyyPK6float4Pf -- ./textures
ok 'run the kept launch' "$warpbeam" run ./*layers*.trace
grep -q 'layers' out
result $? 'the kept launch' || outputs

# A cubin finds the handles as its source does. Headers of the samples ask for the names of CUDA's.
cat >one.cu <<'END'
#if !defined(__CUDA_RUNTIME_H__) || !defined(__DRIVER_TYPES_H__)
#error the headers of CUDA have names
#endif
texture<float, 2> reference;
__global__ void k(float *out, cudaTextureObject_t t) { *out = tex2D<float>(t, 1, 2) + tex2D(reference, 1, 2); }
END
ok 'a cubin' "$warpbeam" compile one.cu --chip g200 -o one.cubin
check 5 err 'TEXTURE_UNBOUND' "$warpbeam" run one.cubin -a zero=16 -a u64=0
check 5 err 'TEXTURE_UNBOUND' "$warpbeam" run one.cu -a zero=16 -a zero=256

# Handles that a kernel loads: of a description with no number, and in lanes that are off.
cat >loaded.cu <<'END'
__global__ void k(float *out, int n)
{
	if ((int)threadIdx.x < n)
		out[threadIdx.x] = tex2D<float>((cudaTextureObject_t)(out + threadIdx.x), 1, 2);
}
END
check 5 err 'TEXTURE_UNBOUND' "$warpbeam" run loaded.cu -a zero=4096 -a s32=1
ok 'no lane reads' "$warpbeam" run loaded.cu -a zero=4096 -a s32=0

cat >refused.cu <<'END'
__global__ void gather(float4 *out, cudaTextureObject_t t) { *out = tex2Dgather<float4>(t, 1, 2, 3); }
END
check 4 err 'refused.cu:1.*tld4.*without gathers, expected --chip v100' "$warpbeam" dis refused.cu --chip g200 \
	--kernel gather

# nvcc's programs, where there is one.
PATH=$PATH:/usr/local/cuda/bin
if command -v nvcc >/dev/null && nvcc -cudart shared -arch=sm_75 -w "$source/tests/cuda/textures.cu" -o by_nvcc \
	>out 2>err; then
	check 0 out ' cases, 0 wrong' "$warpbeam" run --chip v100 -- ./by_nvcc
	ok 'nvcc: loaded' nvcc -cudart shared -arch=sm_75 -w "$source/tests/cuda/loaded.cu" -o loaded_nvcc
	check 0 out '^no error, 0 wrong words' "$warpbeam" run --chip v100 -- ./loaded_nvcc
	ok 'nvcc: gather' nvcc -cudart shared -arch=sm_75 -w "$source/tests/cuda/gather.cu" -o gather_nvcc
	check 0 out '^cudaSuccess, 0 wrong' "$warpbeam" run --chip v100 -- ./gather_nvcc
fi
finish
