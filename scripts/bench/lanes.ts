/** Runs trials at the same time, and keeps the order of their results. */

/** Concurrent trials. */
const WIDTH = 2;

export async function inLanes<Place, Result>(
  places: readonly Place[],
  work: (place: Place, number: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = places.entries();
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      for (const [number, place] of left) results[number] = await work(place, number);
    }),
  );
  return results;
}
