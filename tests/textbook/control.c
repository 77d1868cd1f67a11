/* Models of kernels about control flow: interpreters, explicit stacks, state machines, tangles of jumps. Where a kernel
 * has a stack, its model calls itself. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

static void fill(struct task *t, void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((uint8_t *)bytes)[i] = (uint8_t)task_random(t);
}

/* ---- byte code: programs in code, each with its own meaning in C ---- */

enum { PUSH, ADD, SUB, MUL, XOR, DUP, SWAP, JUMP, JUMP_IF, LOAD, STORE, LESS, DROP, HALT };

static const int8_t byte_code[] = {
	/* 0: sum of i from m0 % … down to 0 in m1, by a loop: m0 = m0 - 1 while m0 > 0 */
	LOAD, 1, LOAD, 0, ADD, STORE, 1, LOAD, 0, PUSH, 1, SUB, DUP, STORE, 0, PUSH, 0, SWAP, LESS, JUMP_IF, -20, HALT,
	/* 22: m0 = m0 * m0 ^ m1 */
	LOAD, 0, DUP, MUL, LOAD, 1, XOR, STORE, 0, HALT,
	/* 32: a jump over a store, then halt */
	JUMP, 5, PUSH, 99, STORE, 0, PUSH, 5, STORE, 1, HALT,
	/* 43: m0 = m0 < 40 ? m0 + 7 : m0 - 40, repeated until m1 = 0; m1 = m1 - 9 while larger than 9 */
	LOAD, 0, PUSH, 40, LESS, JUMP_IF, 8, LOAD, 0, PUSH, 40, SUB, JUMP, 6, LOAD, 0, PUSH, 7, ADD, STORE, 0,
	PUSH, 9, LOAD, 1, LESS, PUSH, 0, LESS, DROP, LOAD, 1, PUSH, 9, SUB, DUP, STORE, 1, PUSH, 9, SWAP, LESS,
	JUMP_IF, -43, HALT,
	/* 88: at once */
	HALT,
	/* 89: without an end */
	PUSH, 1, LOAD, 0, ADD, STORE, 0, JUMP, -8,
	/* 98: drop and swap */
	LOAD, 2, LOAD, 3, SWAP, SUB, DUP, DROP, STORE, 1, HALT,
};

/* The same by a table of stack effects: an operation takes words and gives a word. */
static int32_t vm_result(int pc, int item, int limit)
{
	int32_t m[4] = { item, item + 1, item + 2, item + 3 }, stack[16] = { 0 }, *s = stack + 2;
	int steps = 0;

	for (bool halted = false; !halted;) {
		if (steps++ >= limit)
			break;
		int op = byte_code[pc];
		bool with_operand = op == PUSH || op == JUMP || op == JUMP_IF || op == LOAD || op == STORE;
		int operand = with_operand ? byte_code[pc + 1] : 0;
		int32_t b = s[-1], a = s[-2];
		bool binary = op == ADD || op == SUB || op == MUL || op == XOR || op == LESS;
		const int32_t result = op == ADD ? a + b : op == SUB ? a - b :
				       op == MUL ? (int32_t)((uint32_t)a * (uint32_t)b) : op == XOR ? a ^ b : a < b;
		pc += op == PUSH || op == LOAD || op == STORE ? 2 : 1;
		if (binary)
			(--s)[-1] = result;
		else if (op == PUSH || op == LOAD || op == DUP)
			*s++ = op == PUSH ? operand : op == LOAD ? m[operand] : b;
		else if (op == SWAP)
			s[-1] = a, s[-2] = b;
		else if (op == STORE)
			m[operand] = *--s;
		else if (op == DROP)
			s--;
		else if (op == JUMP)
			pc += operand;
		else if (op == JUMP_IF)
			pc += *--s ? operand : 1;
		else
			halted = true;
	}
	return (int32_t)((uint32_t)m[0] ^ (uint32_t)m[1] * 31 ^ (uint32_t)steps << 20);
}

