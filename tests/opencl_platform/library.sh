#!/bin/sh
# The library as programs and loaders find it: name, version nodes, and the same platform in place of a loader and
# through one.   library.sh LIBRARY ICD
. "$(dirname "$0")/../kit/check.sh"
library=$(realpath "$1")
icd=$(realpath "$2")
cd "$work" || exit 1
command -v readelf >/dev/null || { echo "skipped: no readelf"; exit 77; }

nodes() {   # LIBRARY: each entry point with its version
	readelf -W --dyn-syms "$1" | sed 's/@@/@/' |
		awk '$4 == "FUNC" && $7 != "UND" && $8 ~ /^cl[A-Z]/ { print $8 }' | sort
}
check 0 out 'SONAME.*\[libOpenCL.so.1\]' readelf -d "$library"
nodes "$library" >ours
check 0 out '^133$' sh -c 'wc -l <ours'
loader=$(ldconfig -p 2>/dev/null | awk '$1 == "libOpenCL.so.1" { print $NF; exit }')
if [ "$loader" ]; then
	nodes "$loader" >theirs
	check 0 out '^0$' sh -c 'comm -13 ours theirs | wc -l'   # no entry point of the loader is missing
fi
readelf -W --dyn-syms "$icd" >symbols
check 0 out clIcdGetPlatformIDsKHR cat symbols
check 0 out '^0$' sh -c 'grep -c clCreateContext symbols || true'
if command -v clinfo >/dev/null; then
	echo "$icd" >warpbeam.icd
	check 0 out 'Platform Version *OpenCL 1.2 Warpbeam' env LD_LIBRARY_PATH="$(dirname "$library")" clinfo
	check 0 out 'Platform Name *Warpbeam' env OCL_ICD_VENDORS="$work" clinfo
	for bound in 64M 67108864; do
		check 0 out '^ *Global memory size *67108864 ' env LD_LIBRARY_PATH="$(dirname "$library")" \
			WARPBEAM_MAX_MEMORY=$bound clinfo
	done
fi
finish
