/**
 * Starts the work of table tests some rows ahead of the tests, so that processes use all cores while each row is still
 * a test of its own.
 */

/** Rows in progress at the same time. */
const WIDTH = 3;

/**
 * Returns a function from row position to result. Work starts when the first result is requested, after all test setup.
 * An error in a row fails only the test of that row.
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
