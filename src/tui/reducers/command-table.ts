/**
 * What the named actions do: a table for each part of the interface, one deed for each name.
 */
import type { ActionName, Context } from "../keys/bindings.ts";
import type { State } from "../state/state.ts";
import type { Outcome } from "./reducer.ts";

/** Done where the keys are in `context`, which knows the action. Total: what makes no sense just now changes nothing. */
export type Deed = (state: State, context: Context) => Outcome;

export type Deeds = Readonly<Partial<Record<ActionName, Deed>>>;