static void bytecode_vm(struct task *t)
{
	enum { LIMIT = 300 };
	static const uint16_t start[7] = { 0, 22, 32, 43, 88, 89, 98 };
	int32_t *want = task_out(t, t->items, 4);

	memcpy(task_in(t, sizeof byte_code, 1), byte_code, sizeof byte_code);
	memcpy(task_in(t, 7, 2), start, sizeof start);
	for (unsigned i = 0; i < t->items; i++)
		want[i] = vm_result(start[i % 7], (int)i, LIMIT);
	task_s32(t, LIMIT);
}

/* ---- recursion ---- */

static uint32_t queens(int *column, int row, int n)
{
	uint32_t count = 0;

	if (row == n)
		return 1;
	for (column[row] = 0; column[row] < n; column[row]++) {
		bool safe = true;
		for (int r = 0; r < row; r++)
			safe = safe && column[r] != column[row] && abs(column[r] - column[row]) != row - r;
		count += safe ? queens(column, row + 1, n) : 0;
	}
	return count;
}

static void n_queens(struct task *t)
{
	enum { N = 7 };
	uint32_t *want = task_out(t, t->items, 4);
	int column[N];

	for (unsigned g = 0; g < N * N; g++) {
		column[0] = (int)(g / N);
		column[1] = (int)(g % N);
		want[g] = abs(column[0] - column[1]) > 1 ? queens(column, 2, N) : 0;
	}
}

struct node {
	int32_t key;
	int16_t low, high;
};

static int insert(struct node *tree, int root, int next)
{
	int16_t *side = tree[next].key < tree[root].key ? &tree[root].low : &tree[root].high;

	if (*side < 0)
		*side = (int16_t)next;
	else
		return 1 + insert(tree, *side, next);
	return 1;
}

static void tree_walk(struct task *t)
{
	enum { SIZE = 20 };
	int32_t *want = task_out(t, 4 * t->items, 4), *keys;
	struct node *trees = task_in(t, t->groups[0] * SIZE, sizeof *trees);

	keys = task_in(t, t->items, 4);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		struct node *tree = trees + g * SIZE;
		int32_t depth[SIZE] = { 0 }, sorted[SIZE];
		for (int i = 0; i < SIZE; i++) {        /* distinct keys */
			tree[i] = (struct node){ (int32_t)(task_below(t, 40) * SIZE) + i, -1, -1 };
			depth[i] = i ? insert(tree, 0, i) : 0;
			sorted[i] = tree[i].key;
			for (int k = i; k && sorted[k - 1] > sorted[k]; k--) {
				int32_t swapped = sorted[k];
				sorted[k] = sorted[k - 1];
				sorted[k - 1] = swapped;
			}
		}
		for (unsigned i = g * t->local[0]; i < (g + 1) * t->local[0]; i++) {
			int which = (int)task_below(t, SIZE);
			bool present = task_below(t, 3) > 0;
			keys[i] = present ? tree[which].key : (int32_t)task_below(t, 800) * 1000 + 999999;
			int32_t *w = want + 4 * i;
			w[0] = present ? depth[which] : -1;
			w[1] = w[2] = 0;
			w[3] = SIZE;
			for (int k = 0; k < SIZE; k++) {
				w[1] += sorted[k] < keys[i];
				w[2] += (k + 1) * sorted[k];
			}
		}
	}
	task_s32(t, SIZE);
}

/* The jumps of goto_tangle as a table of states. */
static uint32_t tangle(uint32_t v)
{
	uint32_t a = v % 16, b = v / 16 % 16, c = 0, fuel = 60;
	enum { AGAIN, INSIDE, LARGER, DONE, EMPTY } state = v & 0x100 ? INSIDE : AGAIN;

	while (state < DONE) {
		bool larger = state == LARGER || (state == AGAIN && a > b);
		if (larger) {
			a -= b / 2 + 1;
			c += a;
			state = fuel-- == 0 ? EMPTY : a & 4 ? INSIDE : c % 5 ? AGAIN : DONE;
			c = state == DONE ? 3 * c + 1 : c;
			continue;
		}
		if (state == AGAIN) {
			a += 3;
			c ^= a;
			if (fuel-- == 0) {
				state = EMPTY;
				continue;
			}
		}
		b += 1 + c % 2;
		state = (a ^ b) % 7 == 3 ? DONE : c & 8 ? LARGER : AGAIN;
	}
	return state == EMPTY ? ~c : c << 8 | (a & 15) << 4 | (b & 15);
}

