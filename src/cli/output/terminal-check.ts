/**
 * What the terminal that a command was started in can do, as far as the interface needs it.
 *
 * Changes nothing: the mode that keys are read in is tried, and put back at once. `needed` is the least size.
 */
import type { SelfCheck } from "../../app/self-check.ts";
import type { Size } from "../../tui/state/state.ts";
import type { Device } from "../../tui/terminal/device.ts";

const NAME = "terminal";

type Variables = Readonly<Record<string, string | undefined>>;

/** Where there is no terminal nothing is wrong: everything but the interface works without one. */
export function checkTerminal(device: Device | undefined, variables: Variables, needed: Size): SelfCheck {
  const keys = device?.keys() ?? null;
  if (device === undefined || keys === null || !device.screen.isTTY)
    return { name: NAME, ok: true, what: "none here; run this in the one where cra tui will be used" };
  const { columns, rows } = device.screen;
  const faults = [
    ...(variables.TERM === "dumb" ? ["TERM is dumb, so it cannot be drawn on"] : []),
    ...(columns >= needed.columns && rows >= needed.rows
      ? []
      : [`the interface needs ${needed.columns}x${needed.rows}`]),
    ...rawFault(keys),
  ];
  const facts = [`${columns}x${rows}`, colours(device, variables), letters(variables), "keys one by one"];
  return {
    name: NAME,
    ok: faults.length === 0,
    what: [...facts.slice(0, 3), ...(faults.length > 0 ? faults : facts.slice(3))].join(", "),
  };
}

function rawFault(keys: NonNullable<ReturnType<Device["keys"]>>): readonly string[] {
  try {
    keys.setRawMode(true);
    keys.setRawMode(false);
    return [];
  } catch (error) {
    return [`keys cannot be read one by one: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function colours({ screen }: Device, variables: Variables): string {
  if (variables.NO_COLOR) return "no colour, as NO_COLOR says";
  const depth = screen.getColorDepth();
  return depth <= 1 ? "no colour" : `${2 ** depth} colours`;
}

/** The first of these variables that is set says how texts are encoded; Windows' terminals take UTF-8. */
function letters({ LC_ALL, LC_CTYPE, LANG, OS }: Variables): string {
  const locale = LC_ALL || LC_CTYPE || LANG || "";
  return /utf-?8/i.test(locale) || OS === "Windows_NT"
    ? "UTF-8"
    : "not UTF-8 by its locale (draw with: cra tui --ascii)";
}
