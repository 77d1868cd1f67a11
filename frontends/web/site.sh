#!/bin/sh
# The gallery as a site: site.sh WARPBEAM EXAMPLES FOLDER. Each text program is a page; style, scripts and module are in
# files that all pages share, named by their contents. Any folder of any server will do, and file:.
set -eu
warpbeam=$1 examples=$2 out=$3
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$examples"

escaped() { sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g'; }

# The page of a program taken apart: shared parts once, the rest with links to them.
apart() {   # PAGE PICTURE
	awk -v work="$work" -v page="$1" -v picture="$2" '
		function shared(file) { if (!(file in seen)) printf "" >(work "/" file); seen[file] = 1 }
		/^<style>$/ { to = "lab.css"; shared(to); next }
		/^<\/style>$/ { to = ""; print "<link rel=\"stylesheet\" href=\"@CSS@\">" >page; next }
		/^<script( id="wb-machine")?>$/ && !started { to = "lab.js"; shared(to); next }
		/^<\/script>$/ && to != "" { to = ""; next }
		/^<script type="text\/plain" id="wb-module">/ {
			sub(/^<script[^>]*>/, "const wbModule = \"")
			print $0 "\";" >(work "/lab.js")
			to = "lab.js"
			print "<script src=\"@JS@\"></script>" >page
			started = 1
			next
		}
		to != "" { print >(work "/" to); next }
		/^<div id="still">/ {   # the card of the program is small enough
			print "<div id=\"still\"><img src=\"" picture "\" alt=\"the panes\" width=\"100%\"></div>" >page
			still = 1
		}
		still { still = !/<\/svg>/; next }
		/^<\/div>$/ && !still && dropped++ == 0 { next }
		/Content-Security-Policy/ {
			sub(/img-src /, "img-src \x27self\x27 file: ")
			sub(/script-src /, "script-src \x27self\x27 file: ")
			sub(/style-src /, "style-src \x27self\x27 file: ")
		}
		/id="help"/ { print "<a class=\"home\" href=\"index.html\" title=\"all programs\">Gallery</a>" >page }
		{ print >page }'
}

names=
for file in $("$warpbeam" examples | awk '/^  [a-z]/ { print $1 }'); do
	for ending in s vsh gsh; do
		[ -f "$file" ] || [ ! -f "$file.$ending" ] || file=$file.$ending
	done
	case $file in *.s | *.vsh | *.gsh) ;; *) continue ;; esac
	name=${file%.*}
	"$warpbeam" page "$file" -o - -q | apart "$work/$name.html" "$name.png"
	"$warpbeam" shot "$file" --size 800x500 --theme light -o "$out/$name.png" -q
	names="$names $file"
done
css=lab-$(sha256sum "$work/lab.css" | cut -c1-12).css
js=lab-$(sha256sum "$work/lab.js" | cut -c1-12).js
mv "$work/lab.css" "$out/$css"
mv "$work/lab.js" "$out/$js"
for page in "$work"/*.html; do
	sed -e "s/@CSS@/$css/" -e "s/@JS@/$js/" "$page" >"$out/${page##*/}"
done

head_of() {   # TITLE
	cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$1</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 1200px; padding: 16px; }
body { color: #14181d; background: #eef1f4; }
ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); gap: 16px; }
ul { list-style: none; padding: 0; }
li { background: #fff; border: 1px solid #aab4be; border-radius: 6px; padding: 12px; }
img { width: 100%; height: auto; border: 1px solid #aab4be; }
h2 { font-size: 18px; margin: 8px 0 4px; }
p { margin: 4px 0; }
a { color: #005f9e; }
</style>
</head>
<body>
END
}

{
	head_of "Warpbeam: programs to change and to step through"
	echo "<h1>Warpbeam</h1>"
	echo "<p>What divergence, memory and occupancy do to a warp. Each program opens in the emulator itself:"
	echo "change it, run it, step through it both ways. Nothing is sent anywhere.</p>"
	echo "<ul>"
	for file in $names; do
		name=${file%.*}
		first=$(sed -n '1s/^\/\/ *//p' "$file" | escaped)
		look=$(awk '/^\/\/ What to look for:/ { on = 1 }
			on && !/^\/\/ ./ { exit }
			on { sub(/^\/\/ */, ""); print }' "$file" | tr '\n' ' ' | escaped)
		picture="<img src=\"$name.png\" alt=\"the panes of $file\" width=\"800\" height=\"500\">"
		echo "<li><a href=\"$name.html\">$picture</a>"
		echo "<h2><a href=\"$name.html\">$file</a></h2><p>$first</p><p>$look</p></li>"
	done
	echo "</ul></body></html>"
} >"$out/index.html"
{
	head_of "Not here"
	echo "<h1>Not here</h1><p><a href=\"index.html\">All programs</a></p></body></html>"
} >"$out/404.html"
