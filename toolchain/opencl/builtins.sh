#!/bin/sh
# builtins.cl as an array of lines in C:   builtins.sh builtins.cl >builtins.c
echo '#include <stddef.h>'
echo 'extern const char *const opencl_builtins_lines[];'
echo 'const char *const opencl_builtins_lines[] = {'
sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	"/; s/$/\\n",/' "$1"
echo '	NULL'
echo '};'
