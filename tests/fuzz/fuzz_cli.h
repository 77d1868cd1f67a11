/* The command line in the fuzzer's own process: a verb on a file made of the input. */
#ifndef WB_TESTS_FUZZ_FUZZ_CLI_H
#define WB_TESTS_FUZZ_FUZZ_CLI_H

#include <stddef.h>
#include <stdint.h>

/* The word of a command line in the place of the file's name. */
#define INPUT_FILE "@"

/* The input as a file; its name is valid until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t size);
/* Run the words of a command line, ended by NULL, the first a verb; what it prints is dropped. An exit code that is
 * none of docs/reference/exit-codes.md, or WB_BUG, aborts. */
int fuzz_verb(const char *const *words, const char *file);

/* Around a verb: drop both outputs and work in the folder of the input file; then undo both. After fuzz_file. */
void fuzz_silence(void);
void fuzz_speak(void);

#endif
