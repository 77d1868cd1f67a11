#!/bin/sh
# A good guess: a HIP source compiled for the host alone, with -nogpuinc and -nogpulib, is linked as C++ is: with the
# libraries named on the command line.
# Really: clang 16 does that, clang 19 adds -lamdhip64, whether or not a ROCm is there. -no-hip-rt leaves the word out.
# Consequence: a program with its own HIP runtime links on machines with ROCm only, and there with two runtimes.
. "$(dirname "$0")/packages.sh"
clangs 16 19

echo 'int main(void) { return 0; }' >host.hip
words() {   # MAJOR OPTION...: the linker's words about HIP's runtime
	llvm "$@" -x hip --cuda-host-only -nogpuinc -nogpulib host.hip '-###' 2>&1 | tail -n 1 |
		tr ' ' '\n' | tr -d '"' | grep -c '^-lamdhip64$' || true
}
for major in 16 19; do
	tool $major clang
	case $major in
	16) stated '-lamdhip64' "$(words 16 clang)" 0 ;;
	*) stated '-lamdhip64' "$(words 19 clang)" 1 ;;
	esac
	stated '-lamdhip64 with -no-hip-rt' "$(words $major clang -no-hip-rt)" 0
done
exit $status
