# Names and members' comments (DESIGN, rules 7 and 9).   awk -f names.awk FILE...
#
# - `room` is a folder: no identifier has it as a word, and a comment says it of a folder only ("the room", "every
#   room").
# - A member is not called at, first, last, given, own, some, gone, fell, left or place: a quantity has a name.
# - A comment in a struct has a noun: a word beside the function words, adjectives and participles below, a number, or a
#   name in code.
#
# Prints every finding; exit 1 if there is any.
BEGIN {
	split("at first last given own some gone fell left place", list, " ")
	for (i in list)
		vague[list[i]] = 1
	words("a an the of in on at by to from for with without as if is are was were be been has have had may can")
	words("must not no and or but so than then else when where while until before after behind above below")
	words("beside between within into it its this that these those they them their what which who whose one")
	words("ones some such there any all each every both either neither other others another same first last")
	words("next previous present only also too again alone see likewise never always mostly nearly far yet")
	words("still already once twice here now later earlier more less most least given set used seen done made")
	words("found known written taken left gone kept sent needed wanted asked executed issued available free")
	words("idle busy ready whole true false new old high low small large long short many few several up down")
	words("out off over under about through per via did does do being will would could should it's itself")
	words("themselves")
}

function words(text,   n, w, k) {
	n = split(text, w, " ")
	for (k = 1; k <= n; k++)
		empty[w[k]] = 1
}

function finding(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	failed = 1
}

# A whole comment; `member`: the comment began inside of a struct.
function comment(text, member,   n, w, k, plain) {
	plain = tolower(text)
	gsub(/the room|every room|no room|each room|a room|rooms/, "", plain)
	if (plain ~ /(^|[^a-z_])room([^a-z_]|$)/)
		finding("`room` is a folder: say bytes, storage, capacity or space")
	if (!member || text ~ /[0-9`(\[]|----/)
		return
	n = split(tolower(text), w, /[^a-z_']+/)
	for (k = 1; k <= n; k++)
		if (w[k] != "" && !(w[k] in empty))
			return
	finding("no noun in the comment: /*" text "*/")
}

# The names in declarations of a struct, up to a ';'.
function declared(text,   n, w, k, name) {
	while (match(text, /\{[^{}]*\}/))
		text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
	while (match(text, /\)[ \t]*\([^()]*\)/))        # parameters of a pointer to a function
		text = substr(text, 1, RSTART) " " substr(text, RSTART + RLENGTH)
	while (match(text, /\([^()*]*\)/))              # sizes, attributes
		text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
	n = split(text, w, ",")
	for (k = 1; k <= n; k++) {
		name = w[k]
		sub(/[ \t]*[:\[=].*/, "", name)
		gsub(/[()]/, "", name)
		sub(/__attribute__.*/, "", name)
		sub(/[ \t]+$/, "", name)
		sub(/.*[ \t*]/, "", name)
		if ((name in vague))
			finding("a member called `" name "`: name the quantity")
	}
}

function code(text,   c, k) {
	if (text ~ /(^|[^A-Za-z0-9_])([A-Za-z0-9_]*_)?(room|ROOM|roomy)(_[A-Za-z0-9_]*)?([^A-Za-z0-9_]|$)/)
		finding("an identifier with `room`, which is a folder")
	for (k = 1; k <= length(text); k++) {
		c = substr(text, k, 1)
		if (c == "{") {
			depth++
			kind[depth] = (depth == 1 || kind[depth - 1]) && \
				held ~ /(^|[^A-Za-z0-9_])(struct|union)[ \t]*[A-Za-z0-9_]*[ \t]*(__attribute__.*)?$/
			outer[depth] = held
			held = ""
		} else if (c == "}") {
			held = depth > 0 ? outer[depth] "{}" : ""
			if (depth > 0)
				depth--
		} else if (c == ";") {
			if (depth > 0 && kind[depth])
				declared(held)
			held = ""
		} else {
			held = held c
		}
	}
	held = held " "
}

FNR == 1 { depth = 0; held = ""; inside = 0; directive = 0 }
{
	rest = $0
	if (!inside && (directive || rest ~ /^[ \t]*#/)) {
		directive = rest ~ /\\$/
		next
	}
	while (rest != "") {
		if (inside) {
			end = index(rest, "*/")
			text = text " " (end ? substr(rest, 1, end - 1) : rest)
			if (!end)
				break
			inside = 0
			comment(text, member)
			rest = substr(rest, end + 2)
			continue
		}
		if (!match(rest, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//)) {
			code(rest)
			break
		}
		start = substr(rest, RSTART, 2)
		before = substr(rest, 1, RSTART - 1)
		rest = start == "//" || start == "/*" ? substr(rest, RSTART + 2) : substr(rest, RSTART + RLENGTH)
		code(before)            # changes RSTART
		member = depth > 0 && kind[depth]
		if (start == "//") {
			comment(rest, member)
			break
		}
		inside = start == "/*"
		text = ""
	}
}

END { exit failed }
