# A C program that prints the ABI of a header: the size of every struct, the place, size and type of
# every member, the value of every enumerator, and the type of every function; with -v stubs=1 one that defines its
# functions, for tools that read debug information.   awk [-v stubs=1] -f table.awk warpbeam.h >table.c
function stop(what) { printf "table.awk: %s\n", what >"/dev/stderr"; failed = 1; exit 1 }

function without_comments(s,   out, i, j) {
	while ((i = index(s, "/*"))) {
		if (!(j = index(substr(s, i + 2), "*/")))
			stop("a comment does not end")
		out = out substr(s, 1, i - 1) " "
		s = substr(s, i + 2 + j + 1)
	}
	return out s
}

function trimmed(s) {
	gsub(/[ \t\n]+/, " ", s)
	sub(/^ /, "", s)
	sub(/ $/, "", s)
	return s
}

function member(of, s,   name, type) {
	s = trimmed(s)
	if (!s)
		return
	if (s ~ /,/)
		stop("struct " of ": found \"" s "\", expected one member a line")
	type = s
	sub(/\[.*/, "", s)
	match(s, /[A-Za-z_0-9]+$/)
	name = substr(s, RSTART)
	sub("[ ]?" name "($|\\[)", "&", type)
	type = substr(s, 1, RSTART - 1) substr(type, length(s) + 1)
	sub(/ $/, "", type)
	printf "\tprintf(\"member %s.%s at %%zu, %%zu bytes: %s\\n\", offsetof(struct %s, %s), " \
		"sizeof ((struct %s *)0)->%s);\n", of, name, type, of, name, of, name
}

function a_struct(s,   name, grows, n, part, i) {
	match(s, /^struct [a-z_0-9]+/)
	name = substr(s, 8, RLENGTH - 7)
	grows = sub(/@grows/, "", s) ? " grows" : ""
	sub(/^[^{]*\{/, "", s)
	printf "\tprintf(\"struct %s: %%zu bytes%s\\n\", sizeof(struct %s));\n", name, grows, name
	n = split(s, part, ";")
	for (i = 1; i <= n; i++)
		member(name, part[i])
}

function an_enum(s,   n, part, i, name) {
	sub(/^[^{]*\{/, "", s)
	n = split(s, part, ",")
	for (i = 1; i <= n; i++) {
		name = trimmed(part[i])
		sub(/ *=.*/, "", name)
		if (name)
			printf "\tprintf(\"enumerator %s = %%d\\n\", (int)%s);\n", name, name
	}
}

# Names of parameters are no part of a function's type.
function a_function(s,   name, out) {
	s = trimmed(s)
	sub(/^WB_API /, "", s)
	if (stubs) {
		print s "\n{\n\t__builtin_trap();\n}"
		return
	}
	match(s, /[A-Za-z_0-9]+\(/)
	name = substr(s, RSTART, RLENGTH - 1)
	out = substr(s, 1, RSTART - 1)
	s = substr(s, RSTART + RLENGTH - 1)
	while (match(s, /[ *][A-Za-z_0-9]+(\[[A-Z_0-9a-z]*\])?[,)]/)) {
		out = out substr(s, 1, RSTART)
		s = substr(s, RSTART + 1)
		sub(/^[A-Za-z_0-9]+/, "", s)
		match(s, /^(\[[^]]*\])?[,)]/)
		out = out substr(s, 1, RLENGTH)
		s = substr(s, RLENGTH + 1)
	}
	gsub(/ \)/, ")", s)
	out = out s
	gsub(/ ,/, ",", out)
	gsub(/ \)/, ")", out)
	printf "\tputs(\"function %s: %s\");\n", name, trimmed(out)
}

/^[ \t]*#/ { next }
{ text = text $0 "\n" }

END {
	if (failed)
		exit 1
	gsub(/\/\* grows \*\//, "@grows", text)
	gsub(/extern "C" \{/, "", text)
	text = without_comments(text)
	print "#include <stdio.h>\n#include \"warpbeam.h\"\n"
	if (!stubs)
		print "int main(void)\n{\n\tprintf(\"abi %d\\n\", WB_ABI_VERSION);"
	while (text) {
		sub(/^[ \t\n};]+/, "", text)
		if (!text)
			break
		if (text ~ /^(struct|enum)( [a-z_0-9]+)? \{/)
			end = index(text, "};")
		else
			end = index(text, ";")
		if (!end)
			stop("found \"" substr(text, 1, 40) "\", expected a declaration")
		one = substr(text, 1, end - 1)
		text = substr(text, end + 1)
		if (one ~ /^struct [a-z_0-9]+ \{/ && !stubs)
			a_struct(one)
		else if (one ~ /^enum( [a-z_0-9]+)? \{/ && !stubs)
			an_enum(one)
		else if (one ~ /\(/)
			a_function(one)
		else if (one !~ /^struct [a-z_0-9]+$/ && !stubs)
			stop("found \"" trimmed(one) "\", expected a struct, an enum or a function")
	}
	if (!stubs)
		print "\treturn 0;\n}"
}
