#!/bin/sh
# Are defects in comparisons of guests' addresses noticed by the borders tests? Each mutant is a changed copy of one
# source, compiled as the build compiles its base level, and linked with a test and the build's other objects.
#   borders.sh ROOT BUILD
set -u
root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
export CMOCKA_TEST_ABORT=1

# OBJECT: the build's command for it, with the copies of headers in front and the source's copy where there is one
compile() {
	command=$(ninja -C "$build" -t commands "$1" | tail -1 |
		sed 's/ -M[DQF] *[^ ]*\( [^ ]*\.o\(\.d\)\{0,1\}\)\{0,1\}//g')
	source=${command##* -c ../}
	[ ! -f "$work/copy/$source" ] || command="${command% -c *} -c $work/copy/$source"
	output=$work/$(echo "$1" | tr / _)
	command=$(echo "$command" | sed "s| -o [^ ]*| -o $output|; s| -I| -I$work/copy -I|")
	(cd "$build" && sh -c "$command") || exit 3
	objects="$objects $output"
}

# TEST FILE SED OBJECT...: the test must fail
broken() {
	test=$1 file=$2 change=$3
	shift 3
	rm -rf "$work/copy"
	mkdir -p "$work/copy/$(dirname "$file")"
	sed "$change" "$root/$file" >"$work/copy/$file"
	if cmp -s "$root/$file" "$work/copy/$file"; then
		got='out of date'
	else
		objects=
		for object; do compile "$object"; done
		# shellcheck disable=SC2086
		(cd "$build" && ${CC:-cc} -o "$work/test" "tests/$test.p/unit_$test.c.o" $objects \
			api/libwarpbeam.so.*.p/*.o -Wl,--start-group $archives -Wl,--end-group $libraries) || exit 3
		(cd "$root" && "$work/test") >"$work/log" 2>&1
		got=$?
	fi
	if [ "$got" != 0 ] && [ "$got" != 'out of date' ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$test does not notice ($got): $file $change"
	fi
}

archives=$(cd "$build" && find core inspect machine mem sched -name 'libwb_*.a' | sort)
libraries="-lcmocka -lm -lz -ljansson -lpng -lelf -ldw -lmpack -pthread"
gcn=core/isa/gcn/libwb_gcn_base.a.p
tesla=core/isa/tesla/libwb_tesla_base.a.p
pica=core/isa/pica

memory=core/isa/gcn/exec_memory.c
records='(uint64_t)index \* r->stride + offset, bytes, r->records'
broken test_border_gcn $memory "s/$records/(uint32_t)(index * r->stride + offset), bytes, r->records/" \
	$gcn/exec_memory.c.o
broken test_border_gcn $memory "s/$records/(uint64_t)index * r->stride + (uint32_t)offset, bytes, r->records/" \
	$gcn/exec_memory.c.o
broken test_border_gcn $memory "s/$records/(uint64_t)index * r->stride + offset, 4, r->records/" $gcn/exec_memory.c.o
broken test_border_gcn $memory 's/return index >= r->records/return index > r->records/' $gcn/exec_memory.c.o
broken test_border_gcn $memory 's/return index >= r->records/return (int32_t)index >= (int32_t)r->records/' \
	$gcn/exec_memory.c.o
broken test_border_gcn $memory \
	's/if (r->stride \&\& (generation <= GCN_11 || r->swizzles))/if (r->stride \&\& r->swizzles)/' \
	$gcn/exec_memory.c.o
broken test_border_gcn $memory 's/if (bytes_inside(4 \* i, 4, from.bytes))/if (from.bytes)/' $gcn/exec_memory.c.o
broken test_border_gcn $memory 's/= bytes_inside(0, 4 \* parts, to.bytes)/= to.bytes > 0/' $gcn/exec_memory.c.o
broken test_border_gcn $memory 's/(offset \& ~3ull) < end/((uint32_t)offset \& 0x7fffffff) < end/' $gcn/exec_memory.c.o
broken test_border_gcn core/isa/gcn/exec_shared.c 's|offset_of(in)) / 4 % LANES|offset_of(in)) / 4 % 128|' \
	$gcn/exec_shared.c.o
shared=core/isa/gcn/exec_shared.c
broken test_border_gcn $shared 's/!bytes_inside(a->addr\[l\], width \* parts, limit)/a->addr[l] > limit/' \
	$gcn/exec_shared.c.o
lanes=core/isa/lane_memory.h
broken test_borders $lanes 's/!bytes_inside(addr\[l\], width, b->local_bytes)/addr[l] > b->local_bytes/' \
	$gcn/memory.c.o \
	$tesla/exec_memory.c.o

fetch=core/isa/tesla/exec_memory.c
broken test_border_tesla $fetch 's/return bytes_inside(addr, o->width, c->size) ?/return addr <= c->size ?/' \
	$tesla/exec_memory.c.o
broken test_border_tesla core/isa/tesla/translate.c 's/if (bytes_inside(at, o->width, bank->size))/if (at < 4096)/' \
	core/isa/tesla/libwb_tesla.a.p/translate.c.o
broken test_border_tesla mem/view.c 's/y <= v->last_y/y <= v->last_y + 1u/' mem/libwb_mem.a.p/view.c.o
broken test_border_tesla mem/view.c 's/bytes_inside(x, width, v->last_x + 1u)/x <= v->last_x + 1u/' \
	mem/libwb_mem.a.p/view.c.o
broken test_border_tesla mem/view.h \
	's/return bytes_inside(addr, width, v->last_byte + 1ull)/return addr <= v->last_byte + 1ull/' \
	$tesla/exec_memory.c.o
broken test_border_tesla mem/view.h \
	's/return bytes_inside(addr, width, v->last_byte + 1ull)/return (int32_t)addr <= (int32_t)v->last_byte/' \
	$tesla/exec_memory.c.o
broken test_border_tesla mem/texture.c 's/at_axis < size_of(/at_axis <= size_of(/' mem/libwb_mem.a.p/texture.c.o

graphics=core/isa/tesla/exec_graphics.c
broken test_border_stages $graphics '22s|addr\[l\] / 4 < words|addr[l] / 4 <= words|' $tesla/exec_graphics.c.o
broken test_border_stages $graphics '22s|addr\[l\] / 4 < words|(int16_t)addr[l] / 4 < (int)words|' \
	$tesla/exec_graphics.c.o
broken test_border_stages $graphics 's|addr\[l\] / 4 % FRAGMENT_PLANES|addr[l] / 4 % 512|' $tesla/exec_graphics.c.o
broken test_border_stages $fetch 's|bool there = addr\[l\] / 4 < words;|bool there = addr[l] < 0x8000;|' \
	$tesla/exec_memory.c.o
broken test_border_stages $pica/handlers_alu.c \
	's/offset >= -128 \&\& offset <= 127/offset >= -128 \&\& offset <= 126/' \
	$pica/libwb_pica_alu_base_trunc.a.p/handlers_alu.c.o
broken test_border_stages $pica/handlers_alu.c \
	's/return n < SHADER_FLOATS ? n : SHADER_FLOATS/return n <= SHADER_FLOATS ? n : 0/' \
	$pica/libwb_pica_alu_base_trunc.a.p/handlers_alu.c.o
echo "$passed passed, $failed failed"
[ $failed = 0 ]
