/** The stages by name, each with those that must run before it. Their names are in the setting `stages`. */
import { Failed } from "../failure.ts";
import type { Stage } from "./model/stage.ts";
import { precisionStage } from "./precision/precision-stage.ts";
import { scopeStage } from "./scope/scope-stage.ts";

const ROWS: readonly { readonly stage: Stage; readonly after: readonly string[] }[] = [
  { stage: scopeStage, after: [] },
  { stage: precisionStage, after: ["scope"] },
];

/** Looks stages up in the given order. An empty list, an unknown or repeated name or a missing predecessor is a usage failure. */
export function stagesNamed(names: readonly string[]): readonly Stage[] {
  const next = `known are, in order: ${ROWS.map(({ stage }) => stage.name).join(", ")}`;
  if (names.length === 0) throw new Failed({ code: "usage", message: "the list of stages is empty", next });
  return names.map((name, index) => {
    const row = ROWS.find(({ stage }) => stage.name === name);
    if (!row) throw new Failed({ code: "usage", message: `there is no stage "${name}"`, next });
    if (names.indexOf(name) !== index)
      throw new Failed({ code: "usage", message: `stage "${name}" is named twice`, next });
    const missing = row.after.find((other) => !names.slice(0, index).includes(other));
    if (missing !== undefined)
      throw new Failed({ code: "usage", message: `stage "${name}" needs "${missing}" before it`, next });
    return row.stage;
  });
}
