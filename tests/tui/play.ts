/** Plays scripts of named actions on the interface's state, and states to begin with. */
import { NO_CONSTRAINTS } from "../../src/retrieval/requests/refinement.ts";
import { COMMAND_NAMES, type CommandName } from "../../src/tui/keys/bindings.ts";
import { type InitialOptions, initialState } from "../../src/tui/reducers/initial-state.ts";
import type { Outcome } from "../../src/tui/reducers/reducer.ts";
import { update } from "../../src/tui/reducers/update.ts";
import type { Action } from "../../src/tui/state/actions.ts";
import type { Effect } from "../../src/tui/state/effects.ts";
import { currentFile, type ReviewState, type Round } from "../../src/tui/state/review-state.ts";
import type { State } from "../../src/tui/state/state.ts";
import { emptyPackage, packageFile, packageSymbol } from "../support/package.ts";

/** A named action, an action from outside, or several. */
export type Played = CommandName | Action | readonly Action[];

/** Every key of a text, as if it was typed. */
export const typing = (text: string): readonly Action[] =>
  [...text].map((letter) => ({ is: "pressed", key: letter === " " ? "space" : letter }));

const isName = (step: Played): step is CommandName => COMMAND_NAMES.some((name) => name === step);

export function actionsOf(steps: readonly Played[]): readonly Action[] {
  return steps.flatMap((step): readonly Action[] => {
    if (isName(step)) return [{ is: "named", name: step }];
    return "is" in step ? [step] : step;
  });
}

/** The state after all of them, and every effect on the way. */
export function play(state: State, ...steps: readonly Played[]): Outcome {
  return actionsOf(steps).reduce<Outcome>(
    (so, action) => {
      const next = update(so.state, action);
      return { state: next.state, effects: [...so.effects, ...next.effects] };
    },
    { state, effects: [] },
  );
}

/** The effects that a user notices: not the draft being kept, nor questions about the marks. */
export const noticed = ({ effects }: Outcome): readonly Effect[] =>
  effects.filter((effect) => effect.do !== "persist" && effect.do !== "dry-run");

const BEGINNING: InitialOptions = {
  size: { columns: 80, rows: 24 },
  look: { ascii: false, colour: true, screenReader: null },
  now: 1_000,
  project: { root: "/repo", model: null },
  format: "markdown",
  task: null,
  resume: null,
};

/** A state to begin with. */
export const beginning = (change: Partial<InitialOptions> = {}): State =>
  initialState({ ...BEGINNING, ...change }).state;

export const pathAt = (at: number): string => `src/part-${at % 3}/file-${String(at).padStart(3, "0")}.ts`;

/** A finished round of so many files; by default the package shows all of them. */
export function roundOf(files: number, change: Partial<Round> = {}, isShown = (_at: number): boolean => true): Round {
  const paths = Array.from({ length: files }, (_, at) => pathAt(at));
  const shown = paths.filter((_, at) => isShown(at));
  const empty = emptyPackage("fix it");
  return {
    taskId: "0123456789abcdef",
    number: 1,
    latest: change.number ?? 1,
    package: {
      ...empty,
      budget: 1_000,
      token_count: shown.length * 10,
      files: shown.map((path, at) =>
        packageFile({
          path,
          relevance_rank: at + 1,
          symbols: [
            packageSymbol({
              name: `f${at}`,
              start_line: 3,
              signature: `function f${at}()`,
              body: `function f${at}() {\n  return ${at};\n}`,
              tokens: 10,
            }),
          ],
        }),
      ),
      provenance: {
        ...empty.provenance,
        files: paths.map((path) => ({
          path,
          tier: "ranked",
          relation: "ranked by search",
          reasons: [],
          blank_lines: [],
          score: 1,
          terms: [],
        })),
        symbols: shown.map((path, at) => ({
          path,
          qualified_name: `f${at}`,
          tier: "primary",
          detail: "body",
          why: "named",
        })),
        budget: {
          ...empty.provenance.budget,
          floor: 100,
          stop: {
            coverage: "auto",
            reason: "enough",
            expected_share: 0.8,
            next: [{ path: pathAt(1), item: "f1", tokens: 31, expected_share: 0.01, coverage: 0.85 }],
          },
        },
      },
    },
    scores: paths.map((path, at) => ({ rank: at + 1, path, tier: "ranked", score: 1 - at / files, terms: [] })),
    ships: shown.map((path) => ({ path, full: 1, of: 3, signatures: 0, lines: 3, ofLines: 9, tokens: 10 })),
    diffTokens: null,
    constraints: NO_CONSTRAINTS,
    notApplied: null,
    command: "cra retrieve 'fix it'",
    isRecorded: true,
    levels: [
      { coverage: 0.5, tokens: 5 },
      { coverage: "auto", tokens: 10 },
      { coverage: 0.9, tokens: 20 },
      { coverage: 1, tokens: 40 },
    ],
    ...change,
  };
}

/** A task that ran and gave a round. */
export const reviewing = (files = 6, change: Partial<Round> = {}, isShown?: (at: number) => boolean): State =>
  play(beginning({ task: "fix it" }), { is: "finished", run: 1, round: roundOf(files, change, isShown) }).state;

/** The review of a state that has one. */
export function reviewIn({ review }: State): ReviewState {
  if (review === null) throw new Error("there is no review");
  return review;
}

export const pathIn = (state: State): string | null => currentFile(reviewIn(state))?.path ?? null;

export const pathsIn = (state: State): readonly string[] => {
  const { files, visible } = reviewIn(state);
  return visible.flatMap((at) => files[at]?.path ?? []);
};
