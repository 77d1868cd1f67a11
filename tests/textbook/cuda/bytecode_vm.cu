// An interpreter of byte code: each thread runs its own program on a stack, with jumps, until it halts.
enum { PUSH, ADD, SUB, MUL, XOR, DUP, SWAP, JUMP, JUMP_IF, LOAD, STORE, LESS, DROP, HALT };
extern "C" __global__ void bytecode_vm(int *out, const char *code, const ushort *start, int limit)
{
	int stack[12], memory[4], top = 0, steps = 0, pc = start[(blockIdx.x * blockDim.x + threadIdx.x) % 7];
	bool running = true;

	for (int i = 0; i < 4; i++)
		memory[i] = (blockIdx.x * blockDim.x + threadIdx.x) + i;
	while (running && steps++ < limit) {
		int a;
		switch (code[pc++]) {
		case PUSH:
			stack[top++] = code[pc++];
			break;
		case ADD:
			top--;
			stack[top - 1] += stack[top];
			break;
		case SUB:
			top--;
			stack[top - 1] -= stack[top];
			break;
		case MUL:
			top--;
			stack[top - 1] *= stack[top];
			break;
		case XOR:
			top--;
			stack[top - 1] ^= stack[top];
			break;
		case DUP:
			stack[top] = stack[top - 1];
			top++;
			break;
		case SWAP:
			a = stack[top - 1];
			stack[top - 1] = stack[top - 2];
			stack[top - 2] = a;
			break;
		case JUMP_IF:
			if (!stack[--top]) {
				pc++;
				break;
			}
			/* fall through */
		case JUMP:
			pc += code[pc];
			break;
		case LOAD:
			stack[top++] = memory[code[pc++]];
			break;
		case STORE:
			memory[code[pc++]] = stack[--top];
			break;
		case LESS:
			top--;
			stack[top - 1] = stack[top - 1] < stack[top];
			break;
		case DROP:
			top--;
			break;
		default:
			running = false;
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = memory[0] ^ memory[1] * 31 ^ steps << 20;
}
