#!/bin/sh
# The libraries of another Debian architecture, unpacked into a folder, unknown to this machine's package manager:
# sysroot.sh ARCHITECTURE FOLDER. Exit 1: this machine's mirror has none.
set -eu
mkdir -p "$2/apt/lists/partial" "$2/apt/cache/archives/partial" "$2/debs"
: >"$2/apt/status"
foreign="-o APT::Architecture=$1 -o APT::Architectures=$1 -o APT::Sandbox::User=root
	-o Dir::State::Lists=$PWD/$2/apt/lists -o Dir::State::status=$PWD/$2/apt/status
	-o Dir::Cache=$PWD/$2/apt/cache"
apt-get $foreign -q update >&2
(cd "$2/debs" && apt-get $foreign -q download uthash-dev libelf-dev libelf1 libdw-dev libdw1 \
	libmpack-dev libmpack0 libyaml-dev libyaml-0-2 libjansson-dev libjansson4 libpng-dev \
	libpng16-16 zlib1g-dev zlib1g libcmocka-dev libcmocka0 liblzma5 liblzma-dev libbz2-1.0 \
	libbz2-dev libzstd1 libzstd-dev) >&2
for deb in "$2"/debs/*.deb; do
	dpkg -x "$deb" "$2"
done
