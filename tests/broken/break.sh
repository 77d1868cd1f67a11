#!/bin/sh
# Copy the executors of integers with one bit wrong in the first operand of add and its relatives.   break.sh IN OUT
set -eu
sed 's/int_addop(op, OPERAND(a, width)/int_addop(op, OPERAND(a, width) ^ 1/' "$1" >"$2"
if cmp -s "$1" "$2"; then
	echo "break.sh: nothing to break in $1: the pattern is out of date" >&2
	exit 1
fi
