#!/bin/sh
# The window: on SDL's dummy driver with keys, without a display, and a real one under Xvfb whose screen is compared
# with shot's picture.   window.sh WARPBEAM COMPARE EXAMPLES
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
compare=$(realpath "$2")
examples=$3
server= view=
trap 'kill $view $server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1

SDL_VIDEODRIVER=dummy "$warpbeam" view "$examples/ifelse.s" --keys q >out 2>err
if grep -q 'no window here' err; then
	echo "skipped: built without SDL2"
	exit 77
fi

env -u DISPLAY -u WAYLAND_DISPLAY -u SDL_VIDEODRIVER "$warpbeam" view "$examples/ifelse.s" >out 2>err
[ $? = 3 ] && grep -q 'no display found; use `warpbeam tui` or `warpbeam shot`' err
result $? "no display: exit 3 and a helpful message"

# Every key that needs no answer, and a command line; the keys end with q, so a hang is a failure.
keys="Home n n p N P ] [ d D j J s S l L u U End Home b B b k ' k < > Tab S-Tab 1 2 3 4 5 6 7 8 9 0 f f"
keys="$keys Up Down PageUp PageDown + Left Right - = o o w W a m h c c c c c t t t t r r s S l L e E i Esc I Esc ? Esc"
keys="$keys : z o o Tab Enter : Up Enter y Space Space q"
SDL_VIDEODRIVER=dummy timeout 60 "$warpbeam" view "$examples/nested.s" --keys "$keys" >out 2>err
result $? "all keys on the dummy driver"

SDL_VIDEODRIVER=dummy timeout 60 "$warpbeam" view --keys "Down Down Up Enter d q Down Enter n q Esc" >out 2>err
result $? "the gallery to choose from, and back to it"

if command -v Xvfb >/dev/null 2>&1; then
	number=$((90 + $$ % 400))
	# Without -noreset the server begins anew when the first window closes, and may refuse the second meanwhile.
	Xvfb :$number -screen 0 1000x700x24 -noreset -fbdir "$work" >/dev/null 2>&1 &
	server=$!
	for try in $(seq 120); do
		[ -f Xvfb_screen0 ] && break
		sleep 0.5
	done
	DISPLAY=:$number SDL_VIDEODRIVER=x11 "$warpbeam" view "$examples/ifelse.s" --size 800x500 \
		--keys "n n t" >out 2>err &
	view=$!
	"$warpbeam" shot --window -q "$examples/ifelse.s" --size 800x500 -o first.png
	state=$("$warpbeam" shot --window "$examples/ifelse.s" -o first.png)
	issue=$(echo "$state" | sed 's/.*;i=\([0-9]*\);.*/\1/')
	"$warpbeam" shot --window -q "$examples/ifelse.s" --size 800x500 -o want.png \
		--state "wb1:i=$((issue + 2));theme=light"
	same=1
	for try in $(seq 120); do
		sleep 0.5
		"$compare" Xvfb_screen0 want.png >out 2>err && same=0 && break
	done
	[ $same = 0 ]
	result $? "the real window shows what shot draws"
	"$compare" Xvfb_screen0 first.png >/dev/null 2>&1
	[ $? = 1 ]
	result $? "the comparison can fail"
	kill $view
	# A changed file is loaded again, to the same cycle; an error in the file is shown, and the old program stays.
	shows() {
		for try in $(seq 120); do
			sleep 0.5
			"$compare" Xvfb_screen0 "$1" >out 2>err && return 0
		done
		return 1
	}
	cp "$examples/ifelse.s" k.s
	"$warpbeam" shot --window -q k.s --at 1040 --size 800x500 -o old.png
	DISPLAY=:$number SDL_VIDEODRIVER=x11 "$warpbeam" view k.s --at 1040 --size 800x500 >out 2>err &
	view=$!
	shows old.png
	result $? "the file as it was"
	sed 's/r0 0x64/r0 0x65/' "$examples/ifelse.s" >k.new && mv k.new k.s
	"$warpbeam" shot --window -q k.s --at 1040 --size 800x500 -o new.png
	! cmp -s old.png new.png && shows new.png
	result $? "a changed file is loaded again, at the same cycle"
	echo "  nonsense" >>k.s
	for try in $(seq 120); do
		sleep 0.5
		"$compare" Xvfb_screen0 new.png >out 2>err
		[ $? = 1 ] && break
	done
	[ $try -lt 120 ] && kill -0 $view
	result $? "an error in the file is shown in place"
	cp "$examples/ifelse.s" k.s
	shows old.png
	result $? "and forgotten when it is mended"
	kill $view
	# A long program is read ahead for seconds: the window says so, and leaves when asked.
	printf '.kernel k\n.chip g200\n.block 32\nagain:\n\tadd b32 $r1 $r1 0x1\n\tbra #again\n' >long.s
	sleep 0.5
	DISPLAY=:$number SDL_VIDEODRIVER=x11 "$warpbeam" view long.s --size 800x500 >out 2>err &
	view=$!
	same=1
	for try in $(seq 120); do
		sleep 0.2
		tail -c 2000000 Xvfb_screen0 | tr -d '\000' | head -c 1 | grep -q . && same=0 && break
	done
	[ $same = 0 ]
	result $? "a picture while a program is read ahead"
	begun=$(date +%s)
	kill $view
	wait $view
	result $? "leaves while a program is read ahead"
	[ $(($(date +%s) - begun)) -le 2 ]
	result $? "and at once"
	if command -v xwininfo >/dev/null 2>&1; then
		title() { timeout 10 xwininfo -display :$number -root -tree 2>/dev/null | grep -c "\"$1.*warpbeam\""; }
		# The screen has 1000x700 pixels, a window is 1280x800 unless that is too large.
		DISPLAY=:$number SDL_VIDEODRIVER=x11 "$warpbeam" view "$examples/ifelse.s" >out 2>err &
		view=$!
		size=
		for try in $(seq 120); do
			sleep 0.5
			size=$(timeout 10 xwininfo -display :$number -root -tree 2>/dev/null |
				sed -n 's/.*warpbeam": .*  \([0-9]*\)x\([0-9]*\)+.*/\1 \2/p' | head -n 1)
			[ -z "$size" ] || break
		done
		[ -n "$size" ] && [ "${size% *}" -le 1000 ] && [ "${size#* }" -le 700 ]
		result $? "a window of ${size:-no size} on a screen of 1000 by 700"
		kill $view
		DISPLAY=:$number SDL_VIDEODRIVER=x11 "$warpbeam" view --keys "Down Enter" >out 2>err &
		view=$!
		for try in $(seq 120); do
			sleep 0.5
			[ "$(title partial-warp)" = 1 ] && break
		done
		[ "$(title partial-warp)" = 1 ] && [ "$(title gallery)" = 0 ]
		result $? "the title names what was chosen"
	fi
else
	echo "skipped: no Xvfb for the real window"
fi

finish
