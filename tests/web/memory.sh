#!/bin/sh
# Programs too large for the memory of a page's module are refused, and the next program opens.
#   memory.sh WARPBEAM SOURCE LAB.WASM.GZ
. "$(dirname "$0")/../kit/check.sh"
. "$(dirname "$0")/node.sh"
node "$2/tests/web/memory.js" "$2/frontends/web/machine.js" "$2/frontends/web/worker.js" "$3" \
	"$2/examples/ifelse.s" >"$work/said" 2>&1
result $? "the host in node: $(tr '\n' ',' <"$work/said")"
printf '%s\n' 'none loaded ifelse' '12 failed 3' 'none loaded ifelse' '14 failed 3' '15 failed 3' 'none loaded ifelse' \
	'8 failed 3' 'none loaded ifelse' | cmp -s - "$work/said"
result $? "a program opens behind one that lacks memory"
finish
