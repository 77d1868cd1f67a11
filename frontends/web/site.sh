#!/bin/sh
# The site of lab pages: site.sh WARPBEAM SOURCE FOLDER [EXAMPLE]... Gallery (without examples: the whole), labs, and
# texts of docs/ with programs in place.
# Each program is a page; style, scripts and module are files shared by all pages and named by their contents. Any
# folder of any server will do, and file:.
set -eu
warpbeam=$1 source=$2 out=$3
shift 3
here=$source/frontends/web
mkdir -p "$out"
work=$(mktemp -d)
mkdir "$work/whole"
trap 'rm -rf "$work"' EXIT

# Text as HTML, with `words` of a program as code.
escaped() { sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/`\([^`]*\)`/<code>\1<\/code>/g'; }

# ---- pages of programs ----

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
		/^<div id="paper">/ {   # on paper the card stands for the picture as well
			print "<div id=\"paper\">" >page
			paper = 1
		}
		paper { paper = !/<\/svg>/; next }
		still { still = !/<\/svg>/; next }
		/^<\/div>$/ && !still && dropped++ == 0 { next }
		/Content-Security-Policy/ {
			sub(/img-src /, "img-src \x27self\x27 file: ")
			sub(/script-src /, "script-src \x27self\x27 file: ")
			sub(/style-src /, "style-src \x27self\x27 file: ")
		}
		/id="help"/ {
			printf "<select class=\"home\" id=\"programs\" title=\"all programs\" " >page
			print "aria-label=\"program\"></select>" >page
			print "<noscript><a class=\"home\" href=\"index.html\">Gallery</a></noscript>" >page
		}
		{ print >page }'
}

program() {   # FILE NAME: the page and the picture of a program
	"$warpbeam" page "$1" -o "$work/whole/$2.html" -q
	apart "$work/$2.html" "$2.png" <"$work/whole/$2.html"
	rm "$work/whole/$2.html"
	"$warpbeam" shot "$1" --size 800x500 --theme light -o "$out/$2.png" -q
	# Narrow, as cards are: the rows wrap, and every lane is in the picture.
	"$warpbeam" shot "$1" --pane board --size 480x200 --theme light -o "$out/$2-board.png" -q
	"$warpbeam" run "$1" --json -q >"$work/$2.json" 2>/dev/null || [ $? -lt 70 ]
}

# Whether a program is here for a page: a source in C has to be compiled, by the compiler of the host.
compiles() {   # FILE
	case $1 in *.cl | *.cu) "$warpbeam" info "$1" >/dev/null 2>"$work/compile.log" ;; esac
}

# The name of a program's page: sources in C stand beside programs of the same name.
page_name() {   # FILE
	name=${1##*/}
	case $name in *.cl) echo "${name%.*}-c" ;; *.cu) echo "${name%.*}-cuda" ;; *) echo "${name%.*}" ;; esac
}

# The bill as a bar: shares of lane slots under the names of its parts.
bill_bar() {   # NAME
	awk '
		/"bill": \{/ { on = 1 }
		on && /^ *"[a-z_]*": [0-9]+,?$/ {
			key = $1
			gsub(/[":]/, "", key)
			if (!(key in part))
				part[key] = $2 + 0
		}
		on && /\}/ { exit }
		END {
			all = part["lane_slots"]
			if (!all)
				exit
			n = split("useful branched_off rejoin predicated brk ret exited helper absent", order, " ")
			split("useful,branched off,rejoining,predicated off,broke,returned,exited,helpers," \
			      "absent", name, ",")
			for (i = 1; i <= n; i++) {
				share = part[order[i]] / all * 100
				if (share < 0.05)
					continue
				bar = bar sprintf("<span class=\"%s\" style=\"width:%.1f%%\"></span>", order[i], share)
				words = words (words ? ", " : "") sprintf("%.0f %% %s", share, name[i])
			}
			print "<div class=\"bill\" aria-hidden=\"true\">" bar "</div><p class=\"shares\">" words "</p>"
		}' "$work/$1.json"
}

# ---- pages of texts ----

head_of() {   # TITLE
	cat <<END
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'self' file: 'unsafe-inline'; script-src 'self' file:;
 img-src 'self' file: data:; frame-src 'self' file:">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$1</title>
<link rel="stylesheet" href="@SITE@">
</head>
<body>
<header><nav aria-label="site"><a href="index.html">Gallery</a><a href="index.html#labs">Labs</a>
<a href="first-divergence.html">First divergence</a><a href="first-lab.html">First lab</a>
<a href="your-own-kernel-in-c.html">Your own kernel in C</a>
<a href="stack-against-mask.html">Stack against mask</a></nav></header>
END
}

# The text's markup: comments "pages: NAME..." become programs to change in place, links go to pages of the site or
# nowhere.
text() {   # FILE.md
	name=$(basename "$1" .md)
	{
		head_of "$(sed -n '1s/^# //p' "$1" | escaped)"
		echo '<main class="text">'
		cmark-gfm --unsafe -e table "$1" | awk -v pages=" $names " '
			function known(target,   name) {
				name = target
				sub(/.*\//, "", name)
				sub(/#.*/, "", name)
				sub(/\.[a-z]*$/, "", name)
				return index(pages, " " name " ") ? name ".html" : ""
			}
			/^<!-- pages: / {
				print "<div class=\"programs\">"
				for (i = 3; i < NF; i++) {
					page = known($i)
					if (page == "")
						continue
					printf "<figure><figcaption><a href=\"%s\">%s</a></figcaption>", page, $i
					printf "<iframe src=\"%s?embed=edit\" loading=\"lazy\" ", page
					printf "title=\"%s in the emulator\"></iframe></figure>\n", $i
				}
				print "</div>"
				next
			}
			{
				line = ""
				while (match($0, /<a href="[^"]*">/)) {
					target = substr($0, RSTART + 9, RLENGTH - 11)
					page = target ~ /^https?:/ ? target : known(target)
					line = line substr($0, 1, RSTART - 1)
					$0 = substr($0, RSTART + RLENGTH)
					if (page != "")
						line = line "<a href=\"" page "\">"
					else
						sub(/<\/a>/, "")
				}
				print line $0
			}'
		echo '</main></body></html>'
	} >"$work/$name.html"
	for picture in $(sed -n 's/.*!\[[^]]*\](\([^)\/]*\.png\)).*/\1/p' "$1"); do
		cp "$(dirname "$1")/$picture" "$out/"
	done
}

card() {   # NAME TITLE, paragraphs on standard input
	picture="<img src=\"$1-board.png\" alt=\"lanes of $2\" loading=\"lazy\">"
	echo "<li><a class=\"board\" href=\"$1.html\">$picture</a>"
	bill_bar "$1"
	echo "<h3><a href=\"$1.html\">$2</a></h3>"
	escaped | sed -e '/^ *$/d' -e 's/.*/<p>&<\/p>/'
	echo "</li>"
}

# ---- every page ----

title_of() { sed -n '1s/^\/\/ *//p' "$source/examples/labs/$1.s"; }

cd "$source/examples"
files=
in_c=
names=
# shellcheck disable=SC2046
[ $# != 0 ] || set -- $("$warpbeam" examples | awk '/^  [a-z]/ { print $1 }')
for file; do
	for ending in s vsh gsh cu; do
		[ -f "$file" ] || [ ! -f "$file.$ending" ] || file=$file.$ending
	done
	case $file in *.s | *.vsh | *.gsh | *.cl | *.cu) ;; *) continue ;; esac
	if ! compiles "$file"; then
		echo "site: without $file: $(head -n 1 "$work/compile.log")" >&2
		continue
	fi
	program "$file" "$(page_name "$file")"
	names="$names $(page_name "$file")"
	case $file in *.cl | *.cu) in_c="$in_c $file" ;; *) files="$files $file" ;; esac
done
files="$in_c $files"    # C first: most people come with it

labs=$("$warpbeam" lab --json | sed -n 's/.*"name": "\(.*\)",.*/\1/p')
labs_in_c=
for lab in $labs; do
	program "labs/$lab.s" "$lab"
	if [ -f "labs/$lab.cl" ] && compiles "labs/$lab.cl"; then
		program "labs/$lab.cl" "$lab-c"
		labs_in_c="$labs_in_c $lab-c"
	fi
done

# Programs of the texts. C is compiled here, as a page cannot, by the compiler of the host.
program "$source/docs/explanation/ifelse-mask.s" ifelse-mask
names="$names $(echo "$labs" | tr '\n' ' ') $labs_in_c ifelse-mask"
names="$names first-divergence first-lab your-own-kernel-in-c stack-against-mask"
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$source/docs/tutorial/your-own-kernel-in-c.md" >"$work/mine.cl"
if (cd "$work" && "$warpbeam" compile mine.cl --chip g200 -o mine.s -q 2>compile.log); then
	program "$work/mine.s" mine
	names="$names mine"
else
	echo "site: without the compiled program of your-own-kernel-in-c: $(head -n 1 "$work/compile.log")" >&2
fi
text "$source/docs/tutorial/first-divergence.md"
text "$source/docs/tutorial/first-lab.md"
text "$source/docs/tutorial/your-own-kernel-in-c.md"
text "$source/docs/explanation/stack-against-mask.md"

{
	head_of "Warpbeam: programs to change and to step through"
	echo "<main><h1>Warpbeam</h1>"
	echo "<p>What divergence, memory and occupancy do to a warp. Each program opens in the emulator itself:"
	echo "change it, run it, step through it both ways. Nothing is sent anywhere.</p>"
	echo "<script src=\"@FILTER@\" defer></script>"
	echo "<h2 id=\"labs\">Labs: a question, a program to change, a check</h2><ul class=\"cards\">"
	for lab in $labs; do
		awk '/^\/\/ question:/ { on = 1; sub(/question: */, "") }
			on && /^\/\/$/ { exit }
			on { sub(/^\/\/ */, ""); printf "%s ", $0 }
			END { print "" }' "labs/$lab.s" | card "$lab" "$(title_of "$lab" | escaped)" |
			case " $labs_in_c " in
			*" $lab-c "*) sed "s,</li>,<p><a href=\"$lab-c.html\">The same lab in OpenCL C</a></p></li>," ;;
			*) cat ;;
			esac
	done
	echo "</ul><h2 id=\"gallery\">Gallery</h2><ul class=\"cards\">"
	for file in $files; do
		{
			sed -n '1s/^\/\/ *//p' "$file"
			awk '/^\/\/ What to look for:/ { on = 1 }
				on && (!/^\/\/ ./ || /^\/\/ (\.|expect:)/) { exit }
				on { sub(/^\/\/ */, ""); printf "%s ", $0 }
				END { print "" }' "$file"
		} | card "$(page_name "$file")" "$file"
	done
	echo "</ul></main></body></html>"
} >"$work/index.html"
{
	head_of "Not here"
	echo "<main><h1>Not here</h1><p><a href=\"index.html\">All programs</a></p></main></body></html>"
} >"$work/404.html"

named_by_contents() {   # FILE NAME ENDING: copied into the site, its name printed
	copy=$2-$(sha256sum "$1" | cut -c1-12).$3
	cp "$1" "$out/$copy"
	echo "$copy"
}
# The menu of programs in every page: labs, then the gallery.
{
	echo "const wbPrograms = {"
	echo '"Labs": ['
	for lab in $labs $labs_in_c; do
		echo "\"$lab\","
	done
	echo '], "Gallery": ['
	for file in $files; do
		echo "\"$(page_name "$file")\","
	done
	echo ']};'
} >>"$work/lab.js"
css=$(named_by_contents "$work/lab.css" lab css)
js=$(named_by_contents "$work/lab.js" lab js)
site=$(named_by_contents "$here/site.css" site css)
filter=$(named_by_contents "$here/site.js" site js)
for page in "$work"/*.html; do
	sed -e "s/@CSS@/$css/" -e "s/@JS@/$js/" -e "s/@SITE@/$site/" -e "s/@FILTER@/$filter/" "$page" \
		>"$out/${page##*/}"
done
