#!/bin/sh
# For aarch64, by Debian's cross compiler and libraries, under qemu-user: results are the same as here. aarch64.sh
# BUILD, in the tree's root; BUILD has this machine's program, and gets the other in BUILD/cross. Exit 3: the libraries
# cannot be had.
set -eu
BUILD=$1
cross=$BUILD/cross
[ -f "$cross/root/usr/include/uthash.h" ] || sh tests/cross/sysroot.sh arm64 "$cross/root" || {
	echo "cross: the arm64 libraries cannot be had from this machine's Debian mirror" >&2
	exit 3
}
libraries=$PWD/$cross/root/usr/lib/aarch64-linux-gnu:$PWD/$cross/root/lib/aarch64-linux-gnu
cat >"$cross/aarch64.ini" <<END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-gcc-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', '-E', 'LD_LIBRARY_PATH=$libraries']
[properties]
sys_root = '$PWD/$cross/root'
pkg_config_libdir = '$PWD/$cross/root/usr/lib/aarch64-linux-gnu/pkgconfig'
[built-in options]
c_args = ['-isystem', '$PWD/$cross/root/usr/include']
c_link_args = ['-L$PWD/$cross/root/usr/lib/aarch64-linux-gnu', '-Wl,-rpath-link=$libraries']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
[ -f "$cross/build/build.ninja" ] || meson setup "$cross/build" --buildtype=release \
	--cross-file "$cross/aarch64.ini" -Dsdl=disabled -Dtui=disabled -Dlibedit=disabled -Ddemangle=disabled \
	-Dmpi=disabled -Dopencl=disabled -Dpage=disabled -Dtests=false >&2
ninja -C "$cross/build" frontends/cli/warpbeam >&2
sh tests/cross/compare.sh "$PWD/$BUILD/frontends/cli/warpbeam" examples tests/data qemu-aarch64 \
	-L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$libraries" "$cross/build/frontends/cli/warpbeam"
