// Traffic lights and pedestrians: a state machine over events, with timers and a count of each transition.
typedef unsigned char uchar;

enum { RED, RED_YELLOW, GREEN, YELLOW, BLINK };
extern "C" __global__ void state_machine(uint *out, const uchar *events, int n)
{
	uint g = blockIdx.x * blockDim.x + threadIdx.x, state = RED, timer = 3, walks = 0, hash = 0;

	for (int i = 0; i < n; i++) {
		uchar e = events[g * n + i];
		bool request = e & 1, fault = (e & 0x1e) == 0x1e, service = (e & 0xe0) == 0x40;
		if (fault && state != BLINK) {
			state = BLINK;
			timer = 5;
			continue;
		}
		if (timer > 0 && !(state == GREEN && request)) {
			timer--;
			continue;
		}
		switch (state) {
		case RED:
			if (request) {
				walks++;
				timer = 2;
				break;
			}
			state = RED_YELLOW;
			timer = 1;
			break;
		case RED_YELLOW:
			state = GREEN;
			timer = 4;
			break;
		case GREEN:
			state = YELLOW;
			timer = request ? 2 : 1;
			break;
		case YELLOW:
			state = RED;
			timer = 3;
			break;
		case BLINK:
			if (service)
				state = RED;
		}
		hash = hash * 5 + state;
	}
	out[g] = hash ^ walks << 24;
}
