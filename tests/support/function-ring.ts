/** As many Python files, each with a function that calls the one in the next file. */
export const functionRing = (count: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `pkg/m${at}.py`,
      `def f${at}(x):\n    """Does ${at}."""\n    return f${(at + 1) % count}(x) + ${at}\n`,
    ]),
  );
