#!/bin/sh
# The first minute on a bare Debian 12: clean-room.sh ROOM [--run]. Makes a minimal system in ROOM/root, clones the
# commit at HEAD into it, without ../shared, and runs the commands of a newcomer there, each timed. Tests that were
# skipped for want of ../shared run once more with it, where it is. The mirror is this machine's; packages and the
# bootstrapped system stay in ROOM for the next time, the examples' digests in ROOM/digests for a comparison with other
# builds. Needs root and mmdebstrap or debootstrap. The last line is "N passed, N failed": commands and test cases
# together. Skipped and failed parts stand before the line.
set -eu
room=$1
shared=$(realpath -q ../shared || :)
root=$room/root
log=$room/log

mkdir -p "$room"
: >"$log"
: >"$log.skipped"
: >"$log.failed"
say() { printf 'clean-room: %s\n' "$*"; }

# The host's sources of Debian packages, a line each, without keys: the archive's own keys are in the new system.
sources() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk '$2 ~ /^bookworm/ && !done[$0]++ { print "deb", $0 }'
}

bootstrap() {
	[ -n "$(sources)" ] || { say "error: apt-get indextargets names no source of Debian 12 (bookworm)"; exit 3; }
	if [ -f "$room/debian.tar" ] && sources | cmp -s - "$room/sources"; then
		return
	fi
	rm -rf "$root" "$room/debian.tar"
	command -v mmdebstrap >/dev/null 2>&1 || command -v debootstrap >/dev/null 2>&1 ||
		{ say "error: found neither mmdebstrap nor debootstrap"; exit 3; }
	if command -v mmdebstrap >/dev/null 2>&1; then
		sources | mmdebstrap --quiet --mode=root --variant=apt bookworm "$root" -
	else
		debootstrap --variant=minbase bookworm "$root" "$(sources | awk '{ print $2; exit }')"
	fi >"$log.bootstrap" 2>&1 || { tail -n 20 "$log.bootstrap"; say "error: no minimal Debian"; exit 3; }
	sources >"$root/etc/apt/sources.list"
	tar -C "$root" --numeric-owner -cf "$room/debian.tar" .
	sources >"$room/sources"
}

# A new system with the clone, and the host's way to its mirror.
furnish() {
	rm -rf "$root"
	mkdir -p "$root" "$room/archives/partial"
	tar -C "$root" --numeric-owner -xf "$room/debian.tar"
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	apt-config dump | grep -i '^acquire::.*\(proxy\|check-\)' >"$root/etc/apt/apt.conf.d/90host" || :
	echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";' >"$root/etc/apt/apt.conf.d/91keep"
	rm -f "$root/etc/apt/apt.conf.d/docker-clean"
	echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/room"     # no waiting for the disk, as in images of containers
	git clone --quiet --no-hardlinks . "$root/root/warpbeam"
}

# Mounts and processes end with the command.
inside() {   # COMMAND [ARGUMENT]...
	unshare --mount --pid --fork --kill-child sh -eu -c '
		root=$1
		archives=$2
		shared=$3
		shift 3
		mount -t proc proc "$root/proc"
		mount -t devpts devpts "$root/dev/pts"
		mount --bind "$archives" "$root/var/cache/apt/archives"
		[ ! "$shared" ] || { mkdir "$root/root/shared"; mount --bind "$shared" "$root/root/shared"; }
		exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb CI=true \
			sh -c "cd /root/warpbeam && exec \"\$@\"" sh "$@"' sh "$root" "$room/archives" "$beside" "$@"
}

passed=0
failed=0
beside=         # a folder that is ../shared for the commands
# Processor seconds of the command with children: on a busy machine the clock says little.
processor_time() {
	awk 'NR == 2 {
		split($1 " " $2, t, "[ms ]+")
		printf " %d s of processors", t[1] * 60 + t[2] + t[3] * 60 + t[4]
	}' "$log.times"
}

timed() {   # COMMAND [ARGUMENT]...: runs in the room; its time in seconds of the clock
	name=$*${beside:+ (with ../shared)}
	begun=$(date +%s)
	status=0
	(inside "$@" && status=0 || status=$?; times >"$log.times"; exit $status) \
		>"$log.out" 2>"$log.err" </dev/null || status=$?
	say "$(echo $name | head -c 60): $(($(date +%s) - begun)) s, exit $status;$(processor_time)"
	cat "$log.out" "$log.err" >>"$log"
	sed -n 's/^dev: skipped: /clean-room: skipped: /p' "$log.err"
	if [ $status = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "clean-room: failed: $name: exit status $status" >>"$log.failed"
		tail -n 40 "$log.err"
	fi
}

bootstrap
furnish
timed ./dev run
picture=$root/root/warpbeam/build/ifelse.png
if [ -s "$picture" ]; then
	say "the picture: after $(($(stat -c %Y "$picture") - begun)) s"
else
	say "error: ./dev run left no picture"
	failed=$((failed + 1))
fi
timed ./dev run examples/collatz.cl
[ "${2:-}" != --run ] || { echo "$passed passed, $failed failed"; exit $((failed > 0)); }
testlog=$root/root/warpbeam/build/meson-logs/testlog.txt
: >"$log.cases"
# The tests of the command before that failed.
failures() { [ ! -f "$testlog" ] || awk -f tests/fails.awk "$testlog" | sed 's/^/clean-room: /' >>"$log.failed"; }
tests() {   # [SUITE]...
	timed ./dev test "$@"
	cat "$log.out" >>"$log.cases"
	[ ! -f "$testlog" ] || awk -f tests/skips.awk "$testlog" | sed 's/^/clean-room: /' >>"$log.skipped"
	failures
}
tests
tests house cli compilers page
inside sh tests/digests.sh build/frontends/cli/warpbeam examples >"$room/digests" || :
cat "$log.skipped"
if [ -d "$shared" ] && grep -q ': no \.\./shared' "$log.skipped"; then
	beside=$shared
	sed -n 's/^clean-room: skipped: \(.*\): no \.\.\/shared.*/\1/p' "$log.skipped" | sort -u >"$root/root/again"
	timed sh -c 'xargs -a ../again -d "\n" meson test -C build --no-rebuild --print-errorlogs -t 4 &&
		awk -f tests/count.awk build/meson-logs/testlog.txt'
	cat "$log.out" >>"$log.cases"
	failures
fi
cat "$log.failed"
awk -v passed=$passed -v failed=$failed '
	/^[0-9]+ passed, [0-9]+ failed/ { passed += $1; failed += $3; skipped += $5 }
	END {
		printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
		exit failed > 0
	}' "$log.cases"
