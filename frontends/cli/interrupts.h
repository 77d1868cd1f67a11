/* Signals that ask the work at hand to stop: one request, whose answer (a report, a saved run) is written before the
 * process ends. The command `timeout` sends a signal to the child and then to the child's group, so one request arrives
 * twice within microseconds: a signal within a second of the first belongs to the same request, also while the answer
 * is written. A later signal ends the process, as without a handler. */
#ifndef WB_CLI_INTERRUPTS_H
#define WB_CLI_INTERRUPTS_H

/* The first signals of SIGINT, SIGALRM, SIGTERM and SIGHUP, by number: for a prompt, and for a command. */
enum { INTERRUPTS_OF_PROMPT = 2, INTERRUPTS_ALL = 4 };

/* Until interrupts_end the first n signals call stop, once, from a signal handler. Work does not nest. */
void interrupts_begin(void (*stop)(void), unsigned n);
/* The handlers of before are back: at once, or, after a request, once the request's second is over. */
void interrupts_end(void);

#endif