static void goto_tangle(struct task *t)
{
	uint32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4);

	fill(t, in, 4 * t->items);
	for (unsigned i = 0; i < t->items; i++)
		want[i] = tangle(in[i]);
}

/* A random expression as a tree, written as a line with its value. */
static int32_t write_expression(struct task *t, char **p, int depth)
{
	if (depth == 0 || task_below(t, 5) == 0) {
		int32_t v = (int32_t)task_below(t, 10);
		*(*p)++ = (char)('0' + v);
		if (task_below(t, 6))
			return v;
		*(*p)++ = '~';
		return -v;
	}
	int32_t a = write_expression(t, p, depth - 1), b = write_expression(t, p, depth - 1);
	char op = "+-*<>%"[task_below(t, 6)];
	*(*p)++ = op;
	return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : op == '<' ? (a < b ? a : b) :
	       op == '>' ? (a > b ? a : b) : b ? a % b : 0;
}

static void expressions(struct task *t)
{
	enum { WIDTH = 48 };
	static const struct { char text[WIDTH]; int32_t value; } odd[] = {
		{ "", -2000000 }, { "12", 2 - 2000000 }, { "+", -1000000 }, { "1+", -1000000 }, { "~", -1000000 },
		{ "00000000000000000", -1000000 }, { "1234567891234567", 16 - 2000000 },
	};
	int32_t *want = task_out(t, t->items, 4);
	char *lines = task_in(t, t->items * WIDTH, 1);

	for (unsigned i = 0; i < t->items; i++) {
		char *p = lines + i * WIDTH;
		if (i % 9 < 7 && i < 63) {
			memcpy(p, odd[i % 9].text, WIDTH);
			want[i] = odd[i % 9].value;
		} else {
			want[i] = write_expression(t, &p, 3);
		}
	}
	task_s32(t, WIDTH);
}

/* Nodes of the search: left out first, then taken; a node whose sum is too large is visited, its children are not. */
static void choose(const uint8_t *w, int level, int sum, int goal, uint32_t *count, uint32_t *visits)
{
	++*visits;
	if (level == 12 || sum > goal) {
		*count += level == 12 && sum == goal;
		return;
	}
	choose(w, level + 1, sum, goal, count, visits);
	++*visits;
	choose(w, level + 1, sum + w[level], goal, count, visits);
	++*visits;
}

static void subset_sum(struct task *t)
{
	enum { N = 12 };
	uint32_t *want = task_out(t, 2 * t->items, 4);
	uint8_t *numbers = task_in(t, t->groups[0] * N, 1);
	uint16_t *wanted = task_in(t, t->items, 2);

	memset(want, 0, 8 * t->items);
	for (unsigned i = 0; i < t->groups[0] * N; i++)
		numbers[i] = (uint8_t)(1 + task_below(t, 30));
	for (unsigned i = 0; i < t->items; i++) {
		wanted[i] = (uint16_t)task_below(t, 50);
		choose(numbers + i / t->local[0] * N, 0, 0, wanted[i], &want[2 * i], &want[2 * i + 1]);
	}
}

static uint32_t ackermann_of(uint32_t m, uint32_t n, uint32_t pending, uint32_t *most)
{
	*most = pending > *most ? pending : *most;
	if (!m)
		return n + 1;
	if (!n)
		return ackermann_of(m - 1, 1, pending, most);
	*most = pending + 1 > *most ? pending + 1 : *most;
	return ackermann_of(m - 1, ackermann_of(m, n - 1, pending + 1, most), pending, most);
}

static void ackermann(struct task *t)
{
	uint32_t *want = task_out(t, 2 * t->items, 4);

	for (unsigned g = 0; g < t->items; g++) {
		uint32_t most = 0;
		want[2 * g] = ackermann_of(g % 3, g / 3 % 6, 1, &most);
		want[2 * g + 1] = g % 3 ? most : 0;
	}
}

