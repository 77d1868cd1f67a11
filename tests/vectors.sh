#!/bin/sh
# Run vectors of ../shared through the command line.   vectors.sh WARPBEAM FILE [OPTION]...
warpbeam=$1
file=${WB_SHARED-}/vectors/$2
shift 2
if [ ! -f "$file" ]; then
	echo "skipped: no ../shared ($file)"
	exit 77
fi
exec "$warpbeam" vectors "$file" "$@"
