#!/bin/sh
# All of Tesla's vectors of single instructions through the machine as compiled for pages: vectors.sh WARPBEAM SOURCE
# LAB.WASM.GZ, beside which vectors.wasm.gz lies. TIMES=1 shows the processor's time, about 2 s.
set -eu
source=$(realpath "$2") module=$(dirname "$(realpath "$3")")/vectors.wasm.gz
. "$(dirname "$0")/node.sh"
cd "$source/tests/data/vectors/tesla"
exec node "$source/tests/web/vectors.js" "$source/frontends/web/machine.js" "$module" ./*.vec.gz
