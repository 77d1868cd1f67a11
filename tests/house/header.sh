#!/bin/sh
# The public header compiles alone, without a warning, as C11 and as C++17.   header.sh SOURCE_ROOT CC...
set -u
header=$1/include/warpbeam.h
shift
passed=0
failed=0
skipped=0

check() {   # WHAT COMMAND...
	what=$1
	shift
	if "$@" -pedantic -Wall -Wextra -Werror -fsyntax-only "$header"; then
		passed=$((passed + 1))
	else
		echo "warpbeam.h does not stand alone as $what"
		failed=$((failed + 1))
	fi
}

check C11 "$@" -std=c11 -x c
cxx=$(command -v c++ || command -v g++ || command -v clang++)
if [ -n "$cxx" ]; then
	check C++17 "$cxx" -std=c++17 -x c++
else
	echo "C++17: skipped, no C++ compiler here"
	skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
