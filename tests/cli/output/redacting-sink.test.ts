/** Redaction of all output: no secret passes, nothing else changes, writes keep their order. */

import { expect, test } from "bun:test";
import { outputOn } from "../../../src/cli/output/output.ts";
import { openGuard } from "../../../src/cli/output/redacting-sink.ts";
import type { Sink } from "../../../src/cli/output/sink.ts";
import { PLANTED_KEYS } from "../../support/planted-keys.ts";

const LOOK = { json: false, quiet: false, verbose: true, colour: true, redraws: true };
const { line, secret } = PLANTED_KEYS.find(({ kind }) => kind === "GitHub token") ?? { line: "", secret: "" };

function written(): Sink & { readonly texts: string[] } {
  const texts: string[] = [];
  return { isTerminal: false, columns: 80, texts, write: async (text) => void texts.push(text) };
}

test("no way of printing lets a secret through", async () => {
  const [out, err, guard] = [written(), written(), openGuard()];
  const output = outputOn(guard.sink(out), guard.sink(err), LOOK, guard);
  await output.data(`a ${line}`);
  await output.marked(`b \u0001${line}\u0002`);
  await output.json({ text: `c\n${secret}\n` });
  await output.jsonLine({ text: `d\n${secret}\n` });
  await output.say(`e ${line}`);
  await output.detail(`f ${line}`);
  await output.notice({ code: "hint-unknown", hint: secret });
  const all = [...out.texts, ...err.texts].join("");
  expect(all).not.toContain(secret);
  expect(all.match(/\[redacted: GitHub token\]/g)).toHaveLength(7);
  expect(JSON.parse(out.texts[3] ?? "")).toEqual({ text: "d\n[redacted: GitHub token]\n" });
});

test("writes keep their order while the rules load, and plain text passes at once", async () => {
  const [out, guard] = [written(), openGuard()];
  const sink = guard.sink(out);
  void sink.write("first ");
  expect(out.texts).toEqual(["first "]);
  const writes = [sink.write(`${line} `), sink.write("then "), sink.write("last")];
  await Promise.all(writes);
  expect(out.texts.join("")).toBe(`first ${line.replace(secret, "[redacted: GitHub token]")} then last`);
  void sink.write("!");
  expect(out.texts.at(-1)).toBe("!");
});

test("secrets are shown once the guard is lifted", async () => {
  const [out, guard] = [written(), openGuard()];
  const output = outputOn(guard.sink(out), guard.sink(written()), LOOK, guard);
  output.showSecrets();
  await output.data(line);
  await output.json({ line });
  expect(out.texts).toEqual([`${line}\n`, `${JSON.stringify({ line }, null, 2)}\n`]);
});

test("the guarded sink has the size of the terminal", () => {
  const sink = openGuard().sink({ ...written(), isTerminal: true, columns: 33 });
  expect([sink.isTerminal, sink.columns]).toEqual([true, 33]);
});
