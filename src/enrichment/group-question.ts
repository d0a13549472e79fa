/**
 * One question about several small files, and which answer belongs to which file.
 *
 * A model repeats the path of each file that it describes. An answer counts if its path is that of exactly one file of the question and
 * of no other answer, it says something, and no other answer says the same; the other files are asked about alone.
 */
import { z } from "zod";
import { REPAIR_TOKENS_MAX } from "../judgement/ask.ts";
import { windowTokensFor, windowTokensOfCall } from "../judgement/context-window.ts";
import type { Fence } from "../judgement/fence.ts";
import { systemPrompt } from "../judgement/prompt.ts";
import { CHARS_PER_TOKEN, type TokenCounter } from "../text/tokens/tokens.ts";
import { FIELD_WORDS } from "./fields.ts";
import type { Material } from "./material.ts";
import { type FileQuestion, fieldList, headOf, ROLE } from "./prompt.ts";
import { EnrichmentAnswer } from "./record.ts";

/** Files of a question. The answers about more would take longer than a call may on a small machine. */
const FILES_MAX = 4;
/** A file with more is asked about alone. */
const FILE_TOKENS_MAX = 500;
/** A bound on the tokens of an answer about a small file: they declare little. */
const ANSWER_TOKENS_MAX = 400;

/** The files in groups to ask about together, small ones with the next small ones, each at the place of its first file. */
export function groupsOf(materials: readonly Material[], counter: TokenCounter): readonly (readonly Material[])[] {
  const groups: Material[][] = [];
  let open: Material[] | null = null;
  for (const material of materials) {
    if (!isSmall(material, counter)) groups.push([material]);
    else if (open !== null && open.length < FILES_MAX) open.push(material);
    else {
      open = [material];
      groups.push(open);
    }
  }
  return groups;
}

const isSmall = ({ text }: Material, counter: TokenCounter): boolean =>
  text.length <= FILE_TOKENS_MAX * CHARS_PER_TOKEN * 2 && counter.count(text) <= FILE_TOKENS_MAX;

/** Servers that hold a schema write its keys in order: a model that has written the path describes that file. */
const FileAnswer = z.object({
  path: z.string(),
  ...EnrichmentAnswer.shape,
  purpose: z.string().describe(FIELD_WORDS.purpose),
});

/** The answer to a question about several files. What is malformed about one of them costs no other; `answersByPath` checks the rest. */
export const GroupAnswer = z.object({
  files: z.preprocess(
    (value: unknown) => (Array.isArray(value) ? value.filter((one) => FileAnswer.safeParse(one).success) : value),
    z.array(FileAnswer).meta({ maxItems: FILES_MAX }),
  ),
});
type GroupAnswer = z.infer<typeof GroupAnswer>;

/** The question about these files; null if it does not fit a window of this many tokens. */
export function groupQuestion(
  materials: readonly Material[],
  windowTokens: number,
  counter: TokenCounter,
  fence: Fence,
): FileQuestion | null {
  const question = {
    system: systemPrompt(ROLE, fence),
    prompt: [
      `Describe each of the ${materials.length} files below, in English and briefly, one object a file:`,
      "- path: the path of the file, as it is shown",
      `${fieldList()}\n`,
      ...materials.map((material) => fence.wrap("file", `${headOf(material)}text:\n${material.text}`)),
      'Answer: {"files":[{"path":"…","purpose":"…", …}, …]}',
    ].join("\n"),
    replyTokensMax: ANSWER_TOKENS_MAX * materials.length,
  };
  const tokens = windowTokensOfCall(question, counter) + windowTokensFor(REPAIR_TOKENS_MAX);
  return tokens <= windowTokens ? question : null;
}

/** The answers that belong to a file, by its path. */
export function answersByPath(
  { files }: GroupAnswer,
  materials: readonly Material[],
  fence: Fence,
): ReadonlyMap<string, EnrichmentAnswer> {
  const byShown = Map.groupBy(materials, (material) => fence.guard(headOf(material)).split("\n", 1)[0] ?? "");
  const byPath = Map.groupBy(files, ({ path }) => path.trim());
  const byPurpose = Map.groupBy(files, ({ purpose }) => purpose.trim().toLowerCase());
  return new Map(
    files.flatMap(({ path: said, ...answer }) => {
      const owners = byShown.get(`path: ${said.trim()}`) ?? [];
      const [owner] = owners;
      const isOnly = owners.length === 1 && byPath.get(said.trim())?.length === 1;
      const isOwn = byPurpose.get(answer.purpose.trim().toLowerCase())?.length === 1;
      const checked = EnrichmentAnswer.safeParse(answer);
      return owner !== undefined && isOnly && isOwn && checked.success ? [[owner.path, checked.data] as const] : [];
    }),
  );
}
