/** Runs a generator to its end, for a caller without use for its steps. */
export async function resultOf<T>(steps: AsyncIterator<unknown, T>): Promise<T> {
  let step = await steps.next();
  while (step.done !== true) step = await steps.next();
  return step.value;
}
