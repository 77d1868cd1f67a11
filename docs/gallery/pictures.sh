#!/bin/sh
# A picture of every example and the page that shows them, made by the program.
#   pictures.sh [WARPBEAM]   (from the root)
set -eu
warpbeam=${1:-build/frontends/cli/warpbeam}
out=docs/gallery

{
	echo "# The gallery"
	echo
	echo "The window of every example at the first divergence, or half way if nothing diverges. Made by"
	echo "\`docs/gallery/pictures.sh\`; open an example with \`warpbeam view NAME\`."
	"$warpbeam" examples --color=never | while read -r name text; do
		file=$(cd examples && ls "$name" "$name".s "$name".?sh 2>/dev/null | head -n 1)
		size=800x500
		if grep -q '^\.mode fp' "examples/$file"; then
			size=1200x700 # the picture stands beside the lanes
		fi
		"$warpbeam" shot -q "$name" --size $size -o "$out/$name.png"
		printf '\n## %s\n\n%s ([source](../../examples/%s))\n\n![%s](%s.png)\n' \
			"$name" "$text" "$file" "$name" "$name"
		if [ "${file%.cl}" != "$file" ]; then
			"$warpbeam" shot -q "$name" --chip g200 --size $size -o "$out/$name.g200.png"
			printf '\nOn the other machine, with a stack (`--chip g200`):\n\n![%s on g200](%s.g200.png)\n' \
				"$name" "$name"
		fi
		if grep -q '^\.mode fp' "examples/$file"; then
			"$warpbeam" run -q "$name" --out "$out/$name.drawn.png" >/dev/null
			printf '\nThe drawn picture:\n\n![drawn by %s](%s.drawn.png)\n' "$name" "$name"
		fi
	done
} >"$out/README.md"
