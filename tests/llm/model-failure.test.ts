/** What is said of each failure: one safe line with what, where and what next. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ModelFailure } from "../../src/llm/model.ts";
import { modelFailureSentence } from "../../src/llm/model-failure.ts";
import { display } from "../../src/text/display.ts";
import { anyCharacter } from "../support/any-character.ts";

const ASKED = { name: "qwen3:8b", baseUrl: "http://127.0.0.1:11434" };

const SAID: readonly (readonly [ModelFailure, string])[] = [
  [
    { kind: "unreachable", why: "connection refused" },
    "no model server at http://127.0.0.1:11434 (connection refused); run: ollama serve",
  ],
  [
    { kind: "missing-model", model: "qwen3:8b" },
    "the server at http://127.0.0.1:11434 has no model qwen3:8b; run: ollama pull qwen3:8b",
  ],
  [
    { kind: "timeout", limit: "connect", seconds: 2 },
    "the server at http://127.0.0.1:11434 did not accept a connection within 2 s; check --base-url, or raise llm.connect_seconds",
  ],
  [
    { kind: "timeout", limit: "first-token", seconds: 60 },
    "qwen3:8b at http://127.0.0.1:11434 sent nothing within 60 s; raise llm.first_token_seconds",
  ],
  [
    { kind: "timeout", limit: "idle", seconds: 20 },
    "qwen3:8b at http://127.0.0.1:11434 stopped sending its reply for 20 s; raise llm.idle_seconds",
  ],
  [
    { kind: "timeout", limit: "total", seconds: 120 },
    "qwen3:8b at http://127.0.0.1:11434 did not finish within 120 s; raise llm.total_seconds",
  ],
  [
    { kind: "refused", status: 500, why: "out of memory" },
    "the server at http://127.0.0.1:11434 refused to run qwen3:8b (500: out of memory); look at the server's log, or try another --model",
  ],
  [
    { kind: "redirected" },
    "the server at http://127.0.0.1:11434 redirects to another address, which cra does not follow; give the final address with --base-url",
  ],
  [
    { kind: "broken-off", why: "the connection was closed" },
    "the reply of qwen3:8b at http://127.0.0.1:11434 broke off (the connection was closed); look at the server's log and try again",
  ],
  [
    { kind: "overlong", bytes: 65536 },
    "the reply of qwen3:8b did not end and was stopped after 65536 bytes; try another --model",
  ],
  [
    { kind: "no-text", why: 'it ended with "load"' },
    'qwen3:8b replied without any text (it ended with "load"); try another --model',
  ],
  [
    { kind: "invalid", why: "no verdicts" },
    "the reply of qwen3:8b does not have the form it was asked for (no verdicts); try another --model",
  ],
  [
    { kind: "no-room", windowTokens: 512 },
    "the question does not fit a context window of 512 tokens; raise llm.context_window, or try a --model with a larger window",
  ],
];

test.each(SAID)("%j", (failure, sentence) => {
  expect(modelFailureSentence(failure, ASKED)).toBe(sentence);
});

test.each(["https://models.example.com", "http://10.0.0.1:11434", "https://localhost:11434"])(
  "a server at %s is not started by hand here",
  (baseUrl) => {
    const sentence = modelFailureSentence(
      { kind: "unreachable", why: "the host is unreachable" },
      { name: "m", baseUrl },
    );
    expect(sentence).toEndWith("; check --base-url");
  },
);

test("a name with shell characters is quoted in the suggested command", () => {
  const sentence = modelFailureSentence({ kind: "missing-model", model: "a; rm -rf ~" }, ASKED);
  expect(sentence).toEndWith("run: ollama pull 'a; rm -rf ~'");
});

test("any text of a server or user gives one safe line", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(...SAID),
      (a, b, [of]) => {
        const failure: ModelFailure =
          "why" in of ? { ...of, why: a } : of.kind === "missing-model" ? { ...of, model: a, listed: [b] } : of;
        const sentence = modelFailureSentence(failure, { name: b, baseUrl: a });
        expect(display(sentence)).toBe(display(display(sentence)));
        expect(String(display(sentence))).toBe(sentence);
      },
    ),
  );
});
