#!/bin/sh
# Copy a source of the integer executors with one bit wrong in the first operand of add and its relatives. Whatever else
# it includes from beside handlers.def, it takes the broken copy of that.   break.sh IN OUT
set -eu
sed -e 's/int_addop(\([A-Za-z_]*\), OPERAND(a, width)/int_addop(\1, OPERAND(a, width) ^ 1/' \
	-e 's/int_addop(ADDOP_ADD, a, b/int_addop(ADDOP_ADD, a ^ 1, b/' \
	-e 's|"core/isa/tesla/handlers.def"|"handlers_broken.def"|' "$1" >"$2"
if cmp -s "$1" "$2"; then
	echo "break.sh: nothing to break in $1: the pattern is out of date" >&2
	exit 1
fi
