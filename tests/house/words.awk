# Pronouns in 100 words, by room and by file: of comments in C, of comments in shell, awk and meson files (the room
# "scripts"), and of Markdown without code (the room "documents").   awk -f words.awk BOUNDS FILE...
#
# BOUNDS has lines "ROOM BOUND FILE_BOUND"; a room is a folder, and a file belongs to the longest room that begins its
# path. A file of fewer than 100 words counts for its room alone: a sentence would decide. Prints every room and file
# above its bound; exit 1 if there is any. With -v report=1 prints every room.
BEGIN {
	list = "it its that those they them their what which who whose one ones some so such there this these"
	split(list, word, " ")
	for (i in word)
		pronoun[word[i]] = 1
	SHORT = 100
}

function is_document(path) { return path ~ /\.md$/ }
function is_script(path) { return path !~ /\.(c|h|def|md)$/ }

function room_of(path,   r, found) {
	if (is_script(path) || is_document(path)) {
		r = is_script(path) ? "scripts" : "documents"
		return r in bound ? r : ""
	}
	for (r in bound)
		if (index(path, r "/") == 1 && length(r) > length(found))
			found = r
	return found
}

function count(text,   n, i, w) {
	n = split(tolower(text), w, /[^a-z]+/)
	for (i = 1; i <= n; i++) {
		words[file] += w[i] != ""
		pronouns[file] += w[i] in pronoun
	}
}

# One line of C: counts comments, skips strings; `inside` is true in a comment that goes on in the next line.
function line(s,   end) {
	while (s != "") {
		if (inside) {
			end = index(s, "*/")
			count(end ? substr(s, 1, end - 1) : s)
			if (!end)
				return
			inside = 0
			s = substr(s, end + 2)
		}
		if (!match(s, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|\/\*|\/\//))
			return
		end = substr(s, RSTART, 2)
		s = substr(s, RSTART + RLENGTH)
		if (end == "//") {
			count(s)
			return
		}
		inside = end == "/*"
	}
}

function finding(name, rate, most) {
	printf "%s: %.1f pronouns in 100 words, at most %s: name the thing\n", name, rate, most
	failed = 1
}

FILENAME == ARGV[1] {
	if (NF && $1 !~ /^#/) {
		bound[$1] = $2
		file_bound[$1] = $3
	}
	next
}
FNR == 1 { file = FILENAME; inside = 0 }
is_document(FILENAME) {   # `inside` a fenced block of code; `code` and targets of links are no words
	inside = /^ *```/ ? !inside : inside
	gsub(/`[^`]*`|\]\([^)]*\)/, " ")
	if (!inside)
		count($0)
	next
}
is_script(FILENAME) {   # a "#" at the begin, or behind code without quotes
	if (match($0, /^([^"'#]*[ \t])?#+[ \t]/))
		count(substr($0, RLENGTH))
	next
}
{ line($0) }

END {
	for (f in words) {
		r = room_of(f)
		if (r == "")
			continue
		room_words[r] += words[f]
		room_pronouns[r] += pronouns[f]
		rate = 100 * pronouns[f] / words[f]
		if (words[f] >= SHORT && rate > file_bound[r] + 0.05)
			finding(f, rate, file_bound[r])
	}
	for (r in room_words) {
		rate = 100 * room_pronouns[r] / (room_words[r] ? room_words[r] : 1)
		if (report)
			printf "%-14s %5.1f of %6d words, at most %s\n", r, rate, room_words[r], bound[r]
		if (rate > bound[r] + 0.05)
			finding(r, rate, bound[r])
	}
	exit failed
}
