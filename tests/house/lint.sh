#!/bin/sh
# All that can be said of the tree without running the program: lint.sh [BUILD], in the tree's root. Without BUILD texts
# alone are read; with a folder BUILD, where compile commands of each compiler get folders, the compilers read all files
# as well. Each step is told with its time. The last line is "N passed, N failed"; exit 77: the tree is no checkout.
set -eu
BUILD=${1:-}
git rev-parse --git-dir >/dev/null 2>&1 || { echo 'skipped: no git checkout'; exit 77; }
say() { printf 'lint: %s\n' "$*" >&2; }

written() {
	git ls-files '*.c' '*.h' '*.def' '*.sh' '*.awk' '*.gp' '*meson.build' dev .ci/run | grep -v '^tests/data/bench/'
}

lint_text() {   # long files (tables may be), long lines, in C spaces as indentation, blanks at line ends
	written | LC_ALL=C xargs awk '
		function bad(what) { printf "%s:%d: %s\n", FILENAME, FNR, what; n++ }
		FNR == 1501 && FILENAME !~ /\.def$/ { bad("more than 1500 lines") }
		{ width = $0; gsub(/\t/, "        ", width); gsub(/[\200-\277]/, "", width) }
		length(width) > 120 { bad("line longer than 120 columns") }
		/[ \t]$/ { bad("blank at the end of the line") }
		FILENAME ~ /\.(c|h|def)$/ && /^ +[^ *]/ && !/^ \*/ { bad("indented with spaces") }
		END { exit n > 0 }' >&2
}

# Sentences name things: pronouns in comments and documents by room and file (HACKING, Style). The corpus is other
# people's.
lint_words() {
	{ written; git ls-files '*.md'; } |
		grep -v '^tests/corpus/.*\.\(c\|h\|def\|md\)$\|^tests/broken/.*\.[ch]$\|^tests/data/\|\.gp$' |
		xargs awk -f tests/house/words.awk tests/house/words.txt >&2
}

# Names of members, `room` for folders alone, a noun in each member's comment (HACKING, Style).
lint_names() {
	git ls-files '*.c' '*.h' | grep -v '^tests/corpus/\|^tests/broken/\|^tests/data/' |
		xargs awk -f tests/house/names.awk >&2
}

# Files and members named in comments exist (HACKING, Style).
lint_comments() {
	sh tests/house/comments.sh . >&2
}

# Outputs of a trial, committed by an `add` of everything, stand in the root, as programs run there.
lint_root() {
	git ls-files | awk '
		/\// || /^(CHANGELOG|HACKING|README|SECURITY)\.md$/ || /^LICENSE(\.OFL)?$/ { next }
		/^meson(\.build|_options\.txt)$/ || /^(dev|\.clang-tidy|\.gitignore)$/ { next }
		{ printf "%s: found in the root of the tree, expected a folder, or a name in lint_root\n", $0; n++ }
		END { exit n > 0 }' >&2
}

# A build directory for compile commands alone: nothing is built.
lint_commands() {   # COMPILER
	[ -f "$BUILD/lint-$1/build.ninja" ] || CC=$1 meson setup "$BUILD/lint-$1" --buildtype=release --werror \
		-Dpage=disabled -Db_colorout=auto >/dev/null
	ninja -C "$BUILD/lint-$1" build.ninja >/dev/null
}

# The front end of gcc over each C file. Warnings of the optimiser are left to builds with -Werror (.ci/run).
lint_gcc() {
	lint_commands gcc
	(cd "$BUILD/lint-gcc" && jq -r 'unique_by(.file)[] | select(.file | startswith("../../")) | .command |
		sub(" -MD .* -c "; " -fsyntax-only ")' compile_commands.json |
		tr '\n' '\0' | xargs -0 -n 1 -P "$(nproc)" sh -c) >&2
}

# clang's warnings and the checks of .clang-tidy over each C file.
lint_clang() {
	command -v clang-tidy >/dev/null 2>&1 || { say "clang-tidy is not here: skipped"; return 0; }
	lint_commands clang
	status=0
	jq -r '[.[].file | select(startswith("../../")) | ltrimstr("../../")] | unique[]' \
		"$BUILD/lint-clang/compile_commands.json" |
		xargs -n 4 -P "$(nproc)" clang-tidy --quiet -p "$BUILD/lint-clang" \
			>"$BUILD/lint-clang/findings" 2>&1 || status=1
	grep -v '^[0-9]* warnings\? generated\.$' "$BUILD/lint-clang/findings" >&2 || true
	return $status
}

passed=0
failed=0
lint_step() {   # NAME COMMAND: with the step's verdict and time
	begun=$(date +%s)
	if "$2"; then
		passed=$((passed + 1))
		verdict=passed
	else
		failed=$((failed + 1))
		verdict=FAILED
	fi
	say "$1: $verdict, $(($(date +%s) - begun)) s"
}

lint_step "long lines, blanks" lint_text
lint_step "pronouns" lint_words
lint_step "names" lint_names
lint_step "names in comments" lint_comments
lint_step "files of the root" lint_root
if [ "$BUILD" ]; then
	lint_step "gcc -fsyntax-only -Werror" lint_gcc
	lint_step "clang-tidy with clang's warnings" lint_clang
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
