/* The house: the lock of all objects, calls into the program that wait until nobody is in, and answers. */
#include "frontends/opencl/opencl.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct program *program;
static struct call *calls, **last = &calls;
static unsigned waiting;                /* threads in house_wait */

bool house_enter(void)
{
	struct program *p = program_open("OpenCL");

	if (!p)
		return false;
	pthread_mutex_lock(&lock);
	program = p;
	return true;
}

struct program *house_program(void)
{
	return program;
}

void house_out(void)
{
	pthread_mutex_unlock(&lock);
}

void house_in(void)
{
	pthread_mutex_lock(&lock);
}

static void make_call(const struct call *c)
{
	if (c->event)
		c->event(c->handle, c->status, c->user_data);
	else if (c->mem)
		c->mem(c->handle, c->user_data);
	else
		c->built(c->handle, c->user_data);
}

/* Make the calls that wait, in order, outside the house: each may enter it again, or end the process. */
static bool make_calls(void)
{
	struct call *c;
	bool made = false;

	while ((c = calls)) {
		if (!(calls = c->next))
			last = &calls;
		house_out();
		make_call(c);
		house_in();
		if (!c->mem)
			object_drop(c->handle);
		free(c);
		made = true;
	}
	return made;
}

void house_call(struct call *c)
{
	c->next = NULL;
	*last = c;
	last = &c->next;
}

void house_leave(bool *inside)
{
	if (!*inside)
		return;
	make_calls();
	house_out();
}

void house_wait(void)
{
	if (make_calls())
		return;
	waiting++;
	pthread_cond_wait(&changed, &lock);
	waiting--;
}

void house_changed(void)
{
	if (waiting)
		pthread_cond_broadcast(&changed);
}

void *refuse(cl_int *errcode_ret, cl_int error)
{
	if (errcode_ret)
		*errcode_ret = error;
	return NULL;
}

void *grant(cl_int *errcode_ret, void *object)
{
	if (errcode_ret)
		*errcode_ret = CL_SUCCESS;
	return object;
}

cl_int answer(const struct query *q, const void *bytes, size_t n)
{
	if (q->value && q->size < n)
		return CL_INVALID_VALUE;
	if (q->value && n)
		memcpy(q->value, bytes, n);
	if (q->size_ret)
		*q->size_ret = n;
	return CL_SUCCESS;
}

cl_int answer_text(const struct query *q, const char *text)
{
	return answer(q, text, strlen(text) + 1);
}
