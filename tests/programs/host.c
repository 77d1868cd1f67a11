/* A host program for tests of `run -- PROGRAM`: launches through the room of the foreign host interfaces.
 *
 *     host LAUNCHES [END]     END: an exit code; "crash", "abort": the end is a signal, "crash-within", "kill-within":
 *                             while a launch runs; "race": the kernel has a race; "fault": the kernel faults; "sizes":
 *                             each launch has another size */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/program/program.h"

static const char text[] =
	".chip g200\n"
	".kernel step\n"                /* a[thread] = a[thread] + 1 */
	"shl b32 $r1 $r0 0x2\nadd b32 $r1 b32 s[0x10] $r1\nld b32 $r2 g14[$r1]\n"
	"add b32 $r2 $r2 0x1\nexit st b32 g14[$r1] $r2\n"
	".kernel race\n.smem 64\n"      /* each warp writes the same word of s[] */
	"mov b32 $r1 $r0\nst b32 s[0x20] $r1\nexit nop\n"
	".kernel spin\n"                /* long enough for a signal */
	"mov b32 $r1 0x0\nmov b32 $r2 0x1\nagain: add b32 $c0 $r1 $r1 $r2\n(lg $c0) bra #again\nexit nop\n";

static void on_alarm(int n)
{
	(void)n;
	*(volatile int *)0 = 1;
}

static void on_alarm_kill(int n)
{
	(void)n;
	kill(getpid(), SIGKILL);
}

int main(int argc, char **argv)
{
	struct program *p = program_open("Test");
	int launches = argc > 1 ? atoi(argv[1]) : 1;
	const char *end = argc > 2 ? argv[2] : "0";
	bool races = !strcmp(end, "race"), kills = !strcmp(end, "kill-within");
	bool within = kills || !strcmp(end, "crash-within"), takes = !races && !within, sizes = !strcmp(end, "sizes");
	struct wb_config *c = p ? program_config(p, program_chip(p, "g200"), NULL) : NULL;
	struct wb_device *device;
	struct wb_program *source;
	struct program_kernel *kernel;
	struct program_result result;
	struct wb_diag d = { .text = "no program" };
	uint64_t a;
	uint32_t params;

	if (!c || wb_device_new(c, &device, &d) != WB_OK || wb_memory_alloc(device, 1024, &a, &d) != WB_OK ||
	    wb_program_load(text, strlen(text), "host.s", c, &source, &d) != WB_OK ||
	    program_prepare(p, device, source, c, races ? "race" : within ? "spin" : "step", &kernel, &d) != WB_OK) {
		fprintf(stderr, "%s\n", d.text);
		return 99;
	}
	params = !strcmp(end, "fault") ? 0x7f000000 : (uint32_t)a;
	signal(SIGALRM, kills ? on_alarm_kill : on_alarm);
	if (within)
		ualarm(200000, 0);
	for (int i = 1; i <= launches; i++) {
		struct program_launch request = {
			.device = device, .kernel = kernel, .params = takes ? &params : NULL,
			.size = { .grid = { 1 }, .block = { 64 } }, .param_bytes = takes ? sizeof params : 0,
			.call = "testLaunch", .number = (uint64_t)i,
		};
		if (sizes)
			request.size = (struct wb_launch_size){ .grid = { 1 + (uint32_t)i / 64 },
								.block = { 1 + (uint32_t)i % 64 } };
		program_launch(p, &request, &result);
	}
	printf("%d launches\n", launches);
	fflush(stdout);
	if (!strcmp(end, "crash"))
		*(volatile int *)0 = 1;
	if (!strcmp(end, "abort"))
		abort();
	return atoi(end);
}
