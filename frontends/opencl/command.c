/* Commands: enqueued, run by any thread that finds a command ready, and over. A queue runs one command at a time: in
 * order, the first; out of order, the earliest with all events over, where no command passes a barrier. */
#include "frontends/opencl/opencl.h"

static cl_command_queue busy_queues;    /* queues with commands, by `next` */

/* Bytes of 0, as calloc's, which for each launch would take the long way through glibc's lists. NULL: no memory. */
static void *space_cleared(size_t bytes)
{
	void *p = malloc(bytes);

	__asm__("" : "+r"(bytes));      /* else gcc makes a calloc of the two calls */
	return p ? memset(p, 0, bytes) : NULL;
}

/* The event of a command: an object where the program gets it, else known to the command alone. */
static bool give_event(struct command *c, const struct order *o)
{
	if (o->event)
		return (c->event = event_new(c->queue->context, c->queue, o->type)) != NULL;
	c->event = &c->own_event;
	c->own_event.status = CL_QUEUED;
	return true;
}

static void command_free(struct command *c)
{
	for (cl_uint i = 0; i < c->nwait; i++)
		object_drop(c->wait[i]);
	if (c->event != &c->own_event)
		object_drop(c->event);
	object_drop(c->queue);
	free(c->wait);
	free(c);
}

/* The command is over; a thread that still reads its event frees it. */
static void command_end(struct command *c)
{
	if (c->end)
		c->end(c);
	if (!c->held)
		command_free(c);
	else
		c->over = true;
}

void *command_new(cl_command_queue q, const struct order *o, size_t bytes, cl_int *error)
{
	struct command *c;

	if ((*error = events_check(q->context, o->nwait, o->wait)))
		return NULL;
	*error = CL_OUT_OF_HOST_MEMORY;
	if (!(c = space_cleared(bytes)))
		return NULL;
	c->queue = object_keep(q);
	if ((o->nwait && !(c->wait = calloc(o->nwait, sizeof *c->wait))) || !give_event(c, o)) {
		command_free(c);
		return NULL;
	}
	for (cl_uint i = 0; i < o->nwait; i++)
		c->wait[c->nwait++] = object_keep(o->wait[i]);
	*error = CL_SUCCESS;
	return c;
}

cl_int command_refuse(struct command *c, cl_int error)
{
	command_end(c);
	return error;
}

/* ---- running ---- */

/* Whether all events of the wait list are over. *failed: an event has an error. */
static bool is_ready(const struct command *c, bool *failed)
{
	bool over = true;

	*failed = false;
	for (cl_uint i = 0; i < c->nwait; i++) {
		over &= event_over(c->wait[i]);
		*failed |= c->wait[i]->status < 0;
	}
	return over;
}

/* The place in the queue of the command that may run next; NULL: none. */
static struct command **next_command(cl_command_queue q, bool *failed)
{
	bool free_order = q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

	for (struct command **at = &q->head; *at; at = &(*at)->next) {
		bool alone = !(*at)->barrier || at == &q->head;
		if (alone && is_ready(*at, failed))
			return at;
		if (!free_order || (*at)->barrier)
			return NULL;
	}
	return NULL;
}

/* Take a command out of its queue. */
static struct command *take_command(cl_command_queue q, struct command **at)
{
	struct command *c = *at;

	*at = c->next;
	if (!*at)
		q->tail = at;
	return c;
}

/* Run a command of no queue any more from start to end. The house is open meanwhile. */
static void run_command(cl_command_queue q, struct command *c, bool failed)
{
	struct place *p = &q->context->places[q->place_number];
	cl_int status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	cl_event e = c->event;

	q->busy = true;
	event_advance(e, CL_SUBMITTED);
	if (!failed) {
		event_advance(e, CL_RUNNING);
		house_out();
		status = c->run ? c->run(c, p) : CL_SUCCESS;
		house_in();
	}
	e->time[CL_PROFILING_COMMAND_START - CL_PROFILING_COMMAND_QUEUED] = p->clock;
	p->clock += c->nanoseconds;
	e->time[CL_PROFILING_COMMAND_END - CL_PROFILING_COMMAND_QUEUED] = p->clock;
	q->failed |= !failed && status != CL_SUCCESS;
	event_advance(e, status);
	command_end(c);
	q->busy = false;
}

/* Run a command of some queue. False: none can run. */
static bool run_any(void)
{
	bool failed;

	for (cl_command_queue *link = &busy_queues, q; (q = *link); link = &q->next) {
		struct command **at = q->busy ? NULL : next_command(q, &failed);
		if (!at)
			continue;
		run_command(q, take_command(q, at), failed);
		return true;
	}
	return false;
}

/* Take queues without commands off the list. */
static void forget_idle(void)
{
	for (cl_command_queue *link = &busy_queues, q; (q = *link); ) {
		if (q->head || q->busy) {
			link = &q->next;
			continue;
		}
		*link = q->next;
		q->listed = false;
		house_changed();
		object_drop(q);
	}
}

void commands_run(void)
{
	while (run_any())
		;
	forget_idle();
}

/* Behind the other commands of its queue. */
static void add_command(cl_command_queue q, struct command *c)
{
	if (!q->head)
		q->tail = &q->head;
	*q->tail = c;
	q->tail = &c->next;
	if (q->listed)
		return;
	q->next = busy_queues;
	busy_queues = object_keep(q);
	q->listed = true;
}

/* Where no queue has a command, and no event is waited for, the command is the next to run. */
static void run_alone(cl_command_queue q, struct command *c)
{
	run_command(q, c, false);
	house_changed();
	commands_run();         /* other threads may have enqueued meanwhile */
}

cl_int command_enqueue(struct command *c, const struct order *o)
{
	cl_command_queue q = c->queue;
	cl_event e = c->event;
	cl_int error = CL_SUCCESS;

	c->held = true;
	for (int i = 0; i < 2; i++)
		e->time[i] = q->context->places[q->place_number].clock;
	if (o->event)
		*o->event = object_keep(e);
	if (!busy_queues && !q->busy && !c->nwait) {
		run_alone(q, c);
	} else {
		add_command(q, c);
		commands_run();
	}
	while (o->blocking && !event_over(e))
		house_wait();
	if (e->status < 0 && (o->blocking || e->status != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
		error = e->status;      /* known already: the program need not ask */
	c->held = false;
	if (c->over)
		command_free(c);
	return error;
}
