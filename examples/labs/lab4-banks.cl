// Lab 4: Sixteen banks
//
// question: A block of 256 threads turns a tile of 16 by 16 words over its diagonal, by way of local memory: each
// thread stores one word in its row and loads one from its column. Word w of a multiprocessor's shared memory, where
// local memory lies, is in bank w mod 16, and a bank gives one word in a pass.
//
// How many passes more than one does each access take (warp_serialize)? Change where the words lie, so that rows and
// columns are both free of conflicts. The words still go through local memory.
//
// hint: The 16 words of a row are in 16 banks. The words of a column are 16 words apart, so all of them are in one
// bank: 16 passes for one half-warp.
// hint: Give each row one word more than it needs: rows then begin in banks 0, 1, 2 …, and so do the words of a column.
// hint: `local uint tile[16][17];`
//
// goal: The tile is turned over its diagonal, for any k.
// expect: with chip=g200 grid=1 block=256 -a zero=1024 -a u32=100
// expect: arg 0 u32[0..15] = 100 116 132 148 164 180 196 212 228 244 260 276 292 308 324 340
// expect: arg 0 crc32 = 5bce1970
// expect: with chip=g200 grid=1 block=256 -a zero=1024 -a u32=5000
// expect: arg 0 u32[0..15] = 5000 5016 5032 5048 5064 5080 5096 5112 5128 5144 5160 5176 5192 5208 5224 5240
// expect: arg 0 crc32 = f790a6c1
// goal: The words have gone through local memory.
// expect: s[0x18] u32[0..15] = 5000..5015
// goal: No access takes more than one pass for a half-warp.
// expect: counter warp_serialize = 0
// goal: All is done within 8,192 lane slots.
// expect: bill lane_slots <= 8192

// .chip g200
// .grid 1
// .block 256
// .arg zero=1024
// .arg u32=100

kernel void turn(global uint *out, uint k)
{
	local uint tile[16][16];
	uint x = get_local_id(0) % 16, y = get_local_id(0) / 16;

	tile[y][x] = 16 * y + x + k;
	barrier(CLK_LOCAL_MEM_FENCE);
	out[16 * y + x] = tile[x][y];
}

// solution:
// // Lab 4: Sixteen banks, solved.
//
// // .chip g200
// // .grid 1
// // .block 256
// // .arg zero=1024
// // .arg u32=100
//
// kernel void turn(global uint *out, uint k)
// {
// 	local uint tile[16][17];       // rows begin in banks 0, 1, 2 …
// 	uint x = get_local_id(0) % 16, y = get_local_id(0) / 16;
//
// 	tile[y][x] = 16 * y + x + k;
// 	barrier(CLK_LOCAL_MEM_FENCE);
// 	out[16 * y + x] = tile[x][y];
// }
