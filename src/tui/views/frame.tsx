/**
 * Turns lines into Ink elements and decides nothing.
 *
 * A row is one text with its styles inside, and is redrawn only when it changes: one element per span takes twice the time.
 */
import { Box, Text } from "ink";
import { memo } from "react";
import type { State } from "../state/state.ts";
import { joinedUnits, type Line } from "../styling/styled-text.ts";
import { type Role, showsOnBlanks, styled } from "../styling/theme.ts";
import { linearLines } from "./linear-view.ts";
import { screenLines } from "./screen.ts";

/** The whole screen. */
export function Frame({ state }: { readonly state: State }) {
  const lines = state.look.screenReader === null ? screenLines(state) : linearLines(state);
  return (
    <Box flexDirection="column">
      {lines.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity besides its position
        <Row key={row} text={textOf(line, state.look.colour)} />
      ))}
    </Box>
  );
}

const Row = memo(({ text }: { readonly text: string }) => <Text wrap="truncate">{text}</Text>);

/**
 * Adjacent spans with the same style are merged, because every change of style costs Ink as much as many characters. No
 * style starts inside a character: terminals draw its parts as one, and Ink treats a mark after an escape as part of that.
 */
function textOf(line: Line, colour: boolean): string {
  if (!colour) return line.map(({ text }) => text).join("");
  let dressedText = "";
  let [current, run]: [Role, string] = ["plain", ""];
  const joined = joinedUnits(line);
  for (const [at, piece] of line.entries()) {
    const { role } = piece;
    const units = joined[at] ?? 0;
    run += piece.text.slice(0, units);
    const text = piece.text.slice(units);
    if (role === current || (BLANK.test(text) && !showsOnBlanks(role) && !showsOnBlanks(current))) {
      run += text;
      continue;
    }
    dressedText += styled(current, run);
    [current, run] = [role, text];
  }
  return dressedText + styled(current, run);
}

const BLANK = /^ *$/;
