#!/bin/sh
# A program outside the project, which is the example of the header, finds the installed header and library through
# pkg-config and runs; debian/ has a package for each installed file.   install.sh BUILD SOURCE_ROOT CC...
set -u
build=$1
source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
	printf '#include <stdio.h>\n#include <warpbeam.h>\nint main(int argc, char **argv)\n{\n'
	printf 'const char *path = argv[argc - 1];\n'
	sed -n '/^ \* EXAMPLE/,/^ \* RULES/s/^ \*     //p' "$source/include/warpbeam.h"
	printf 'return wb_abi() != WB_ABI_VERSION;\n}\n'
} >"$work/example.c"

fail() {
	echo "$1"
	echo "0 passed, 1 failed"
	exit 1
}

meson install -C "$build" --no-rebuild --destdir "$work/root" >"$work/log" 2>&1 || {
	cat "$work/log"
	fail "meson install"
}
# Debian's packages share the installed files out: each file is in one package, or in the list of files left out.
packages_of() {   # FILE: the list that names the file, or several
	for list in "$source"/debian/*.install "$source/debian/not-installed"; do
		while read -r pattern; do
			# shellcheck disable=SC2254
			case $1 in $pattern | $pattern/*) echo "${list##*/}" ;; esac
		done <"$list"
	done
}
option() {   # NAME: the build's option
	meson introspect --buildoptions "$build" |
		jq -r --arg name "$1" '.[] | select(.name == $name) | .value'
}
prefix=$(option prefix)
libraries=$(option libdir)        # lib64 where nothing names the architecture; packages have a folder for each
find "$work/root" ! -type d | sed "s|^$work/root||; s|^$prefix/etc/|etc/|; s|^$prefix|usr|
	s|^usr/$libraries/|usr/lib/any/|" >"$work/files"
while read -r file; do
	case $(packages_of "$file" | grep -c .) in
	1) ;;
	0) fail "$file is installed, and no list in debian/ names it" ;;
	*) fail "$file is in several packages: $(packages_of "$file" | tr '\n' ' ')" ;;
	esac
done <"$work/files"
pc=$(find "$work/root" -name warpbeam.pc)
[ -n "$pc" ] || fail "no warpbeam.pc was installed"
PKG_CONFIG_LIBDIR=$(dirname "$pc"):$(pkg-config --variable pc_path pkg-config)
PKG_CONFIG_SYSROOT_DIR=$work/root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
# shellcheck disable=SC2046
"$@" $(pkg-config --cflags warpbeam) -Wall -Werror -o "$work/example" "$work/example.c" $(pkg-config --libs warpbeam) ||
	fail "compile"
if command -v scdoc >/dev/null 2>&1; then
	page=$(find "$work/root" -name warpbeam.1)
	grep -q 'warpbeam-report' "${page:-/dev/null}" || fail "no warpbeam.1 was installed that names its verbs"
fi
LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name libwarpbeam.so)") "$work/example" \
	"$source/examples/ifelse.s" >"$work/out" || fail "run"
grep -qx 'divergent_branch 2' "$work/out" || { cat "$work/out"; fail "the header's example counts no branches"; }

# Modules come from the prefix's own folder: none is taken from beside the program, nor from the working folder.
program=$(find "$work/root" -path '*/bin/warpbeam')
mkdir "$work/here"
cd "$work/here" || exit 1
for folder in "${program%/*}" "${program%/*}/../frontends/sdl" "${program%/*}/../../bench/laboratory" . frontends/sdl \
	bench/laboratory libexec/warpbeam; do
	mkdir -p "$folder"
	printf '#!/bin/sh\necho planted >%s/planted\n' "$work" >"$folder/warpbeam-laboratory"
	chmod +x "$folder/warpbeam-laboratory"
	for module in window mpi; do
		"$@" -shared -fPIC -Wl,-soname,planted -o "$folder/warpbeam-$module.so" -x c - <<END || fail "a module"
#include <stdio.h>
__attribute__((constructor)) static void planted(void) { fclose(fopen("$work/planted", "w")); }
END
	done
done
echo '{"file": "ifelse", "axes": {"mps": [1]}}' >plan.json
calls() {       # the verbs that need modules and the laboratory
	LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name libwarpbeam.so)")
	export LD_LIBRARY_PATH
	SDL_VIDEODRIVER=dummy timeout 20 "$program" view "$source/examples/ifelse.s" --seconds 1
	OMPI_COMM_WORLD_SIZE=2 timeout 20 "$program" sweep plan.json
	timeout 60 "$program" vectors nosuch.json
} </dev/null >"$work/out" 2>&1
calls
rm -rf "$work/root$prefix/libexec/warpbeam"
calls
grep -q 'the laboratory, which is not installed here' "$work/out" || fail "another laboratory: $(cat "$work/out")"
[ ! -e "$work/planted" ] || fail "a planted file was taken"
echo "1 passed, 0 failed"
