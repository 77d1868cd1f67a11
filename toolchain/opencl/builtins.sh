#!/bin/sh
# Texts as an array of lines in C:   builtins.sh NAME_OF_ARRAY builtins.cl… >builtins.c
echo '#include <stddef.h>'
echo "extern const char *const $1[];"
echo "const char *const $1[] = {"
shift
sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	"/; s/$/\\n",/' "$@"
echo '	NULL'
echo '};'
