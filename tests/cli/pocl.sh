#!/bin/sh
# tests/programs/pocl.sh on a tree in the form of pocl's tests: a row for each call of add_test_pocl, with every
# verdict.   pocl.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
cd "$work" || exit 1
printf '#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0) == 0 ? 0 : 1; }\n' >try.c
if ! gcc -w try.c -o try -lOpenCL >out 2>err || ! command -v g++ >out; then
	echo "skipped: no g++, or no headers and library of OpenCL (apt install ocl-icd-opencl-dev)"
	exit 77
fi
mkdir -p tree/poclu tree/include/CL tree/tests/kernel tree/tests/workgroup tree/tests/regression
echo '#include <CL/opencl.h>' >tree/include/CL/unused.h
echo 'const char *the_word(void);' >tree/poclu/poclu.h
echo 'const char *the_word(void) { return "word"; }' >tree/poclu/misc.c
: >tree/poclu/bswap.c

# The program's argument says what it prints and how it ends.
cat >tree/tests/kernel/says.c <<'END_OF_SOURCE'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "pocl_opencl.h"
int main(int argc, char **argv)
{
	cl_platform_id platform;
	char name[64] = "";
	const char *how = argc > 1 ? argv[1] : "";
	clGetPlatformIDs(1, &platform, 0);
	clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, 0);
	printf("%s\n%s\n", the_word(), name);
	puts(!strcmp(how, "fail") ? "FAIL: as asked" : !strcmp(how, "skip") ? "SKIP" : "OK");
	if (!strcmp(how, "sleep"))
		sleep(60);
	return !strcmp(how, "status") ? 3 : !strcmp(how, "missing") ? 77 : 0;
}
END_OF_SOURCE
cat >tree/tests/kernel/CMakeLists.txt <<'END_OF_LISTS'
# add_test_pocl(NAME "kernel/no_test" COMMAND "says")
add_test_pocl(NAME "kernel/plain" COMMAND "says")
add_test_pocl(NAME "kernel/expected"
	EXPECTED_OUTPUT expected.txt
	COMMAND "says" "any order")
add_test_pocl(NAME "kernel/unexpected" EXPECTED_OUTPUT other.txt COMMAND "says")
add_test_pocl(NAME "kernel/fail" COMMAND "says" "fail")
add_test_pocl(NAME "kernel/status" COMMAND "says" "status" LABELS "internal")
add_test_pocl(NAME "kernel/skip" COMMAND "says" "skip")
add_test_pocl(NAME "kernel/missing" COMMAND "says" "missing")
add_test_pocl(NAME "kernel/sleep" COMMAND "says" "sleep")
add_test_pocl(NAME "kernel/spirv" COMMAND "says" "kernel.spv")
END_OF_LISTS
printf 'OK\nPortable Computing Language\nword\n' >tree/tests/kernel/expected.txt
printf 'OK\n' >tree/tests/kernel/other.txt
echo 'int main() { return nothing; }' >tree/tests/workgroup/broken.cpp
echo 'add_test_pocl(NAME "workgroup/broken" COMMAND "broken")' >tree/tests/workgroup/CMakeLists.txt
echo 'int main() { return 0; }' >tree/tests/regression/quiet.cc
echo 'add_test_pocl(NAME "regression/quiet" COMMAND "quiet")' >tree/tests/regression/CMakeLists.txt
echo 'kernel void k(global int *p) { printf("%d", *p); }' >tree/tests/kernel/k.cl
cp -r tree before

row() {   # WHAT ROW
	grep -Eq "^$2" out
	result $? "$1" || outputs
}
KEEP=$work/kept SECONDS_EACH=10 sh "$source/tests/programs/pocl.sh" tree "$warpbeam" >out 2>err
result $((! $?)) 'tests fail'
row 'passed' 'kernel +plain +passed '
row 'lines in any order, with our name' 'kernel +expected +passed '
row 'other lines' 'kernel +unexpected +FAILED '
row 'the word FAIL' 'kernel +fail +FAILED +[0-9.]+ +0: FAIL: as asked'
row 'another status' 'kernel +status +FAILED +[0-9.]+ +3: '
row 'a skipped test' 'kernel +skip +skipped '
row 'status 77' 'kernel +missing +skipped '
row 'too long' 'kernel +sleep +slow '
row 'not built' "workgroup +broken +not built +[0-9.]+ +built: .*nothing"
row 'C++' 'regression +quiet +passed '
grep -q 'no_test\|spirv' out
result $((! $?)) 'comments and SPIR-V are no tests' || outputs
row 'the sum' '.*10 tests$'
ok 'outputs are kept' test -s kept/kernel.plain
KEEP=$work/kept SECONDS_EACH=30 sh "$source/tests/programs/collections.sh" tree "$warpbeam" plain skip >out 2>err
result $? 'passed and skipped tests are no failure' || outputs
row 'names choose' '.*2 tests$'
ok 'the tree stays as it is' diff -r tree before
finish
