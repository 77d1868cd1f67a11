#!/bin/sh
# Stands for nvcc in test_textbook: PTX by clang and the headers of include/warpbeam/cuda, a second compiler.
# WB_PROGRAM: warpbeam; WB_CC: clang.   clang.sh -ptx -arch=ARCHITECTURE [-O3|-O0|-lineinfo|-G] -o PTX SOURCE
set -eu
level=2
while [ $# -gt 1 ]; do
	case $1 in
	-O0 | -G) level=0 ;;
	-O1) level=1 ;;
	-O3) level=3 ;;
	-o) output=$2; shift ;;
	esac
	shift
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $1 in
/*) source=$1 ;;
*) source=$PWD/$1 ;;
esac
cd "$work"
"$WB_PROGRAM" info "$source" --cc "$WB_CC" --chip v100 --optimize $level --keep >out 2>err || sed 's/^/error: /' err
mv ./*.ptx "$output"
