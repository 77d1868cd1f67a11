#!/bin/sh
# A good guess: what the metadata of a code object says of a call of printf (bytes of each argument) is what the kernel
# stores: for "text" 8 bytes, four characters and a word with the zero.
# Really: from clang 16 on, for AMD, a literal of 4, 8, 12 … characters is stored without the word of zeros. The
# metadata and the bytes reserved still count the word, so each argument behind stands 4 bytes before its place.
# Consequence: "%s %x" of "text" and 128 reads as the text "text\x80" and the number that was left in the buffer.
. "$(dirname "$0")/packages.sh"
clangs 14 16 19

cat >literal.cl <<'END'
kernel void four(global int *p) { printf("%s %x\n", "four", p[0]); }
kernel void five(global int *p) { printf("%s %x\n", "fives", p[0]); }
END
cat literal.cl
stores() {   # MAJOR KERNEL: words stored for the number of the call, the literal and the integer, of bytes reserved
	amd "$1" literal.cl -O1 -mllvm -print-after=amdgpu-printf-runtime-binding 2>passes >code.s
	awk -v kernel="@$2(" '
		/^define/ { inside = index($0, kernel); if (inside) { words = 0; bytes = "" } }
		inside && /call .*@__printf_alloc/ { bytes = $0; gsub(/.*\(i32 |\).*/, "", bytes) }
		inside && /store i32/ { words++ }
		END { printf "%d words stored of %d reserved", words, bytes / 4 }' passes
}
for major in 14 16 19; do
	tool $major clang
	case $major in
	14) stated 'a literal of 4' "$(stores 14 four)" '4 words stored of 4 reserved' ;;
	*) stated 'a literal of 4' "$(stores $major four)" '3 words stored of 4 reserved' ;;
	esac
	stated 'a literal of 5' "$(stores $major five)" '4 words stored of 4 reserved'
	grep "^  - '[12]:" code.s
done
exit $status
