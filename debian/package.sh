#!/bin/sh
# Debian packages of the last commit, checked, unpacked and tried: package.sh BUILD [--twice], in the tree's root; with
# --twice built once more in another folder, at another time of day, in another language and without a compiler's
# cache: the same bytes. BUILD has the program; the packages come into BUILD/package/first.
set -eu
BUILD=$1
say() { printf 'package: %s\n' "$*" >&2; }
die() { say "$2"; exit "$1"; }

# Build the packages of the last commit in a new folder, into OUT.
package_once() {   # TREE OUT LOG
	rm -rf "$1"
	mkdir -p "$1" "$2"
	git archive HEAD | tar -x -C "$1"
	(cd "$1" && DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -b -us -uc -d) >"$3" 2>&1 ||
		die 1 "see $3"
	mv "$1"/../*.deb "$2"
	rm -f "$1"/../*.buildinfo "$1"/../*.changes
	rm -rf "$1"
}

# The packages, unpacked: the command runs, and programs find the library and its header.
package_try() {   # ROOT
	libraries=$(dirname "$(ls "$1"/usr/lib/*/libwarpbeam.so.3)")
	LD_LIBRARY_PATH=$libraries "$1/usr/bin/warpbeam" run examples/ifelse.s >"$1.report" ||
		die 1 "what was packaged does not run"
	"$BUILD/frontends/cli/warpbeam" run examples/ifelse.s | cmp - "$1.report" ||
		die 1 "what was packaged gives another report"
	printf '#include <warpbeam.h>\nint main(void) { return wb_abi() != WB_ABI_VERSION; }\n' >"$1.c"
	# shellcheck disable=SC2046
	cc -o "$1.program" "$1.c" $(PKG_CONFIG_SYSROOT_DIR=$1 pkg-config --cflags --libs \
		"$libraries/pkgconfig/warpbeam.pc") && LD_LIBRARY_PATH=$libraries "$1.program" ||
		die 1 "a program does not find the library"
	if /usr/bin/python3 -c 'import cffi' 2>/dev/null; then
		WARPBEAM_LIBRARY=$libraries/libwarpbeam.so.3 PYTHONPATH=$1/usr/lib/python3/dist-packages \
			/usr/bin/python3 -c 'import warpbeam' || die 1 "the Python package does not load"
	fi
	[ -n "$(ls "$1"/usr/share/man/man1/warpbeam-run.1*)" ] || die 1 "it has no manual pages"
}

out=$PWD/$BUILD/package
rm -rf "$out"
mkdir -p "$out"
package_once "$out/tree/warpbeam" "$out/first" "$out/first.log"
if [ "${2:-}" = --twice ]; then
	(export CCACHE_DISABLE=1 TZ=Asia/Kathmandu LC_ALL=C.UTF-8 && umask 002 &&
		package_once "$out/another/folder/warpbeam" "$out/second" "$out/second.log")
	for deb in "$out"/first/*.deb; do
		cmp "$deb" "$out/second/${deb##*/}" || die 1 "two builds differ"
	done
	say "two builds have the same bytes"
fi
if command -v lintian >/dev/null 2>&1; then
	lintian --fail-on error --allow-root "$out"/first/*.deb >&2 || die 1 "lintian found errors"
fi
for deb in "$out"/first/*.deb; do
	dpkg -x "$deb" "$out/root"
done
package_try "$out/root"
ls "$out"/first/*.deb