/* All permutations in order by choosing the digits in turn; each item hashes its own ones. */
static void list_permutations(uint8_t (*list)[6], unsigned *n, uint8_t *p, unsigned length)
{
	if (length == 6) {
		memcpy(list[(*n)++], p, 6);
		return;
	}
	for (uint8_t v = 0; v < 6; v++) {
		bool used = false;
		for (unsigned i = 0; i < length; i++)
			used = used || p[i] == v;
		if (used)
			continue;
		p[length] = v;
		list_permutations(list, n, p, length + 1);
	}
}

static void permutations(struct task *t)
{
	enum { STEPS = 11 };
	uint32_t *want = task_out(t, t->items, 4);
	uint8_t list[720][6], p[6];
	unsigned n = 0;

	list_permutations(list, &n, p, 0);
	for (unsigned g = 0; g < t->items; g++) {
		want[g] = 0;
		for (unsigned s = g % 720; s < g % 720 + STEPS && s < 720; s++)
			for (int i = 0; i < 6; i++)
				want[g] = want[g] * 7 + list[s][i];
	}
	task_u32(t, STEPS);
}

static void flood(const uint16_t *maze, bool (*seen)[12], int x, int y, uint32_t *area, uint32_t *border)
{
	if (x < 0 || y < 0 || x > 11 || y > 11) {
		++*border;
		return;
	}
	if (seen[y][x] || maze[y] >> x & 1)
		return;
	seen[y][x] = true;
	++*area;
	flood(maze, seen, x + 1, y, area, border);
	flood(maze, seen, x - 1, y, area, border);
	flood(maze, seen, x, y + 1, area, border);
	flood(maze, seen, x, y - 1, area, border);
}

static void flood_fill(struct task *t)
{
	uint32_t *want = task_out(t, t->items, 4);
	uint16_t *mazes = task_in(t, t->items * 12, 2);

	for (unsigned i = 0; i < t->items * 12; i++)
		mazes[i] = (uint16_t)(task_random(t) & (i / 12 % 3 ? task_random(t) : 0xfff));
	for (unsigned i = 0; i < t->items; i++) {
		bool seen[12][12] = { { false } };
		uint32_t area = 0, border = 0;
		flood(mazes + 12 * i, seen, 5, 5, &area, &border);
		want[i] = area << 16 | border;
	}
}

/* A program of the tape machine whose outcome is known in C: cells 1 and 2 are twice and thrice cell 0, cell 3 is the
 * first times the second. */
static void tape_machine(struct task *t)
{
	static const char program[] = "[->++>+++<<]>.>.<[->[->+>+<<]>>[-<<+>>]<<<]>>.[-]<.";
	uint8_t *want = task_out(t, 4 * t->items, 1);

	memcpy(task_in(t, sizeof program - 1, 1), program, sizeof program - 1);
	for (unsigned g = 0; g < t->items; g++) {
		uint8_t v = (uint8_t)(g % 13);
		want[4 * g] = (uint8_t)(2 * v);
		want[4 * g + 1] = (uint8_t)(3 * v);
		want[4 * g + 2] = (uint8_t)(2 * v * 3 * v);
		want[4 * g + 3] = (uint8_t)(3 * v);
	}
	task_s32(t, sizeof program - 1);
	task_s32(t, 100000);
}

static void duff_copy(struct task *t)
{
	static const uint8_t change[4] = { 1, 3, 5, 7 };
	unsigned n = t->items - 3, end = 0;
	uint8_t *want = task_out(t, 30 * n, 1), *from = task_in(t, 30 * n, 1);
	uint32_t *offsets = task_in(t, n + 1, 4);

	fill(t, from, 30 * n);
	for (unsigned g = 0; g < n; g++) {
		unsigned count = task_below(t, 31);
		for (unsigned i = 0; i < count; i++)    /* the last byte is the last of a round */
			want[end + i] = from[end + i] ^ change[3 - (count - 1 - i) % 4];
		end += count;
		offsets[g + 1] = end;
	}
	task_u32(t, n);
}

