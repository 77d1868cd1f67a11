#!/bin/sh
# The layer test itself must be able to fail: a copy of the sources with one forbidden line each has to be refused.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# One file of each kind stands for the rooms, as each trial reads the copy whole.
mkdir -p "$work/copy/frontends/cli"
(cd "$root" && for room in core host toolchain mem sched machine inspect native device api frontends bench examples \
		include tests; do
	mkdir -p "$work/copy/$room"
	find $room -maxdepth 1 -name '*.[ch]'
done | tar -cT - core/base | tar -xC "$work/copy")

refused() {   # FILE LINE WHAT: append LINE to FILE of the copy and expect WHAT in the complaint
	file=$work/copy/$1
	cp "$file" "$work/saved" 2>/dev/null || rm -f "$work/saved"
	printf '%s\n' "$2" >>"$file"
	if sh "$root/tests/house/layers.sh" "$work/copy" >"$work/out"; then
		echo "not refused: $1: $2"
		failed=$((failed + 1))
	elif ! grep -q "$3" "$work/out"; then
		echo "refused without '$3': $1: $2"
		cat "$work/out"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
	rm "$file"
	[ ! -f "$work/saved" ] || cp "$work/saved" "$file"
}

if ! sh "$root/tests/house/layers.sh" "$work/copy" >"$work/out"; then
	echo "the copy is refused before any change:"
	cat "$work/out"
	failed=1
fi
refused core/base/diag.c '#include "core/warp.h"' 'core/base/diag.c:.*includes core/warp.h'
refused mem/stray.c '#include "core/isa.h"' 'mem/stray.c:1: includes core/isa.h'
refused sched/stray.c '#include "core/isa.h"' 'sched/stray.c:1: includes core/isa.h'
refused sched/stray.c '#include "machine/machine.h"' 'sched/stray.c:1: includes machine/machine.h'
refused machine/stray.c '#include "inspect/watch.h"' 'machine/stray.c:1: includes inspect/watch.h'
refused machine/stray.c '#include "warpbeam.h"' 'machine/stray.c:1: includes warpbeam.h'
refused inspect/stray.c '#include "device/config.h"' 'inspect/stray.c:1: includes device/config.h'
refused frontends/cli/stray.c '#include "core/base/diag.h"' 'frontends/cli/stray.c:1: includes core/base/diag.h'
refused frontends/cli/stray.c '#include <SDL.h>' 'only frontends/sdl/ may'
refused core/warp.h '/* what Tesla does */' 'names a machine'
refused core/warp.h 'int pica_lanes;' 'names a machine'
refused inspect/stray.c 'int width = LANES;' 'width of a warp'
refused core/warp.h 'FOR_LANES(l)' 'width of a warp'
refused core/warp.h '#ifdef __AVX512F__' 'known to core/base/vector.h alone'
refused mem/stray.c '#include <immintrin.h>' 'known to core/base/vector.h alone'
refused mem/stray.c '#include <emmintrin.h>' 'known to core/base/vector.h alone'
refused mem/stray.c '#include <setjmp.h>' 'a failing function returns'
refused core/warp.h 'longjmp(*end, 1);' 'a failing function returns'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
