/**
 * Every screen and overlay as a frame, drawn by Ink, at the sizes that people have: golden files that are looked at.
 * `UPDATE_GOLDEN=1 bun test tests/tui/views/frames` writes them anew.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { renderToString } from "ink";
import { createElement } from "react";
import type { Look, State } from "../../../src/tui/state/state.ts";
import { Frame } from "../../../src/tui/views/frame.tsx";
import { screenLines } from "../../../src/tui/views/screen.ts";
import { SAMPLES } from "./sample-states.ts";

const FOLDER = join(import.meta.dir, "../../golden/tui/frames");
const UNICODE: Look = { ascii: false, colour: false, screenReader: null };
const ASCII: Look = { ...UNICODE, ascii: true };
const LINEAR: Look = { ...UNICODE, screenReader: "--screen-reader" };

/** What the screen shows, without colours and the blanks at the ends of lines. */
const drawnByInk = (state: State): string =>
  Bun.stripANSI(renderToString(createElement(Frame, { state }), { columns: state.size.columns }));
/** The same of its lines, which Ink draws as they are (`drawing.test.ts`). */
const ofLines = (state: State): string =>
  screenLines(state)
    .map((line) =>
      line
        .map(({ text }) => text)
        .join("")
        .trimEnd(),
    )
    .join("\n");

const check = (file: string, columns: number, rows: number, look: Look, frameOf = ofLines): void =>
  test(`frames: ${file}`, async () => {
    const frames = Object.entries(SAMPLES).map(
      ([name, state]) => `=== ${name}\n${frameOf({ ...state, size: { columns, rows }, look })}\n`,
    );
    const path = join(FOLDER, `${file}.txt`);
    const text = frames.join("");
    if (Bun.env.UPDATE_GOLDEN !== undefined) await Bun.write(path, text);
    expect(text).toBe(await Bun.file(path).text());
  });

check("80x24", 80, 24, UNICODE, drawnByInk);
check("120x40", 120, 40, UNICODE);
check("200x50", 200, 50, UNICODE);
check("narrow-60x20", 60, 20, UNICODE);
check("smallest-40x8", 40, 8, UNICODE, drawnByInk);
check("ascii-80x24", 80, 24, ASCII);
check("linear-80x24", 80, 24, LINEAR, drawnByInk);
check("too-small-39x7", 39, 7, UNICODE);
