#!/bin/sh
# Are defects of the PTX compiler's allocation noticed by its verifier (core/compile/verify.c) before any wrong result?
# Each mutant is a changed copy of one source, linked with the random programs of replay_ptx_runs: a program must end as
# a fault of Warpbeam, not by a result.   allocation.sh ROOT BUILD
set -u
root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
object=core/compile/libwb_compile.a.p
archives=$(cd "$build" && find core inspect machine mem sched -name 'libwb_*.a' | sort)
program=$(cd "$build" && find tests/fuzz/replay_ptx_runs.p -name '*.o')
libraries="-lm -lz -ljansson -lpng -lelf -ldw -lmpack -pthread"

# FILE SED: the copy of core/compile/FILE.c, changed, in a program
linked() {
	sed "$2" "$root/core/compile/$1.c" >"$work/$1.c"
	! cmp -s "$root/core/compile/$1.c" "$work/$1.c" || { why='out of date'; return 1; }
	command=$(ninja -C "$build" -t commands "$object/$1.c.o" | tail -1 |
		sed 's/ -M[DQF] *[^ ]*\( [^ ]*\.o\(\.d\)\{0,1\}\)\{0,1\}//g')
	(cd "$build" && sh -c "${command% -o *} -o $work/$1.o -c $work/$1.c") >"$work/log" 2>&1 &&
		(cd "$build" && ${CC:-cc} -o "$work/test" $program "$work/$1.o" \
			api/libwarpbeam.so.*.p/*.o -Wl,--start-group $archives -Wl,--end-group $libraries) \
			>>"$work/log" 2>&1 || { why=$(head -3 "$work/log"); return 1; }
}

# WHAT FILE SED
broken() {
	why=
	if linked "$2" "$3"; then
		"$work/test" -n "${WB_INPUTS:-300}" >"$work/log" 2>&1
		why=$(grep '^// seed' "$work/log" | cut -c1-200)
	fi
	case $why in
	*'a fault of Warpbeam'*) passed=$((passed + 1)) ;;
	*) failed=$((failed + 1))
		echo "$1: $why" ;;
	esac
}

broken 'an aligned pair takes a register in use' allocate \
	's/if (a->word\[reg + k\])/if (!k \&\& a->word[reg + k])/'
broken 'a condition register in use is taken' allocate \
	's/return reg < PREDS && !a->pred\[reg\];/return reg < PREDS;/'
broken 'a value ends with any use' allocate 's/if (s->kill)/if (s->value->uses)/'
broken 'a wish is fulfilled though another value is there' allocate \
	's/if (want != NO_REG && is_free(a, v->class, want)) {/if (want < a->limit \&\& v->class == CLASS_WORD) {/'
broken 'a circle of copies is no circle' allocate 's/readers\[c\[i\].to\] > (reads && c\[i\].reg == c\[i\].to)/0/'
broken 'an exchange has the wrong order' allocate 's/step == 1 ? y : x/step ? y : x/'
broken 'copies stand before a branch whatever is alive' allocate 's/clear = v->class == CLASS_PRED ||/clear = v ||/'
broken 'reloads take the slot before' spill \
	's/memory_insn(f, IR_LD, v, slot)/memory_insn(f, IR_LD, v, slot - 4 * !!slot)/'
broken 'a spilled value is not stored' spill 's/if (v->def->op != IR_PHI) {/if (v->def->op == IR_NOP) {/'
broken 'an argument of a phi in l[] is not stored' spill 's/if (s.kind == SOURCE_NONE ||/if (k == 1 ||/'
broken 'a store stands before a reload of the slot' spill 's/ && !reloads_after(load->next, slot))/ \&\& slot + 1)/'
broken 'flags come back from the wrong word' spill 's/i->src\[0\] = of(v->saved);/i->src[0] = of(f->values[0]);/'
broken 'slots are in use up to the first access' slots \
	's/x->end = !x->used || position > x->end ? .*;/x->end = x->begin;/'
broken 'slots are not extended over loops' slots \
	's/^	extend_over_loops(&s);/	s.nslots ? (void)0 : extend_over_loops(\&s);/'
broken 'a slot is free some accesses early' slots 's/busy.c\[0\].weight < list\[k\]->begin/& + 9/'
broken 'a value ends in a loop' live \
	's/if (live_put(f, &b->live_in, v->id))/if (!b->loop \&\& live_put(f, \&b->live_in, v->id))/'
broken 'a value with one use ends there, also in a loop' live \
	's/s->kill = !known\[.*;/& s->kill |= s->value->uses == 1;/'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