static void predicates_twice(struct task *t)
{
	unsigned size = t->local[0], n = t->items - 17;
	int32_t *want = task_out(t, n, 4), *in = task_in(t, t->items, 4), v[256], tile[256], old[256];

	for (unsigned i = 0; i < t->items; i++)
		in[i] = (int32_t)task_below(t, 1000);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		const int32_t *x = in + g * size;
		unsigned inside = g * size + size <= n ? size : n - g * size;
		for (unsigned l = 0; l < size; l++)
			tile[l] = l < inside && x[l] % 2 ? x[l] : 0;
		for (unsigned l = 0; l < size; l++) {
			v[l] = l >= inside ? 0 : x[l] % 2 ? tile[(l + 1) % size] : 2 * x[l];
			v[l] -= x[l] > 500 || l >= inside ? tile[(l + 2) % size] : 0;
		}
		for (unsigned l = 0; l < size; l++)
			tile[l] = x[l] > 500 ? v[l] : tile[l];
		for (unsigned i = 0; i < 3; i++) {
			memcpy(old, tile, sizeof old);
			for (unsigned l = 0; l < size; l++) {
				v[l] ^= l < inside && x[l] % 2 != (x[l] > 500) ? old[(l + i) % size] : 0;
				tile[l] += x[l] > 500 && x[l] % 2 ? (int32_t)i : 0;
			}
		}
		memcpy(want + g * size, v, inside * 4);
	}
	task_s32(t, (int32_t)n);
}

/* The inner loop: 0 to its end or left (j in *end), 2 out of both, 4 returned. */
static int inner_loop(uint32_t *w, uint32_t *end)
{
	for (*end = 0; *end < 8; ++*end) {
		*w ^= *w << 13;
		*w ^= *w >> 17;
		*w ^= *w << 5;
		if (*w % 32 == 7)
			return 0;
		if (*w % 64 == 33)
			return 2;
		if (*w % 128 == 65)
			return 4;
	}
	return 0;
}

static uint32_t exits(uint32_t v, uint32_t w, uint32_t n)
{
	uint32_t way = 0, i = 0, j = 0;
	bool running = true;

	while (running && i < n) {
		v = v * 1664525 + 1013904223;
		if (v >> 28 == 3) {
			way = 1;
			break;
		}
		if (!(v & 1u << 24)) {
			int how = inner_loop(&w, &j);
			if (how == 4)
				return 0x1000000 | i << 8 | j;
			way = how == 2 ? 2 : j >= 3 ? 3 : way;
			running = how != 2 && !(j >= 3 && (v & w) % 16 == 15);
		}
		i += running;
	}
	v = way == 1 ? v ^ w : way == 2 ? ~(v + i * j) : way == 3 ? ~v : v;
	return (v & 0xffff) | way << 16 | i % 16 << 18;
}

static void many_exits(struct task *t)
{
	enum { ROUNDS = 14 };
	uint32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4);

	fill(t, in, 4 * t->items);
	for (unsigned g = 0; g < t->items; g++)
		want[g] = exits(in[g], in[(g + 1) % t->items], ROUNDS);
	task_u32(t, ROUNDS);
}

/* The lights as a table: next state and timer of each state. */
static void state_machine(struct task *t)
{
	enum { N = 40, BLINK = 4 };
	static const struct { uint8_t next, timer; } table[4] = { { 1, 1 }, { 2, 4 }, { 3, 1 }, { 0, 3 } };
	uint32_t *want = task_out(t, t->items, 4);
	uint8_t *events = task_in(t, t->items * N, 1);

	fill(t, events, t->items * N);
	for (unsigned g = 0; g < t->items; g++) {
		uint32_t state = 0, timer = 3, walks = 0, hash = 0;
		for (unsigned i = 0; i < N; i++) {
			uint8_t e = events[g * N + i];
			bool request = e & 1;
			if ((e >> 1 & 15) == 15 && state != BLINK) {
				state = BLINK;
				timer = 5;
				continue;
			}
			if (timer && !(state == 2 && request)) {
				timer--;
				continue;
			}
			if (state == BLINK) {
				state = e >> 5 == 2 ? 0 : BLINK;
			} else if (state == 0 && request) {
				walks++;
				timer = 2;
			} else {
				timer = table[state].timer + (state == 2 && request);
				state = table[state].next;
			}
			hash = 5 * hash + state;
		}
		want[g] = hash ^ walks << 24;
	}
	task_s32(t, N);
}

