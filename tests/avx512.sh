#!/bin/sh
# AVX-512 on a host without AVX-512: tests of a build in a machine that Bochs models, a Skylake-X with Debian's kernel.
# Tests are of the lanes' memory, then the kernels of the bench in threaded and in native code, then programs named by
# arguments. The machine executes some 20 million instructions a second: 17 minutes, and no part of CI.
#   avx512.sh BUILD [TEST]...
#
# The machine's only disk is a CD with the kernel and a folder of programs, libraries and clang, unpacked by the kernel.
# Two things of Bochs 2.7 are worked around: a size for which the kernel switches AVX-512 off (clearcpuid;
# findings/bochs-conflicts.sh), and an image of registers refused by xrstor, for which ld.so may not bind functions late
# (LD_BIND_NOW, also for clang, started without variables of the environment).
set -eu
build=$(realpath "$1")
shift
tests=
[ $# = 0 ] || tests=$(realpath "$@" | tr '\n' ' ')
source=$(realpath "$(dirname "$0")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

packages='bochs bochsbios vgabios grub-pc-bin grub-common xorriso mtools cpio busybox-static clang-14
	linux-image-cloud-amd64'
# shellcheck disable=SC2086
if ! dpkg -s $packages >/dev/null 2>&1; then
	echo "skipped: needs Debian's packages:" $packages
	exit 77
fi
kernel=$(find /boot -name 'vmlinuz-*-cloud-amd64' | sort -V | tail -n 1)
clang=/usr/lib/llvm-14
headers=/usr/include/x86_64-linux-gnu
root=$work/root

programs="$build/tests/small/test_lane_memory_avx512 $build/tests/small/test_warp_banks_avx512
	$build/tests/small/test_word_shapes_avx512 $build/bench/throughput $tests"

# Copies of files and folders, under the names that they have here, but for links of folders.
put() {   # PATH...
	for path in "$@"; do
		folder=$root$(realpath "$(dirname "$path")")
		mkdir -p "$folder"
		cp -rL "$path" "$folder"
	done
}

fill_root() {
	mkdir -p "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/usr/bin" "$root/usr/lib" "$root/usr/lib64"
	for folder in bin lib lib64; do
		ln -s usr/$folder "$root/$folder"
	done
	# shellcheck disable=SC2086
	put $programs /usr/bin/ld $clang/bin/clang $clang/lib/clang "$source/bench/kernels" "$source"/examples/*.s \
		/usr/include/*.h $headers/bits $headers/gnu $headers/sys
	# shellcheck disable=SC2046,SC2086
	put $(ldd $programs /usr/bin/ld $clang/bin/clang | grep -o '/[^ :]* ' | sort -u)
	cp /bin/busybox "$root/usr/bin"
	for tool in sh mount cat grep tail sleep mkdir rm poweroff; do
		ln -s busybox "$root/usr/bin/$tool"
	done
	printf '#!/bin/sh\nLD_BIND_NOW=1 exec %s "$@"\n' $clang/bin/clang >"$root/usr/bin/clang"
	chmod +x "$root/usr/bin/clang"
	cat >"$root/init" <<-END
		#!/bin/sh
		mount -t proc proc /proc
		mount -t devtmpfs dev /dev
		exec >/dev/ttyS0 2>&1
		cd $source
		export LD_BIND_NOW=1 HOME=/tmp XDG_CACHE_HOME=/tmp PATH=/usr/bin WB_SAMPLE=100
		try() {
			if "\$@" >/tmp/said 2>&1; then
				echo "passed: \$*"
			else
				cat /tmp/said
				echo "FAILED: \$*"
			fi
		}
		for program in lane_memory warp_banks word_shapes; do
			try $build/tests/small/test_\${program}_avx512
		done
		for kernel in saxpy reduce histogram bitonic collatz alu mandelbrot matmul; do
			for native in off now; do
				try $build/bench/throughput --check --timing off --set simd=avx512 \
					--set native=\$native \$kernel
			done
		done
		for test in $tests; do
			try \$test
		done
		echo end
		sleep 1
		poweroff -f
	END
	chmod +x "$root/init"
}

make_disk() {
	mkdir -p "$work/disk/boot/grub"
	cp "$kernel" "$work/disk/boot/kernel"
	(cd "$root" && find . | cpio -o -H newc --quiet) >"$work/disk/boot/files"
	cat >"$work/disk/boot/grub/grub.cfg" <<-END
		set timeout=0
		menuentry tests {
			linux /boot/kernel console=ttyS0 quiet nokaslr mitigations=off no_timer_check lpj=1000000 \
				nopku clearcpuid=aperfmperf,xsavec,xsaves rdinit=/init
			initrd /boot/files
		}
	END
	grub-mkrescue -o "$work/disk.iso" "$work/disk" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

# A second of the modelled machine is 300 million instructions, so that no time limit of the tests is near.
run_machine() {
	cat >"$work/bochsrc" <<-END
		display_library: rfb, options="timeout=0"
		megs: 1536
		romimage: file=/usr/share/bochs/BIOS-bochs-latest
		vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
		cpu: model=corei7_skylake_x, ips=300000000
		ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
		ata0-master: type=cdrom, path=$work/disk.iso, status=inserted
		boot: cdrom
		com1: enabled=1, mode=file, dev=$work/said
		log: $work/log
		clock: sync=none
	END
	echo c >"$work/commands"
	: >"$work/said"
	bochs -q -f "$work/bochsrc" -rc "$work/commands" >"$work/out" 2>&1 </dev/null || :
}

fill_root
make_disk
run_machine
tr -d '\r' <"$work/said" | sed -n '/^passed: \|^FAILED: /,/^end/p'
passed=$(grep -c '^passed: ' "$work/said" || :)
failed=$(grep -c '^FAILED: ' "$work/said" || :)
if ! grep -q '^end' "$work/said"; then  # the machine has not come so far
	failed=$((failed + 1))
	tail -n 5 "$work/said" "$work/out"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
