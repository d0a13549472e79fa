/** The Ink tree: sends keys and pastes to the store, and draws its state. The only file with hooks. */
import { Static, Text, useApp, useInput, usePaste } from "ink";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { isTyping } from "../keys/bindings.ts";
import { isTyped, keysFromInput } from "../keys/key-events.ts";
import type { Store } from "../reducers/store.ts";
import { contextOf } from "../state/key-context.ts";
import type { State } from "../state/state.ts";
import { NOTHING_SAID, type Said, saidNext } from "../views/announcements.ts";
import { Frame } from "../views/frame.tsx";
import { linearSentences } from "../views/linear-view.ts";

/** Gives the terminal to another program while `use` runs, then draws everything again. */
export type Lend = (use: () => Promise<void>) => Promise<void>;

export type InterfaceProps = {
  readonly store: Store;
  /** Whether text that arrived as if it were typed is part of a paste. */
  isPaste(input: string): boolean;
  /** Called once, with the function that lends the terminal. */
  onReady(lend: Lend): void;
};

export function Interface({ store, isPaste, onReady }: InterfaceProps) {
  const state = useSyncExternalStore(store.watch, store.read);
  const { suspendTerminal } = useApp();
  useInput((input, key) => {
    if (isTyping(contextOf(store.newest())) && isTyped(key) && isPaste(input))
      store.send({ is: "pasted", text: input });
    else for (const press of keysFromInput(input, key)) store.send({ is: "pressed", key: press });
  });
  usePaste((text) => store.send({ is: "pasted", text }));
  useEffect(() => onReady((use) => suspendTerminal(use)), [onReady, suspendTerminal]);
  return state.look.screenReader === null ? <Frame state={state} /> : <Announcements state={state} />;
}

/** Linear mode: lines that the state adds, below those that were said. Nothing is drawn again. */
function Announcements({ state }: { readonly state: State }) {
  const said = useRef<Said>(NOTHING_SAID);
  said.current = saidNext(said.current, linearSentences(state));
  return <Static items={[...said.current.lines]}>{({ id, text }) => <Text key={id}>{text}</Text>}</Static>;
}
