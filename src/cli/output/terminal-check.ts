/**
 * Checks whether the terminal can show the interface.
 *
 * Reading single keys (raw mode) is switched on and off again at once. `needed` is the smallest size.
 */
import type { SelfCheck } from "../../app/upkeep/self-check.ts";
import type { Variables } from "../../config/variables.ts";
import type { Size } from "../../tui/state/state.ts";
import type { Device } from "../../tui/terminal/device.ts";
import { showsUnicode } from "./encoding.ts";

const NAME = "terminal";

/** No terminal is not an error: everything but the interface works without one. */
export function checkTerminal(device: Device | undefined, variables: Variables, needed: Size): SelfCheck {
  const keys = device?.keys() ?? null;
  if (device === undefined || keys === null || !device.screen.isTTY)
    return { name: NAME, ok: true, what: "none here; run this in the terminal where you want to use cra tui" };
  const { columns, rows } = device.screen;
  const faults = [
    ...(variables.TERM === "dumb" ? ["TERM is dumb, so the interface cannot be drawn"] : []),
    ...(columns >= needed.columns && rows >= needed.rows
      ? []
      : [`the interface needs ${needed.columns}x${needed.rows}`]),
    ...rawFault(keys),
  ];
  const facts = [`${columns}x${rows}`, colours(device, variables), characters(variables), "single keys"];
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
    return [`single keys cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function colours({ screen }: Device, variables: Variables): string {
  if (variables.NO_COLOR) return "no colour (NO_COLOR is set)";
  const depth = screen.getColorDepth();
  return depth <= 1 ? "no colour" : `${2 ** depth} colours`;
}

const characters = (variables: Variables): string =>
  showsUnicode(variables) ? "UTF-8" : "drawn with ASCII because of TERM or the locale";
