#!/bin/sh
# Files of other kinds that people try: each message names the kind, and says a way out.   kinds.sh WARPBEAM
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
object=$(realpath "$(dirname "$0")/../gcn/versions-v5.hsaco")
cd "$work" || exit 1

# kind NAME WORDS CONTENTS: a file of these contents (of printf) is refused with these words
kind() {
	# shellcheck disable=SC2059
	printf "$3" >"$1"
	check 4 err "$1:.*$2" "$warpbeam" info "$1"
}
readable='kernels are read as OpenCL C'

# texts
for name in k.comp k.s k.txt; do
	kind $name "is GLSL.*$readable" '#version 450\nlayout(local_size_x = 64) in;\nvoid main() { }\n'
done
kind k.frag "is GLSL.*$readable" 'precision mediump float;\nvoid main() { gl_FragColor = vec4(1.0); }\n'
kind k.metal "is Metal's language.*$readable" '#include <metal_stdlib>\nkernel void k(device int *p [[buffer(0)]]) {}\n'
kind k.hlsl "is HLSL.*$readable" 'RWStructuredBuffer<float> b;\n[numthreads(64,1,1)]\nvoid main() { b[0] = 1; }\n'
kind k.wgsl "is WGSL.*$readable" '@compute @workgroup_size(64)\nfn main() {}\n'
kind k.py 'is Python.*Numba.*PTX' 'import numpy\n@cuda.jit\ndef k(a):\n    a[0] = 1\n'
kind k.spvasm "listing of SPIR-V.*$readable" '; SPIR-V\n; Version: 1.0\n   OpCapability Kernel\n'
kind k.ll "LLVM's own assembly.*clang -target amdgcn" 'define void @k() {\n  ret void\n}\n'
kind k.mlir 'is MLIR.*PTX' 'module {\n  gpu.module @m { }\n}\n'
kind k.sass "NVIDIA's disassembler.*nvcc -ptx" \
	'\t.headerflags @"EF_CUDA_SM80"\n\t/*0000*/ MOV R1, c[0x0][0x28] ;\n'
kind k.S "a compiler's assembly.*clang -target" '\t.text\n\t.globl k\nk:\n\ts_endpgm\n'
kind k.vp.txt "picasso's language.*NAME.vsh" '.fvec projection[4]\n.proc main\n\tend\n.end\n'
kind k.asm "CLRX's assembler; a whole file begins" '    .sgprsnum 5\n    .text\n  s_endpgm\n'
kind part.ptx.txt 'part of a PTX file; a whole file begins' '\t.reg .u32 %%r<4>;\n\tmov.u32 %%r1, 1;\n'
kind k.cpp 'is HIP C++: name the file NAME.hip' '#include <hip/hip_runtime.h>\n__global__ void k(int *p) { }\n'
kind cuda.txt 'is CUDA C++: name the file NAME.cu' \
	'#include <stdio.h>\n__global__ void k(int *p) { cudaMalloc(0, 0); }\n'
kind opencl.txt 'looks like OpenCL C: name the file NAME.cl' '__kernel void k(__global int *p) { p[0] = 1; }\n'
kind k.jl 'is Julia.*@device_code_ptx' 'using CUDA\nfunction k(a)\n    return nothing\nend\n'
kind k2.jl 'is Julia.*OpenCL.jl' 'function f(a)\n    @cuda threads=32 k(a)\nend\n'
kind k.f90 'is Fortran.*PTX' 'module m\ncontains\n  attributes(global) subroutine k(a)\n  end subroutine\nend module\n'
kind k.F 'is Fortran' '      SUBROUTINE K(A)\n      END\n'
kind k.rs 'is Rust.*--target nvptx64' 'use core::arch::nvptx;\npub unsafe fn k(p: *mut i32) { *p = 1; }\n'
kind k.java "is Java.*$readable" 'import java.util.List;\npublic class K { }\n'
kind k.go "is Java, Go.*$readable" 'package main\n\nfunc main() { }\n'

# programs of the host
kind host.c 'uses OpenCL.*run -- PROGRAM' '#include <CL/cl.h>\nint main(void) { clCreateContext(0, 0, 0, 0, 0, 0); }\n'
kind host.cpp 'uses OpenCL.*run -- PROGRAM' 'int main() { cl::Context c; }\n'
kind cuda.cpp 'uses CUDA.*run -- PROGRAM' '#include <cuda.h>\nint main() { cuModuleLoad(0, 0); }\n'
kind plain.c 'program of the host.*run -- PROGRAM' '#include <stdio.h>\nint main(void) { return 0; }\n'
kind host.o 'program or object.*run -- PROGRAM' '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\1\0\76\0\1\0\0\0'

# no text of a program
for name in k.rs k.json k.html k.sh passwd; do
	kind $name 'no known kind of program' 'x:y:0\nfn <html> {"a": 1}\n'
done

