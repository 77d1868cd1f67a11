#!/bin/sh
# Run vectors of tests/data through the command line.   vectors.sh WARPBEAM FILE [OPTION]...
warpbeam=$1
file=$WB_SHARED/vectors/$2
shift 2
exec "$warpbeam" vectors "$file" "$@"
