#!/bin/sh
# The pictures of this folder, drawn by the program itself.   pictures.sh [WARPBEAM]   (from the project's root)
set -eu
warpbeam=${1:-build/frontends/cli/warpbeam}
out=docs/tutorial

draw() {   # NAME STATE [OPTION]...
	name=$1
	state=$2
	shift 2
	"$warpbeam" shot -q examples/ifelse.s --state "wb1:$state" -o "$out/$name.png" "$@"
}

draw 1-split 'i=7' --size 1000x600
draw 2-odd-side 'i=9;pane=board;alone=1' --size 800x170
draw 3-join 'i=13;pane=stack;w=0' --size 1000x600
draw 4-together 'i=21;pane=timeline;w=0;open=1;alone=1;colour=state' --size 1000x420
draw 5-bill 'pane=bill;alone=1;i=26' --size 640x330