# bytes
kind k.spv "is SPIR-V.*$readable" '\3\2\43\7\0\0\1\0'
kind big.spv "is SPIR-V.*$readable" '\7\43\2\3\0\1\0\0'
kind k.bc "LLVM's bitcode.*clang -target" 'BC\300\336\1\2\3\4'
kind k.dxbc "Direct3D.*$readable" 'DXBC\1\2\3\4'
kind k.gz 'gunzip first' '\37\213\10\0\0\0'
kind k.xz 'unxz first' '\375\67zXZ\0\0'
kind k.zst 'unzstd first' '\50\265\57\375\0\0'
kind k.zip 'unzip first' 'PK\3\4\1\2'
kind k.exe 'program of Windows.*nvcc -ptx' 'MZ\220\0\3'
kind k.png 'a picture' '\211PNG\r\n\32\n'
kind k.bin 'begins with bytes 1a 01 00 00.*format raw' '\32\1\0\0'
kind k.clo 'AMD.s Catalyst or PRO driver.*clrxdisasm --config' '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\133\257\1\0\0\0'
kind gallium.clo "Mesa's driver.*gallium.*clrxdisasm" '\2\0\0\0\3\0\0\0one\0\0\0\0\0\0\1\0\0\6\0\0\0'
kind no-gallium 'begins with bytes 02 00 00 00.*format raw' '\2\0\0\0\3\0\0\0\1\2\3\0\0\0\0\0'
kind k.metallib "library of Metal's shaders.*$readable" 'MTLB\1\0\2\0'
kind k.air "bitcode in a wrapper.*$readable" '\336\300\27\13\0\0\0\0'
kind k.class "a class of Java.*$readable" '\312\376\272\276\0\0\0\75\0\12'
kind fat.macho "program of macOS.*$readable" '\312\376\272\276\0\0\0\2\1\0\0\7'
kind k.pyc 'is compiled Python.*PyOpenCL' '\247\15\r\n\0\0\0\0\1\2\3\4'
kind k2.pyc 'is compiled Python' '\3\363\r\n\1\2\3\4c\0\0\0'
kind k.wasm "WebAssembly.*$readable" '\0asm\1\0\0\0'
kind k.bz2 'bunzip2 first' 'BZh91AY&SY\1'
kind k.7z '7z x first' '7z\274\257\47\34\0\4'
kind k.h5 'data (HDF5)' '\211HDF\r\n\32\n'
kind k.npy 'data (NumPy).*-a in=FILE' '\223NUMPY\1\0\166\0'
kind k.jpg 'picture (JPEG)' '\377\330\377\340\0\20'
kind k.pdf 'a document (PDF)' '%%PDF-1.4\n\1\n'
kind k.macho "program of macOS.*$readable" '\317\372\355\376\7\0\0\1'
# later MACH WORDS: a code object whose target has another number, in octal.
later() {
	cp "$object" k.hsaco
	printf "\\$1" | dd of=k.hsaco bs=1 seek=48 conv=notrunc 2>dd
	check 4 err "code for $2; expected gfx600" "$warpbeam" info k.hsaco
}
later 101 'gfx1100 (RDNA 3)'
later 77 'gfx90a (CDNA 2)'
later 177 'the target of number 0x7f'
kind k.hipfb 'offload bundle without code of AMD chips' 'CCOB\2\0\1\0xxxxxxxxxxxxxxxx'
: >empty
check 4 err 'empty: the file is empty; expected a program' "$warpbeam" info empty
mkdir folder
check 3 err 'folder: is a folder, expected a file' "$warpbeam" info folder

# The same inside a .cl, which the compiler of OpenCL C refuses.
echo 'kernel void k(global int *p) { p[0] = 1; }' >k.cl
if "$warpbeam" info k.cl >out 2>err; then
	kind glsl.cl "is GLSL.*$readable" '#version 450\nlayout(local_size_x = 64) in;\nvoid main() { }\n'
	kind metal.cl "is Metal's language" '#include <metal_stdlib>\nkernel void k(device int *p [[buffer(0)]]) {}\n'
	kind hlsl.cl 'is HLSL' '[numthreads(64,1,1)]\nvoid main(uint3 id : SV_DispatchThreadID) { }\n'
	kind host.cl 'uses OpenCL.*run -- PROGRAM' '#include <CL/cl.h>\nint main(void) { }\n'
	kind hip.cl 'is HIP C++: name the file NAME.hip' '#include <hip/hip_runtime.h>\n__global__ void k(int *p) { }\n'
	kind cuda.cl 'is CUDA C++: name the file NAME.cu' '__global__ void k(int *p) { p[threadIdx.x] = 1; }\n'
fi

# UTF-8's mark in front of a text
marked() {   # NAME TEXT
	# shellcheck disable=SC2059
	printf "\\357\\273\\277$2" >"$1"
	check 0 out "^$1: .*, 1 kernel" "$warpbeam" info "$1"
}
marked k.s '.kernel k\n.block 32\n\texit nop\n'
marked k.gcn '.chip tonga\n.kernel k\n\ts_endpgm\n'
marked k.asm '.amdcl2\n.gpu Tonga\n.kernel k\n.config\n.dims x\n.text\ns_endpgm\n'
marked k.ptx '.version 1.4\n.target sm_10\n.entry k ()\n{\n\texit;\n}\n'
marked k.v.pica '.out outpos position\n.proc main\n\tmov outpos, v0\n\tend\n.end\n'
printf '\357\273\277.kernel k\n.block 32\n\tbra #far\n' >k.s
check 4 err "k.s:3:.*label 'far' is not defined\$" "$warpbeam" info k.s
printf '\357\273\277\1' >k.bin
check 0 out '4 bytes of code' "$warpbeam" info --format raw k.bin

# Assembly stays assembly: its own mistakes have their messages.
printf '.kernel k\n\tmov $r1, $r0\n' >k.s
check 4 err "k.s:2:.*operands are set apart by blanks.*mov b32" "$warpbeam" info k.s
printf '.kernel k\n.block 32\n\tbra #oddd\nodd:\texit nop\n' >k.s
check 4 err "k.s:3:.*label 'oddd' is not defined; did you mean 'odd'?" "$warpbeam" info k.s
printf '.kernel k\n.block 32\n\tbra #far\nodd:\texit nop\n' >k.s
check 4 err "k.s:3:.*label 'far' is not defined\$" "$warpbeam" info k.s
finish
