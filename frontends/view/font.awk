# A large cut of the canvas's font, as a table: of the code points that font.def has, the glyphs of a bitmap font in
# Debian's package xfonts-terminus, its regular and its bold form as BDF (Debian package pcf2bdf). What joins its
# neighbours is left out: box drawing and block elements have to fill a cell of another size, and are scaled instead.
#
#	apt-get download xfonts-terminus && dpkg -x xfonts-terminus_*.deb x && cd x/usr/share/fonts/X11/misc
#	for f in u28n u28b u32n u32b; do zcat ter-${f}_unicode.pcf.gz >$f.pcf && pcf2bdf -o $f.bdf $f.pcf; done
#	awk -v first=1 -v rows=26 -f font.awk font.def u28n.bdf u28b.bdf >font28.def
#	awk -v first=0 -v rows=32 -f font.awk font.def u32n.bdf u32b.bdf >font32.def
#
# Every glyph of these has the box of the whole font. Of 28 rows, the first has but the tip of `, and the last nothing.
FNR == 1 {
	file++
}
file == 1 && /^GLYPH\(0x/ {
	code = substr($1, 7, 6)
	if (code < "0x2500" || code >= "0x25a0")
		list[n++] = code
}
$1 == "ENCODING" {
	code = sprintf("0x%04x", $2)
}
$1 == "ENDCHAR" {
	inside = 0
}
inside {
	if (row >= first && row < first + rows)
		glyph[code, file] = glyph[code, file] ($1 ~ /^0*$/ ? "0" : "0x" tolower($1)) ", "
	row++
}
$1 == "BITMAP" {
	inside = 1
	row = 0
}

function form(text,   line, out, part, i, count) {
	count = split(text, part, / */)
	for (i = 1; i < count; i++) {
		if (length(line " " part[i]) > (out ? 102 : 96)) {
			out = out line "\n\t\t"
			line = ""
		}
		line = line (line ? " " : "") part[i]
	}
	sub(/,$/, "", line)
	return "\tROWS(" out line ")"
}

END {
	print "/* Made by font.awk from bitmaps of Debian's xfonts-terminus,"
	print " * Copyright (c) 2010-2014 Dimitar Toshkov Zhekov, under the SIL Open Font License, Version 1.1:" \
	      " LICENSE.OFL."
	print " *"
	print " *   GLYPH(code point, " rows " rows from the top, " rows " rows of the bold form)"
	print " *"
	print " * In a row, bit 15 is the leftmost pixel. Code points ascend. */\n"
	for (i = 0; i < n; i++)
		if ((list[i], 2) in glyph)
			printf "GLYPH(%s,\n%s,\n%s)\n", list[i], form(glyph[list[i], 2]), form(glyph[list[i], 3])
}
