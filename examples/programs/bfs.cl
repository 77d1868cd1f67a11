/* One step of a breadth-first search: the vertices of distance `from` give their neighbours the distance from + 1. */
kernel void advance(global const uint *first, global const uint *edge, global int *distance, int from, uint n,
		 global uint *changed)
{
	uint v = get_global_id(0);

	if (v >= n || distance[v] != from)
		return;
	for (uint i = first[v]; i < first[v + 1]; i++)
		if (distance[edge[i]] < 0) {
			distance[edge[i]] = from + 1;   /* all that come here write the same */
			*changed = 1;
		}
}
