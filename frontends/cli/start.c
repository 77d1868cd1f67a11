/* The program's main, in a file without the rest: a test has a main of its own and calls cli_main. */
#include "frontends/cli/verbs.h"

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
