/* Whether Warpbeam can stand between a program and its GPU, by the program's file. */
#ifndef WB_FRONTENDS_CLI_REACH_H
#define WB_FRONTENDS_CLI_REACH_H

#include <stdbool.h>

struct reach {
	char path[4096];        /* of the file that would be started; "": there is none */
	char why[256];          /* why the program may launch nothing here: "it is statically linked"; "": no reason */
	bool never;             /* the reason holds whatever the program does */
	bool preload;           /* the program has a folder of its own for libraries, searched before LD_LIBRARY_PATH */
};

/* Look at the program that `name` starts, as a shell finds it. */
void reach_look(const char *name, struct reach *out);

#endif
