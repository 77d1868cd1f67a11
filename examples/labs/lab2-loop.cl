// Lab 2: Loops of one length
//
// question: 128 threads work on 128 items, thread n on item n. Item i takes 1, 5, 9 or 13 trips around a loop:
// 4 (i mod 4) + 1. A lane that is done leaves the loop, and waits behind it until the slowest lane of its warp is done
// as well.
//
// How many lane slots does that cost? Change which thread works on which item, so that no lane waits. Each item still
// gets its trips and its place in the results.
//
// hint: Lanes that leave a loop together wait for nobody. A warp is 32 neighbours: threads 0 to 31, 32 to 63, and so
// on. All items of one warp should have the same number of trips.
// hint: There are four warps and four lengths: let warp w take the items whose number is w modulo 4. The warp of
// thread n is n / 32, its lane is n % 32.
// hint: item = 4 * lane + warp. Everything below takes the item from `item` already.
//
// goal: Each item has its result at its place, for any k.
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=9
// expect: arg 0 u32[0..7] = 1028884948 209336485 445150038 1443812583 1035543048 3069205017 594874890 1046291675
// expect: arg 0 crc32 = 6e6d4cc4
// expect: with chip=g200 grid=1 block=128 -a zero=512 -a u32=20
// expect: arg 0 u32[0..7] = 1047194723 1631524004 3004377029 350630086 1053852823 196425240 3154101881 4248076474
// expect: arg 0 crc32 = 83d59ac2
// goal: No lane waits for lanes that go on: leaving the loop costs no lane slot.
// expect: bill branched_off = 0
// expect: bill brk = 0
// goal: All is done within 7,500 lane slots, so no lane does trips for nothing.
// expect: bill lane_slots <= 7500

// .chip g200
// .grid 1
// .block 128
// .arg zero=512
// .arg u32=9

kernel void trips(global uint *out, uint k)
{
	uint item = get_global_id(0);
	uint x = item + k, n = 4 * (item % 4) + 1;

	for (uint i = 0; i < n; i++)
		x = x * 1664525 + 1013904223;
	out[item] = x;
}

// solution:
// // Lab 2: Loops of one length, solved.
//
// // .chip g200
// // .grid 1
// // .block 128
// // .arg zero=512
// // .arg u32=9
//
// kernel void trips(global uint *out, uint k)
// {
// 	uint thread = get_global_id(0), warp = thread / 32, lane = thread % 32;
// 	uint item = 4 * lane + warp;    // warp w has the items whose number is w modulo 4
// 	uint x = item + k, n = 4 * (item % 4) + 1;
//
// 	for (uint i = 0; i < n; i++)
// 		x = x * 1664525 + 1013904223;
// 	out[item] = x;
// }
