#!/bin/sh
# The text in front of native code (core/isa/native.h), as an array of lines in C: a header with every header of the
# project that it includes, once if the header has a guard, as tables (*.def) have none. DEPFILE gets the names of all,
# for make. Headers of others than the C library and the compiler are an error: where the text is compiled, they may be
# missing. The first line is a digest of all.
#   native.sh HEADER ROOT NAME OUTPUT DEPFILE
set -eu
root=$2
case $5 in
/*) deps=$5 ;;
*) deps=$PWD/$5 ;;
esac
text=$4.text
trap 'rm -f "$text"' EXIT
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
			} else if (line ~ /^#include </ && !(line ~ here)) {
				print path ": " line ": hosts with a compiler may lack the header" >"/dev/stderr"
				exit 1
			} else {
				print line
			}
		}
		close(path)
	}
	BEGIN {
		here = "<(std[a-z]+|assert|errno|float|inttypes|limits|math|string|time|sched|pthread|"
		here = here "[a-z]+intrin|arm_neon|wasm_simd128)\\.h>"
		take(ARGV[1])
		printf "%s:", output >deps
		for (path in seen)
			printf " %s/%s", root, path >deps
		print "" >deps
		exit
	}' "$1") >"$text"
digest=$({ sha256sum || shasum -a 256 || cksum; } <"$text" 2>/dev/null)
exec >"$4"
cat <<END
#include <stddef.h>
extern const char *const $3[];
const char *const $3[] = {
	"/* $digest */\n",
END
sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	"/; s/$/\\n",/' "$text"
echo '	NULL'
echo '};'
