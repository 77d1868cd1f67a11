#!/bin/sh
# A text as an array of lines in C:   builtins.sh builtins.cl NAME_OF_ARRAY >builtins.c
echo '#include <stddef.h>'
echo "extern const char *const $2[];"
echo "const char *const $2[] = {"
sed 's/\\/\\\\/g; s/"/\\"/g; s/^/	"/; s/$/\\n",/' "$1"
echo '	NULL'
echo '};'
