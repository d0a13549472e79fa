/**
 * The checked values of a command, read by the name of an option or argument. A name that the row does not have is a bug.
 *
 * Values of configuration keys are in `flags`, which become the strongest layer of settings.
 */

import type { ConfigKey } from "../../config/keys.ts";
import type { TypedFlag } from "../../config/settings.ts";

export type Values = {
  switch(flag: string): boolean;
  text(flag: string): string | undefined;
  whole(flag: string): number | undefined;
  list(flag: string): readonly string[];
  argument(name: string): string | undefined;
  /** The text of an option or argument, of which the command need not have one of this name. */
  typed(name: string): string | undefined;
  readonly flags: ReadonlyMap<ConfigKey, TypedFlag>;
};

/** Values by flag (`--limit`) or argument (`query`); undefined when not given. */
type Typed = ReadonlyMap<string, string | number | boolean | readonly string[] | undefined>;

export function valuesOf(typed: Typed, flags: ReadonlyMap<ConfigKey, TypedFlag>): Values {
  const get = (name: string) => {
    if (!typed.has(name)) throw new Error(`no option or argument is called ${name}`);
    return typed.get(name);
  };
  const typedOf = (name: string) => {
    const value = typed.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const textOf = (name: string) => {
    get(name);
    return typedOf(name);
  };
  return {
    switch: (flag) => get(flag) === true,
    text: textOf,
    argument: textOf,
    typed: typedOf,
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
