/**
 * What a command is: one row of the table in `table.ts`.
 *
 * Parsing, help, completions and the reference are all made from these rows. A row says how a command is
 * called; what it does is in the module that `run` loads, and only when the command is chosen.
 */
import type { AppDoor, Environment } from "../../app/app-types.ts";
import type { ConfigKey } from "../../config/keys.ts";
import type { Device } from "../../tui/terminal/device.ts";
import type { Output } from "../output/output.ts";
import type { Values } from "./typed-values.ts";

export type Argument = {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  /** Required, but for calls with one of these options. */
  readonly unless?: readonly `--${string}`[];
  /** Takes all words that are left; only for the last argument. */
  readonly variadic?: true;
  /** The only values it takes. */
  readonly choices?: readonly string[];
  readonly completes?: "file" | "folder";
};

/**
 * One option. Without `value` it is a switch. With `key` it sets that configuration key, whose row then
 * checks the value; otherwise `choices` or `whole` do.
 */
export type Option = {
  readonly flag: `--${string}`;
  readonly short?: `-${string}`;
  /** The placeholder of its value, as help shows it. */
  readonly value?: string;
  /** The value may be left out, which is the empty text. A word with a blank in it is none. */
  readonly optional?: true;
  readonly summary: string;
  readonly key?: ConfigKey;
  readonly choices?: readonly string[];
  /** A whole number within these bounds, both included. */
  readonly whole?: { readonly least: number; readonly most: number };
  readonly repeatable?: true;
  /** Flags that cannot be given together with this one. */
  readonly conflicts?: readonly `--${string}`[];
  /** Flags that must be given together with this one. */
  readonly needs?: readonly `--${string}`[];
  readonly completes?: "file" | "folder";
};

export type Example = { readonly line: string; readonly does: string };

export type Command = {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly Argument[];
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** Follows an error about too many words. */
  readonly quoting?: string;
  run(): Promise<{ readonly run: Runner }>;
};

/** Text from the user: the standard input, read to its end or asked. */
export type Input = {
  /** Whether somebody is there to answer, and may be asked. */
  readonly canAsk: boolean;
  /** All of the standard input as text, whatever its bytes. Throws a usage failure above `bytesMax` bytes. */
  read(bytesMax: number): Promise<string>;
  /** Asks on the terminal; only "y" and "yes" mean yes. False when nobody can be asked. */
  confirm(question: string): Promise<boolean>;
  /** The standard input as it comes, for a command that reads it while it runs. */
  bytes(): AsyncIterable<Uint8Array | string>;
};

/** All that a command can reach. */
export type Context = {
  readonly values: Values;
  readonly output: Output;
  readonly input: Input;
  readonly environment: Environment;
  /** Aborted by a signal; the reason is a `Failed`. */
  readonly signal: AbortSignal;
  /** The process's terminal; left out where there is none. */
  readonly device?: Device;
  /** The world (`app.ts`), loaded when first asked for. */
  door(): Promise<AppDoor>;
};

/** Runs a command; the number is its exit code. What stops it is thrown as `Failed`. */
export type Runner = (context: Context) => Promise<number>;
