#!/bin/sh
# docs/how-to/use-the-library.md is right: its C program compiles against the header, links with the library, and says
# what the report has. (The test `python` runs its Python.)
#   library.sh SOURCE_ROOT LIBRARY CC...
. "$(dirname "$0")/../kit/check.sh"
root=$(realpath "$1")
library=$(realpath "$2")
shift 2
cd "$work" || exit 1
awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$root/docs/how-to/use-the-library.md" >run.c
ok 'the page has a C program' grep -q wb_launch_run run.c
ok 'it compiles' "$@" -std=c11 -Wall -Wextra -Werror -I "$root/include" run.c "$library" \
	-Wl,-rpath,"$(dirname "$library")" -o run
check 0 out '^640 of 832 lane slots were useful$' ./run "$root/examples/ifelse.s"
check 3 err 'cannot open' ./run no-such-file
finish
