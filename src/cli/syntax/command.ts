/**
 * What a command is: one row of `commands/table.ts`. Parsing, help, completions and the reference are made from the rows.
 *
 * Every start of the program loads all rows, so a command's module imports what is expensive to load inside of `run`.
 */
import type { AppDoor } from "../../app/app.ts";
import type { Environment } from "../../app/workspace/environment.ts";
import type { ConfigKey } from "../../config/keys.ts";
import type { Device } from "../../tui/terminal/device.ts";
import type { Output } from "../output/output.ts";
import type { Values } from "./typed-values.ts";

export type Argument = {
  readonly name: string;
  readonly summary: string;
  readonly required: boolean;
  /** Not required with one of these options. */
  readonly unless?: readonly `--${string}`[];
  /** Takes all remaining words; only for the last argument. */
  readonly variadic?: true;
  /** A text, which all remaining words are part of: quotes around it are not needed. Only for the last argument. */
  readonly isText?: true;
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
  /** The placeholder of its value in help. */
  readonly value?: string;
  /** The value may be omitted, which gives "". A following word with a blank in it is not taken as the value. */
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
  /** Runs the command; the number is its exit code. What stops it is thrown as `Failed`. */
  run(context: Context): Promise<number>;
};

export type CommandTable = {
  /** In the order of help. */
  readonly commands: readonly Command[];
  /** Accepted by every command, before or after its name. */
  readonly globalOptions: readonly Option[];
};

/** The options of a command and then the global ones, as help lists them. */
export const optionsOf = (command: Command, { globalOptions }: CommandTable): readonly Option[] => [
  ...command.options,
  ...globalOptions,
];

/** What the user types or pipes in. */
export type Input = {
  /** Whether a user is there to answer, and may be asked. */
  readonly canAsk: boolean;
  /** All of standard input as text; bytes that are not UTF-8 become U+FFFD. Throws a usage failure above `bytesMax` bytes. */
  read(bytesMax: number): Promise<string>;
  /** Asks on the terminal; only "y" and "yes" mean yes. False when no user can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Standard input as it arrives, for a command that reads it while it runs. */
  bytes(): AsyncIterable<Uint8Array | string>;
};

/** Everything that a command can use. */
export type Context = {
  readonly values: Values;
  /** All commands, for those that describe the command line itself. */
  readonly table: CommandTable;
  readonly output: Output;
  readonly input: Input;
  readonly environment: Environment;
  /** Aborted by a signal; the reason is a `Failed`. */
  readonly signal: AbortSignal;
  /** The process's terminal; absent where there is none. */
  readonly device?: Device;
  loadApp(): Promise<AppDoor>;
  /** Lets the run take this long to end after the signal. */
  takeTime(ms: number): void;
};
