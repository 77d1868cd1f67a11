#!/bin/sh
# How many of other people's files are taken: kernels of PTX, for v100 and g200, CLRX's and picasso's sources; each
# number may only grow. $WB_COLLECTIONS is a folder of checkouts: gpuocelot (gtcasl, fa63920e: nvopencc and nvcc of CUDA
# 2.2 to 4), OpenCLDecompiler (sudo-team-company, b82c00f: binaries of NVIDIA's OpenCL driver, CLRX's disassembly of
# AMD's) and 3ds-examples (devkitPro, a9aaa0c). Skipped without it.   file_collections.sh WARPBEAM
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
[ -n "${WB_COLLECTIONS:-}" ] || { echo 'skipped: $WB_COLLECTIONS names no folder of checkouts'; exit 77; }

# The names of a file's kernels.
kernels() {
	tr -d '\000' <"$1" | sed 's|//.*||' | awk '
		{ gsub("/\\*[^*]*\\*/", "") }
		/\.entry/ { sub(".*\\.entry", ""); sub("\\(.*", ""); wanted = 1 }
		wanted && NF { print $1; wanted = 0 }' | sort -u
}

# group FOLDER CHIP LEAST: of the kernels below the folder so many compile. A file that compiles whole is asked once.
group() {
	[ -d "$WB_COLLECTIONS/$1" ] || return
	all=0
	compiled=0
	for file in $(find "$WB_COLLECTIONS/$1/" -name '*.ptx' | sort); do
		kernels "$file" >names
		n=$(wc -l <names)
		all=$((all + n))
		if timeout 100 "$warpbeam" dis "$file" --chip "$2" >out 2>&1; then
			compiled=$((compiled + n))
			continue
		fi
		while read -r name; do
			timeout 100 "$warpbeam" dis "$file" --chip "$2" --kernel "$name" >out 2>&1 &&
				compiled=$((compiled + 1))
		done <names
	done
	[ "$compiled" -ge "$3" ]
	result $? "$1, $2: $compiled of $all kernels compile, expected $3"
	echo "$1, $2: $compiled of $all"
}

# texts FOLDER LEAST ENDING...: of the files below the folder so many are programs.
texts() {
	[ -d "$WB_COLLECTIONS/$1" ] || return
	folder=$1
	least=$2
	all=0
	taken=0
	shift 2
	for ending in "$@"; do
		for file in $(find "$WB_COLLECTIONS/$folder/" -name "*.$ending" | sort); do
			all=$((all + 1))
			timeout 100 "$warpbeam" info "$file" >out 2>&1 && taken=$((taken + 1))
		done
	done
	[ "$taken" -ge "$least" ]
	result $? "$folder: $taken of $all texts are programs, expected $least"
	echo "$folder, $*: $taken of $all"
}

cd "$work" || exit 1
texts 3ds-examples 21 pica vsh
texts OpenCLDecompiler 73 asm   # the others are RDNA's
group gpuocelot v100 865
group gpuocelot g200 863
group OpenCLDecompiler v100 973
group OpenCLDecompiler g200 973
finish
