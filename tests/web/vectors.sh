#!/bin/sh
# Vectors of all three machines through the machine as compiled for pages: single instructions, programs, texts.
# vectors.sh WARPBEAM SOURCE LAB.WASM.GZ, beside which vectors.wasm.gz lies. TIMES=1 shows the time of the processor.
set -eu
source=$(realpath "$2") module=$(dirname "$(realpath "$3")")/vectors.wasm.gz
. "$(dirname "$0")/node.sh"
cd "$source/tests/data/vectors"
exec node "$source/tests/web/vectors.js" "$source/frontends/web/machine.js" "$module" \
	tesla/*.vec.gz tesla/control.json.gz pica/corpus_runs.json.gz pica/gs_runs.json.gz \
	pica/random.json.gz pica/units.json.gz gcn/*.txt.gz
