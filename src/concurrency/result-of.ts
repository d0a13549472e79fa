/** Runs a generator to its end and returns its result, for a caller that does not need its steps. */
export async function resultOf<T>(steps: AsyncIterator<unknown, T>): Promise<T> {
  let step = await steps.next();
  while (step.done !== true) step = await steps.next();
  return step.value;
}
