/* Where the system enters the program; apart from it, so that a test can enter it as well. */
#include "frontends/cli/verbs.h"

int main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
