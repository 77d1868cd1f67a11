#!/bin/sh
# The cache of compiled objects: owners of usable folders and entries, entries written, entries removed. One case of a
# kind, as each takes a compilation; WB_TEST_ALL=1: all.
#   opencl_cache.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
cache=cache/warpbeam

cp "$root/tests/gcn/two.cl" two.cl
printf 'kernel void planted(global int *p) { *p = 1; }\n' >planted.cl
if ! "$warpbeam" info two.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
cases() {       # FIRST OTHERS: the first, or all
	echo $1 ${WB_TEST_ALL:+$2}
}
entries() {     # COUNT WHAT
	[ "$(ls $cache | grep -Ec '^[0-9a-f]{64}\.hsaco$')" = "$1" ] &&
		[ "$(ls $cache | grep -Evc '^[0-9a-f]{64}\.(inputs|bc|version)$')" = "$1" ]
	result $? "$2: expected $1 entries and nothing else, found: $(ls -l $cache)"
}
right() {       # the result of two.cl, with any contents of the cache
	check 0 out "opencl, 2 kernels" timeout 20 "$warpbeam" info two.cl
	not out planted
}
entry() {
	ls $cache/*.hsaco
}
entries 1 'after one compilation'
[ "$(stat -c %a $cache $cache/* | sort -u | tr '\n' ' ')" = '600 700 ' ]
result $? "modes of the folder and the entries: $(stat -c %a $cache $cache/*)"

# A use does not write, but for the time.
touch -d '2 days ago' "$(entry)"
inode=$(stat -c %i "$(entry)")
right
[ "$(stat -c %i "$(entry)")" = "$inode" ] && [ -n "$(find $cache -name '*.hsaco' -mmin -5)" ]
result $? 'an entry was written again, or its time of use was not noted'

# Every byte counts, and the entry's own key.
cp "$(entry)" whole
size=$(stat -c %s whole)
for at in $(cases $((size - 33)) "0 100 $((size - 32)) $((size - 1))"); do
	cp whole "$(entry)"
	printf '\252' | dd of="$(entry)" bs=1 seek=$at conv=notrunc 2>err
	right
	cmp whole "$(entry)" >out 2>&1
	result $? "an entry with a wrong byte $at was not made again"
done
head -c 40 whole >"$(entry)"
right
: >"$(entry)"
right
ok 'another program' "$warpbeam" info planted.cl
planted=$(entry | grep -v "$(entry | head -n 1)")
[ "$planted" ] && cmp -s whole "$planted" && planted=$(entry | head -n 1)
two=$(entry | grep -v "$planted")
cp "$planted" "$two"
right
rm "$planted"

# An entry is a regular file without write access for others; anything else is replaced, neither read nor waited for.
for kind in fifo link folder group others; do
	cp whole "$two"
	case $kind in
	fifo) rm "$two" && mkfifo "$two" ;;
	link) mv "$two" aside && ln -s "$work/aside" "$two" ;;
	folder) rm "$two" && mkdir "$two" ;;
	group) chmod g+w "$two" ;;
	others) chmod o+w "$two" ;;
	esac
	check 0 out '2 kernels' timeout 20 "$warpbeam" info two.cl
	[ $kind = folder ] && rmdir "$two" && right
	[ "$(stat -c '%F %a' "$two")" = 'regular file 600' ] && cmp -s whole "$two"
	result $? "an entry that was a $kind: $(ls -l "$two")"
done

# A folder that others may write to, a link or a file is no cache.
for mode in $(cases 707 '770 777 1777'); do
	rm -f $cache/*
	chmod $mode $cache
	right
	entries 0 "mode $mode"
done
chmod 755 $cache
right
entries 1 'mode 755'
mv $cache elsewhere
ln -s "$work/elsewhere" $cache
rm -f elsewhere/*
right
[ -z "$(ls elsewhere)" ]
result $? 'the cache followed a link'
rm $cache
: >$cache
right
rm $cache
if [ "$(id -u)" = 0 ]; then
	mkdir $cache && chown 65534 $cache
	right
	entries 0 'a folder of another user'
	chown 0 $cache
	right
	chown 65534 "$(entry)"
	right
	[ "$(stat -c %u "$(entry)")" = 0 ]
	result $? 'an entry of another user was not made again'
fi

# Objects are removed beyond 90 days and beyond 256 MiB, the longest unused first; leftovers after a day; foreign files
# never.
right
name() {        # DIGIT: a name of an entry
	printf "$cache/%064d.hsaco" "$1"
}
truncate -s 200M "$(name 1)" && touch -d '10 days ago' "$(name 1)"
truncate -s 50M "$(name 2)" && touch -d '9 days ago' "$(name 2)"
truncate -s 1M "$(name 3)" && touch -d '91 days ago' "$(name 3)"
truncate -s 1M "$(name 4)" && touch -d '89 days ago' "$(name 4)"
truncate -s 1M "$(name 5).1234" && touch -d '2 days ago' "$(name 5).1234"
truncate -s 1M "$(name 6).1234"
touch -d '200 days ago' $cache/00000000000000000000000000000000.hsaco $cache/notes.txt $cache/0000.hsaco
ok 'a compilation' "$warpbeam" info two.cl -D NEW=1
for file in "$(name 1)" "$(name 2)" "$(name 4)" "$(name 6).1234" $cache/notes.txt $cache/0000.hsaco; do
	[ -e "$file" ]
	result $? "$file was removed: $(ls -l $cache)"
done
for file in "$(name 3)" "$(name 5).1234" $cache/00000000000000000000000000000000.hsaco; do
	[ ! -e "$file" ]
	result $? "$file was not removed: $(ls -l $cache)"
done
truncate -s 10M "$(name 7)"
ok 'a compilation' "$warpbeam" info two.cl -D NEW=2
[ ! -e "$(name 1)" ] && [ ! -e "$(name 4)" ] && [ -e "$(name 2)" ] && [ -e "$(name 7)" ]
result $? "not the longest unused beyond 256 MiB were removed: $(ls -l --time-style=full-iso $cache)"

# A source compiled before starts no program, as long as files and options are the same.
rm -rf $cache
compiler=$(command -v clang-19 || command -v clang-14 || command -v clang)
cat >count <<EOF
#!/bin/sh
echo start >>$work/starts
exec $compiler "\$@"
EOF
chmod +x count
mkdir -p first second
starts() {      # STARTED|NONE WHAT COMMAND...: does the command start the compiler?
	expected=$1
	what=$2
	shift 2
	: >"$work/starts"
	check 0 out kernel timeout 60 "$@" --cc ./count --files any
	[ -s "$work/starts" ] && started=STARTED || started=NONE
	[ $started = "$expected" ]
	result $? "$what: expected $expected, found $started ($(wc -l <"$work/starts") starts)"
}
echo '#define N 1' >second/n.h
printf '#include "n.h"\nkernel void k(global int *p) { *p = N; }\n' >header.cl
set -- "$warpbeam" info header.cl -I first -I second
starts STARTED 'the first time' "$@"
starts NONE 'the second time' "$@"
starts STARTED 'another definition' "$@" -D A=1
starts NONE 'another definition again' "$@" -D A=1
starts STARTED 'another chip' "$@" --chip tonga
starts STARTED 'PTX' "$@" --chip g200
starts NONE 'PTX again' "$@" --chip g200
echo '#define N 2' >second/n.h
starts STARTED 'another header' "$@"
starts NONE 'another header again' "$@"
echo '#define N 3' >first/n.h
starts STARTED 'a header in an earlier folder' "$@"
starts NONE 'the header in an earlier folder again' "$@"
rm first/n.h
starts STARTED 'without that header' "$@"
echo '#define N 4' >n.h
starts STARTED 'a header beside the source' "$@"
starts NONE 'a header beside the source again' "$@"
CPATH=$work/first
export CPATH
starts STARTED 'another environment' "$@"
unset CPATH
echo '#' >>count
starts STARTED 'another compiler' "$@"
starts NONE 'another compiler again' "$@"
printf '//\n' >>header.cl
starts STARTED 'another text' "$@"
starts NONE 'another text again' "$@"
mkdir folder
cp header.cl n.h folder
cd folder || exit 1
cp ../count .
starts STARTED 'another folder' "$@"
starts NONE 'another folder again' "$@"
cd ..
for word in __TIME__ ${WB_TEST_ALL:+'__has_include("no.h")'}; do
	printf 'kernel void k(global int *p) { *p = 1; } // %s\n' "$word" >word.cl
	starts STARTED "$word" "$warpbeam" info word.cl
	starts STARTED "$word again" "$warpbeam" info word.cl
done
set -- "$warpbeam" info header.cl -I first -I second
for file in $cache/*.inputs; do
	: >"$file"
done
starts STARTED 'empty records' "$@"
rm $cache/*.hsaco
starts STARTED 'no objects' "$@"
starts NONE 'no objects again' "$@"

# Bitcode of our built-in functions is kept for other sources that need the same functions: one start less.
rm -f $cache/*.bc
for k in 1 2 3; do
	printf 'kernel void k(global int *p) { p[get_global_id(0)] = max(p[%d], 7); }\n' $k >needs.cl
	[ $k = 3 ] && for file in $cache/*.bc; do echo >"$file"; done
	starts STARTED "built-in functions, source $k" "$warpbeam" info needs.cl
	wc -l <starts
done >numbers
# shellcheck disable=SC2046
set -- $(cat numbers)
[ $(($1 - 1)) = "$2" ] && [ "$1" = "$3" ]
result $? "starts for the first source, the second and with spoilt bitcode: $*"

# A source that stands alone is not preprocessed, and the version of a compiler is asked for once: a second source takes
# one start. A word of the preprocessor in any spelling takes one more: names that ## or a header makes are known,
# and built-in functions of a name not met before take a start, too.
number() {      # STARTS WHAT FILE
	starts STARTED "$2" "$warpbeam" info $3
	[ "$(wc -l <starts)" = "$1" ]
	result $? "$2: expected $1 starts, found $(wc -l <starts)"
}
echo '#' >>count
printf 'kernel void k(global int *p) { *p = 11; }\n' >alone.cl
command -v ld.lld >out && first=2 || first=3     # 3: the script is asked for the linker
number $first 'the first source of a compiler' alone.cl
# A script has no linker beside itself: where PATH has none either, the compiler behind the script is asked.
printf 'kernel void k(global int *p) { *p = 13; }\n' >linked.cl
check 0 out kernel env PATH=/none "$warpbeam" info linked.cl --cc ./count --files any
printf 'kernel void k(global int *p) { *p = 12; } // "max(\n' >alone.cl
number 1 'the second source' alone.cl
printf '#inc\\\nlude "n.h"\nkernel void k(global int *p) { *p = N + 20; }\n' >split.cl
number 3 'a split word' split.cl
echo '#define N 5' >n.h
number 2 'a split word, after its header' split.cl
printf '#define F(x) m##x\nkernel void k(global int *p) { p[get_global_id(0)] = F(ax)(p[0], 7); }\n' >pasted.cl
number 3 'a pasted name' pasted.cl
printf '//\n' >>pasted.cl
number 1 'a pasted name, and another comment' pasted.cl
finish
