/** The tool `read`: the present source of a file, of lines of it, or of one definition. Writes nothing. */
import { z } from "zod";
import type { App } from "../../app/app.ts";
import type { SourceFound } from "../../app/indexing/read-source.ts";
import { Failed } from "../../failure.ts";
import { noticeSentence } from "../../notice-sentence.ts";
import { ReadAnswer } from "../../present/answers.ts";
import { counted } from "../../text/counted.ts";
import { display } from "../../text/display.ts";
import { listed } from "../../text/listed.ts";
import { fenced } from "../../text/markdown.ts";
import { countLines, openTokenCounter } from "../../text/tokens/tokens.ts";
import { fromRoot } from "../path-sandbox.ts";
import { type Answer, type Call, noted, tool } from "./tool.ts";

const LINE_MAX = 10_000_000;
/** Places in tests that a note names. */
const NAMED_MAX = 3;

const ReadInput = z.strictObject({
  what: z
    .string()
    .min(1)
    .max(2_000)
    .describe("a path, a place as path:line, a definition as path:name, or its name alone"),
  from: z.int().min(1).max(LINE_MAX).optional().describe("first line, of the file"),
  to: z.int().min(1).max(LINE_MAX).optional().describe("last line"),
});

/** Without `root`, nothing of a work tree is read. */
type ReadCall = Call<Pick<App, "readSource" | "config"> & Partial<Pick<App, "root" | "members">>>;

export const READ = tool({
  name: "read",
  title: "Read more source",
  description:
    'Returns the present source of a file, of a range of its lines, or of one definition. Use it when a package shows only a signature or a part of what you need. Not to find code: that is what retrieve and search do. Example: {"what": "src/auth.py:Session.close"}.',
  writes: false,
  isIdempotent: true,
  less: "ask for fewer lines with from and to",
  input: ReadInput,
  output: ReadAnswer,
  async answer({ what, from, to }, call: ReadCall) {
    if ((from ?? 1) > (to ?? LINE_MAX))
      throw new Failed({ code: "usage", message: "from is after to", next: "give the first line as from" });
    const wanted = from === undefined && to === undefined ? null : { from: from ?? 1, to: to ?? LINE_MAX };
    const { root, members = () => [] } = call.app;
    const named = root === undefined ? what.trim() : fromRoot({ root, members: members() }, what.trim());
    const found = await call.app.readSource(named, wanted, call.signal);
    return found.kind === "several" ? severalAnswer(named, found) : await sourceAnswer(found, call);
  },
});

function severalAnswer(what: string, { places, count, notices }: Extract<SourceFound, { kind: "several" }>): Answer {
  const listed = places.length < count ? `, of which ${places.length} are listed` : "";
  const asked = `${count} definitions are called ${what}${listed}; ask for one of them`;
  const note = [asked, ...notices.map(noticeSentence)].join("; ");
  const nothing = { path: null, symbol: null, from: 0, to: 0, lines: 0, text: "" };
  const structured: ReadAnswer = { schema_version: 1, ...nothing, places, note };
  const list = places.map((place) => `${display(place)}\n`).join("");
  return { text: noted(list, { note: display(note) }), structured };
}

type Source = Extract<SourceFound, { kind: "text" }>;

/** As many of the lines as the largest package has tokens for. */
async function sourceAnswer(found: Source, { app, limits }: ReadCall): Promise<Answer> {
  const { path, symbol, lines, wanted, language, isChanged, places, notices } = found;
  if (wanted.from > Math.max(1, lines.length)) {
    const message = `${path} has ${counted(lines.length, "line")}`;
    throw new Failed({ code: "usage", message, next: "ask for lines that it has" });
  }
  const { tokenizer, safety_margin } = app.config.settings;
  const asked = lines.slice(wanted.from - 1, wanted.to);
  const counts = countLines(
    asked.map((line) => `${line}\n`).join(""),
    await openTokenCounter(tokenizer, { margin: safety_margin ?? 0 }),
  );
  let [shown, tokens] = [0, 0];
  for (const count of counts) {
    tokens += count;
    if (tokens > limits.budgetMax && shown > 0) break;
    shown += 1;
  }
  const to = wanted.from + shown - 1;
  const notes = [
    ...(shown < asked.length
      ? [`lines ${to + 1} to ${wanted.from + asked.length - 1} are left out; ask for them with from`]
      : []),
    ...(isChanged && symbol !== null
      ? ["the file changed since it was indexed; the definition was followed to its present lines"]
      : []),
    ...(places.length > 0 ? [`tests define the same name: ${display(listed(places, NAMED_MAX))}`] : []),
    ...notices.map(noticeSentence),
  ];
  const note = notes.length === 0 ? {} : { note: notes.join("; ") };
  const text = asked.slice(0, shown).join("\n");
  const head = `${display(path)}${symbol === null ? "" : `:${display(symbol)}`}, lines ${wanted.from} to ${to} of ${lines.length}`;
  const structured: ReadAnswer = {
    ...{ schema_version: 1, path, symbol, from: wanted.from, to, lines: lines.length, text, places: [...places] },
    ...note,
  };
  return { text: noted(`${head}\n${fenced(text, language)}\n`, note), structured };
}
