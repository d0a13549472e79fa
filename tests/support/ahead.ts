/**
 * Runs the work of a table of tests some rows ahead of the tests, so that processes use all processors while each row
 * is still a test of its own.
 */

/** Rows that are worked on at once. */
const WIDTH = 3;

/**
 * The result for each row, by its position. Work begins when the first result is asked for, which is after whatever
 * the tests are set up with. What fails, fails the test that asks for it.
 */
export function ahead<Row, Result>(
  rows: readonly Row[],
  work: (row: Row) => Promise<Result>,
): (position: number) => Promise<Result> {
  let results: readonly PromiseWithResolvers<Result>[] | null = null;
  const start = (): readonly PromiseWithResolvers<Result>[] => {
    const made = rows.map(() => Promise.withResolvers<Result>());
    const left = rows.map((row, position) => ({ row, result: made[position] })).values();
    for (let lane = 0; lane < WIDTH; lane += 1)
      void (async () => {
        for (const { row, result } of left) await work(row).then(result?.resolve, result?.reject);
      })();
    return made;
  };
  return (position) => {
    results ??= start();
    return results[position]?.promise ?? Promise.reject(new Error(`there is no row ${position}`));
  };
}
