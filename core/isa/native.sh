#!/bin/sh
# The text in front of native code (core/isa/native.h), as an array of lines in C: a header with every header of the
# project that it includes, once if the header has a guard, as tables (*.def) have none. DEPFILE gets the names of all,
# for make.
#   native.sh HEADER ROOT NAME OUTPUT DEPFILE
set -eu
root=$2
case $5 in
/*) deps=$5 ;;
*) deps=$PWD/$5 ;;
esac
exec >"$4"
cat <<END
#include <stddef.h>
extern const char *const $3[];
const char *const $3[] = {
END
(cd "$root" && awk -v root="$root" -v output="$4" -v deps="$deps" '
	function take(path,   line, name) {
		if (path in guarded)
			return
		seen[path] = 1
		while ((getline line < path) > 0) {
			if (line ~ /^#ifndef WB_.*_H$/)
				guarded[path] = 1
			if (line ~ /^#include "/) {
				name = line
				sub(/^#include "/, "", name)
				sub(/".*/, "", name)
				take(name)
			} else {
				print line
			}
		}
		close(path)
	}
	BEGIN {
		take(ARGV[1])
		printf "%s:", output >deps
		for (path in seen)
			printf " %s/%s", root, path >deps
		print "" >deps
		exit
	}' "$1") |
	sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	"/; s/$/\\n",/'
echo '	NULL'
echo '};'
