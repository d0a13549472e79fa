/**
 * Parses the arguments, runs the command, and returns the exit code.
 *
 * The process is passed in, so that a test can stand in for it.
 */
import type { AppDoor } from "../app/app.ts";
import type { Environment } from "../app/workspace/environment.ts";
import { exitCode, Failed, type Failure, sentence } from "../failure.ts";
import { display } from "../text/display.ts";
import type { Device } from "../tui/terminal/device.ts";
import { COMMAND_TABLE } from "./commands/table.ts";
import { inputFrom, type Stdin } from "./input/input.ts";
import { recordBug } from "./output/bug-report.ts";
import { failureJson, outputOn, wantsColour } from "./output/output.ts";
import { type Guard, openGuard } from "./output/redacting-sink.ts";
import { machineFailure } from "./output/resource-failure.ts";
import type { Sink } from "./output/sink.ts";
import { completed, failureSentence } from "./output/suggested-commands.ts";
import { versionText } from "./output/version-text.ts";
import { parseArguments } from "./syntax/argv.ts";
import type { Context } from "./syntax/command.ts";
import { HELP_WIDTH } from "./syntax/help.ts";
import type { Values } from "./syntax/typed-values.ts";

type Start = {
  readonly argv: readonly string[];
  readonly environment: Environment;
  readonly out: Sink;
  readonly err: Sink;
  readonly stdin: Stdin;
  /** Aborted by a signal, with a `Failed` as its reason. */
  readonly signal: AbortSignal;
  /** Absent where no terminal can be used. */
  readonly device?: Device;
  readonly takeTime?: Context["takeTime"];
  loadApp(): Promise<AppDoor>;
};

/** Never throws: what goes wrong is printed, and shows in the exit code. */
export async function start(given: Start): Promise<number> {
  const guard = openGuard();
  const printed = noticed(given.out);
  const process = { ...given, out: guard.sink(printed), err: guard.sink(given.err) };
  const { argv, out, err, signal, environment } = process;
  const printJson = async (failure: Failure): Promise<void> => {
    const form = jsonForm(argv);
    // What was printed before it failed stays the only object.
    if (form === "event" || (form === "object" && !printed.hasText))
      await out.write(failureJson(failure, form, wordsOf(failure)));
  };
  let wordsOf = sentence;
  const onParsed = (values: Values): void => {
    wordsOf = (failure) => failureSentence(failure, { values, table: COMMAND_TABLE, environment });
  };
  try {
    return await run(process, guard, onParsed);
  } catch (thrown) {
    const stopped = signal.aborted && !isCancelled(thrown) ? signal.reason : machineFailure(thrown);
    if (!(stopped instanceof Failed)) {
      await err.write(recordBug(stopped, environment.variables));
      await printJson({ code: "internal", message: "a bug, see standard error" });
      return 70;
    }
    await err.write(`cra: ${display(wordsOf(stopped.failure))}\n`);
    await printJson(stopped.failure);
    // Agents block a prompt whose hook ends with 2, even if only its options are wrong.
    return argv[0] === "hook" && stopped.failure.code === "usage" ? 0 : exitCode(stopped.failure);
  }
}

/** `onParsed` hears the arguments, before the command begins. */
async function run(process: Start, guard: Guard, onParsed: (values: Values) => void): Promise<number> {
  const { argv, environment, out, err, stdin, signal, device, loadApp, takeTime = () => {} } = process;
  const canDraw = device !== undefined && out.isTerminal && stdin.isTerminal && environment.variables.TERM !== "dumb";
  const isAlone = argv.length === 0 && canDraw;
  const parsed = parseArguments(isAlone ? ["tui"] : argv, COMMAND_TABLE);
  if (parsed.kind === "help") {
    const shown = parsed.requested ? out : err;
    await shown.write(parsed.text(shown.isTerminal ? Math.min(shown.columns, HELP_WIDTH) : HELP_WIDTH));
    return parsed.requested ? 0 : 2;
  }
  if (parsed.kind === "version") {
    await out.write(await versionText(parsed.verbose));
    return 0;
  }
  const { values, command } = parsed;
  onParsed(values);
  if (values.flags.has("allow_secrets")) guard.lift();
  const mode = {
    json: values.switch("--json"),
    quiet: values.switch("--quiet"),
    verbose: values.switch("--verbose"),
    colour: wantsColour(environment.variables, values.switch("--no-color")),
    redraws: environment.variables.TERM !== "dumb",
    completed: (sentence: string) => completed(sentence, { values, table: COMMAND_TABLE }),
  };
  const input = inputFrom(stdin, err, { mayAsk: !values.switch("--no-input") && !mode.quiet });
  const output = outputOn(out, err, mode, guard);
  const context = { values, table: COMMAND_TABLE, output, input, environment, signal, loadApp, takeTime };
  return await command.run(device === undefined ? context : { ...context, device });
}

/** The same stream, which knows whether anything was written to it. */
function noticed(sink: Sink): Sink & { readonly hasText: boolean } {
  let hasText = false;
  return {
    get isTerminal() {
      return sink.isTerminal;
    },
    get columns() {
      return sink.columns;
    },
    get hasText() {
      return hasText;
    },
    write(text) {
      hasText ||= text !== "";
      return sink.write(text);
    },
  };
}

/** A `cancelled` failure from the run says more than the signal does. */
const isCancelled = (thrown: unknown): boolean => thrown instanceof Failed && thrown.failure.code === "cancelled";

/** Options whose output is one JSON object. */
const OBJECT_FORMS = ["--json", "--format=json", "--format=bundle"];

/** The JSON that the arguments ask for, even if the rest of them is wrong; null without. */
function jsonForm(argv: readonly string[]): "object" | "event" | null {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const says = (option: string): boolean =>
    words.some((word, at) => word === option || `${word}=${words[at + 1]}` === option);
  return says("--events=jsonl") ? "event" : OBJECT_FORMS.some(says) ? "object" : null;
}
