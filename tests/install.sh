#!/bin/sh
# A program outside the project finds the installed header and library through pkg-config.   install.sh BUILD CC...
set -u
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/version.c" <<'END'
#include <stdio.h>
#include <warpbeam.h>

int main(void)
{
	puts(wb_version());
	return 0;
}
END

fail() {
	echo "$1"
	echo "0 passed, 1 failed"
	exit 1
}

meson install -C "$build" --no-rebuild --destdir "$work/root" >"$work/log" 2>&1 || {
	cat "$work/log"
	fail "meson install"
}
pc=$(find "$work/root" -name warpbeam.pc)
[ -n "$pc" ] || fail "no warpbeam.pc was installed"
PKG_CONFIG_LIBDIR=$(dirname "$pc"):$(pkg-config --variable pc_path pkg-config)
PKG_CONFIG_SYSROOT_DIR=$work/root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
# shellcheck disable=SC2046
"$@" $(pkg-config --cflags warpbeam) -o "$work/version" "$work/version.c" $(pkg-config --libs warpbeam) ||
	fail "compile"
LD_LIBRARY_PATH=$(dirname "$(find "$work/root" -name libwarpbeam.so)") "$work/version" || fail "run"
echo "1 passed, 0 failed"
