#!/bin/sh
# What every example's events and cycles come to, under every policy: one line each, so that two builds or two hosts can
# be compared with cmp.   digests.sh WARPBEAM EXAMPLES
set -u
for example in "$2"/*.s; do
	for policy in rr oldest gto two-level youngest random; do
		"$1" run "$example" --policy $policy --mps 2 --json 2>/dev/null |
			awk -v name="$(basename "$example") $policy" '
				/"cycles":/ && !cycles { cycles = $2 }
				/"digest":/ { print name, cycles, $2 }'
	done
done