static void move_tower(uint32_t n, uint32_t from, uint32_t to, uint32_t *hash, uint32_t *moves)
{
	if (n > 1)
		move_tower(n - 1, from, 3 - from - to, hash, moves);
	*hash = *hash * 9 + from * 3 + to;
	++*moves;
	if (n > 1)
		move_tower(n - 1, 3 - from - to, to, hash, moves);
}

static void hanoi(struct task *t)
{
	uint32_t *want = task_out(t, t->items, 4);

	for (unsigned g = 0; g < t->items; g++) {
		uint32_t hash = 0, moves = 0;
		move_tower(1 + g % 6, 0, 2, &hash, &moves);
		want[g] = hash ^ moves << 26;
	}
}

static uint32_t steps_of(uint32_t w)
{
	uint32_t n = 0;

	while (w > 4) {
		w = w % 2 ? 3 * w + 1 : w / 2;
		if (w > 1000000 && w % 2 == 0 && (w - 1) % 3 == 0 && (w - 1) / 3 % 2)
			return n;
		n++;
	}
	return n;
}

static void collatz_phases(struct task *t)
{
	enum { ROUNDS = 4 };
	unsigned size = t->local[0];
	uint32_t *want = task_out(t, t->items, 4), *in = task_in(t, t->items, 4), v[256], steps[256];

	for (unsigned i = 0; i < t->items; i++)
		in[i] = task_below(t, 10000);
	for (unsigned g = 0; g < t->groups[0]; g++) {
		uint32_t *sum = want + g * size;
		memset(sum, 0, size * 4);
		memcpy(v, in + g * size, size * 4);
		for (int r = 0; r < ROUNDS; r++) {
			for (unsigned l = 0; l < size; l++)
				steps[l] = steps_of(v[l]);
			for (unsigned l = 0; l < size; l++)
				for (bool more = true; more; more = v[l] > 50 && v[l] % 3) {
					sum[l] += v[l] % 10;
					v[l] = v[l] / 10 + steps[l ? l - 1 : size - 1] % 32;
				}
		}
		for (unsigned l = 0; l < size; l++)
			sum[l] = sum[l] << 8 ^ v[l];
	}
	task_u32(t, ROUNDS);
}

#define LINES { LINE(3, 64), LINE(2, 100), LINE(1, 256) }
#define SHORT_LINES { LINE(3, 32), LINE(2, 50) }

const struct textbook control_kernels[] = {
	{ "bytecode_vm", bytecode_vm, SHORT_LINES },
	{ "n_queens", n_queens, { LINE(2, 32), LINE(1, 50), LINE(1, 64) } },
	{ "tree_walk", tree_walk, SHORT_LINES },
	{ "goto_tangle", goto_tangle, LINES },
	{ "expressions", expressions, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "subset_sum", subset_sum, { LINE(2, 32), LINE(1, 50) } },
	{ "ackermann", ackermann, SHORT_LINES },
	{ "permutations", permutations, SHORT_LINES },
	{ "flood_fill", flood_fill, SHORT_LINES },
	{ "tape_machine", tape_machine, { LINE(2, 32), LINE(1, 50) } },
	{ "duff_copy", duff_copy, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "predicates_twice", predicates_twice, LINES },
	{ "many_exits", many_exits, LINES },
	{ "state_machine", state_machine, { LINE(3, 32), LINE(2, 50), LINE(1, 128) } },
	{ "hanoi", hanoi, SHORT_LINES },
	{ "collatz_phases", collatz_phases, LINES },
	{ NULL, NULL, { LINE(0, 0) } },
};
