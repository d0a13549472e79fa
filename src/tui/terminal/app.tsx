/** The Ink tree: sends keys and pastes to the store, and draws its state. The only file with hooks. */
import { useApp, useInput, usePaste } from "ink";
import { useEffect, useSyncExternalStore } from "react";
import { keysFromInput } from "../keys/key-events.ts";
import type { Store } from "../reducers/store.ts";
import { Frame } from "../views/frame.tsx";

/** Gives the terminal to another program while `use` runs, then draws everything again. */
export type Lend = (use: () => Promise<void>) => Promise<void>;

type Props = {
  readonly store: Store;
  /** Called once, with the function that lends the terminal. */
  onReady(lend: Lend): void;
};

export function Interface({ store, onReady }: Props) {
  const state = useSyncExternalStore(store.watch, store.read);
  const { suspendTerminal } = useApp();
  useInput((input, key) => {
    for (const press of keysFromInput(input, key)) store.send({ is: "pressed", key: press });
  });
  usePaste((text) => store.send({ is: "pasted", text }));
  useEffect(() => onReady((use) => suspendTerminal(use)), [onReady, suspendTerminal]);
  return <Frame state={state} />;
}
