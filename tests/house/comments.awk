# A file or member named in a comment exists.   git ls-files | awk -f comments.awk - FILE...
#
# - A file is a name that ends in .c, .h, .def, .awk, .sh or .md, with or without its folders; a capital letter, as in
#   X.def, stands for any name. Below are the files of others, and a file made by the build.
# - A member is struct_tag.member, of the struct; p->member and tag.member, where the tag may be a variable too, are
#   members of any struct.
#
# Names come from the files on standard input, structs from the code of all the files. Prints every finding; exit 1 if
# there is any.
BEGIN {
	RS = "[*]/"
	named = "[A-Za-z0-9_/.-]+[.](c|h|def|awk|sh|md)([^A-Za-z0-9_]|$)|[A-Za-z0-9_]+([.]|->)[a-z][a-z0-9_]*"
	file["nvhw/sfu_tab.c"] = file["nv50_formats.c"] = file["simd_config.h"] = 1
	split("s cl js txt html csv json png vsh gsh", list, " ")
	for (k in list)
		ending[list[k]] = 1
}

# The members that a struct's body declares. A macro in a body may declare any.
function declared(tag, body,   list, n, k, name) {
	open[tag] = open[tag] || body ~ /#|[A-Z_]+\(/
	while (match(body, /\)[ \t\n]*\([^()]*\)/))       # parameters of a pointer to a function
		body = substr(body, 1, RSTART) substr(body, RSTART + RLENGTH)
	while (match(body, /\([^()*]*\)/))              # and of its parameters, sizes, attributes
		body = substr(body, 1, RSTART - 1) substr(body, RSTART + RLENGTH)
	n = split(body, list, /[;,{}]/)
	for (k = 1; k <= n; k++) {
		name = list[k]
		sub(/[ \t\n]*(\[|:|=|__attribute__).*/, "", name)
		if (match(name, /\(\*[A-Za-z0-9_]+/))
			name = substr(name, RSTART + 2, RLENGTH - 2)
		sub(/.*[^A-Za-z0-9_]/, "", name)
		member[tag, name] = any[name] = 1
	}
}

function structs(code,   head, tag) {
	while (match(code, /(struct|union) [A-Za-z0-9_]+[ \t\n]*\{[^{}]*(\{[^{}]*(\{[^{}]*\}[^{}]*)*\}[^{}]*)*\}/)) {
		head = substr(code, RSTART, RLENGTH)
		code = substr(code, RSTART + RLENGTH)
		tag = head
		sub(/^[a-z]+ /, "", tag)
		sub(/[ \t\n]*\{.*/, "", tag)
		known[tag] = 1
		sub(/^[^{]*\{/, "", head)
		declared(tag, head)
	}
}

function check(place, text,   name, part, n) {
	gsub(/\n[ \t]*\*/, "\n", text)
	while (match(text, named)) {
		name = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		if (name ~ /->/) {
			n = split(name, part, "->")
			if (!(part[2] in any))
				print place ": no struct has the member " name
			else
				continue
		} else if (name ~ /\.(c|h|def|awk|sh|md)[^A-Za-z0-9_]?$/) {
			sub(/[^A-Za-z0-9_]$/, "", name)
			sub(/^(\.\.?\/)+/, "", name)
			if (name ~ /[A-Z]|^\./ || (name in file))
				continue
			print place ": there is no file " name
		} else {
			n = split(name, part, ".")
			if (!(part[1] in known) || open[part[1]] || (part[1], part[2]) in member || part[2] in ending)
				continue
			if (part[1] !~ /_/ && part[2] in any)
				continue
			print place ": struct " part[1] " has no member " part[2]
		}
		failed = 1
	}
}

FILENAME == "-" || FILENAME == "" {
	n = split($0, names, "\n")
	for (k = 1; k <= n; k++)
		for (name = names[k]; name != ""; name = index(name, "/") ? substr(name, index(name, "/") + 1) : "")
			file[name] = 1
	next
}
{
	gsub(/"([^"\\\n]|\\.)*"/, "\"\"")
	start = index($0, "/*")
	code = start ? substr($0, 1, start - 1) : $0
	codes[FILENAME] = codes[FILENAME] " " code
	if (start) {
		if (FILENAME != last)
			line = 1
		last = FILENAME
		where[++comments] = FILENAME ":" line + gsub(/\n/, "\n", code)
		text[comments] = substr($0, start + 2)
	} else if (FILENAME != last) {
		line = 1
		last = FILENAME
	}
	line += gsub(/\n/, "\n", $0)
}
END {
	for (name in codes)
		structs(codes[name])
	for (k = 1; k <= comments; k++)
		check(where[k], text[k])
	exit failed
}
