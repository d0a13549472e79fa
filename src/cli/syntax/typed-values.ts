/**
 * What was typed, checked against the command's row, asked for by name.
 *
 * A name that is not in the row is a bug and throws. Values that set a configuration key are not here:
 * they are in `flags`, to be merged as the strongest layer (`config.ts`).
 */

import type { ConfigKey } from "../../config/keys.ts";
import type { TypedFlag } from "../../config/settings.ts";

export type Values = {
  /** Whether a switch was given. */
  switch(flag: string): boolean;
  text(flag: string): string | undefined;
  whole(flag: string): number | undefined;
  list(flag: string): readonly string[];
  argument(name: string): string | undefined;
  readonly flags: ReadonlyMap<ConfigKey, TypedFlag>;
};

/** One value by the name of its flag (`--limit`) or argument (`query`); absent ones are listed as undefined. */
type Typed = ReadonlyMap<string, string | number | boolean | readonly string[] | undefined>;

export function valuesOf(typed: Typed, flags: ReadonlyMap<ConfigKey, TypedFlag>): Values {
  const get = (name: string) => {
    if (!typed.has(name)) throw new Error(`no option or argument is called ${name}`);
    return typed.get(name);
  };
  const textOf = (name: string) => {
    const value = get(name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    switch: (flag) => get(flag) === true,
    text: textOf,
    argument: textOf,
    whole: (flag) => {
      const value = get(flag);
      return typeof value === "number" ? value : undefined;
    },
    list: (flag) => {
      const value = get(flag);
      return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
    },
    flags,
  };
}
