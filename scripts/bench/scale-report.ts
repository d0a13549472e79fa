/** The limits of `scale.ts` and its page of results. */
import type { Sample } from "./measure.ts";
import type { ScaleSize } from "./scale-archives.ts";
import type { ScaleCorpus } from "./scale-corpus.ts";

/** What was measured on one repository; `repomix` says why where there is no figure, and what is not installed is null. */
export type ScaleRow = {
  readonly size: ScaleSize;
  readonly corpus: ScaleCorpus;
  readonly firstAnswer: Sample;
  readonly firstIndex: Sample;
  /** Everything that cra has stored after the first index. */
  readonly diskBytes: number;
  readonly unchanged: Sample;
  readonly question: Sample;
  readonly comment: Sample;
  readonly added: Sample;
  readonly repomix: Sample | string;
  readonly ctags: Sample | null;
  readonly ripgrep: Sample | null;
};

export type Gate = { readonly name: string; readonly value: string; readonly isMet: boolean };

type Limit = {
  readonly name: string;
  readonly size: ScaleSize;
  readonly max: number;
  /** Null where another program is missing. */
  readonly of: (row: ScaleRow) => number | null;
  readonly show: (value: number) => string;
};

const seconds = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const times = (share: number): string => share.toFixed(2);

/** The bytes that version 0.1.0 (76b31f8) stored after a first index of the same files. */
const STORED_BY_0_1_0 = { small: 101_572_718, large: 2_145_521_776 } as const;

/** On an idle machine with two cores. */
const LIMITS: readonly Limit[] = [
  { name: "first answer", size: "small", max: 1_200, of: (row) => row.firstAnswer.wallMs, show: seconds },
  { name: "first answer", size: "middle", max: 4_000, of: (row) => row.firstAnswer.wallMs, show: seconds },
  { name: "first answer", size: "large", max: 15_000, of: (row) => row.firstAnswer.wallMs, show: seconds },
  {
    name: "first index, relative to repomix",
    size: "small",
    max: 1.3,
    of: ({ firstIndex, repomix }) => (typeof repomix === "string" ? null : firstIndex.wallMs / repomix.wallMs),
    show: times,
  },
  {
    name: "first index, relative to ctags",
    size: "small",
    max: 5,
    of: ({ firstIndex, ctags }) => (ctags === null ? null : firstIndex.wallMs / ctags.wallMs),
    show: times,
  },
  { name: "first index", size: "large", max: 171_000, of: (row) => row.firstIndex.wallMs, show: seconds },
  {
    name: "memory of the first index",
    size: "large",
    max: 700e6,
    of: (row) => row.firstIndex.peakBytes,
    show: megabytes,
  },
  { name: "unchanged index", size: "large", max: 2_000, of: (row) => row.unchanged.wallMs, show: seconds },
  { name: "one comment changed", size: "large", max: 2_000, of: (row) => row.comment.wallMs, show: seconds },
  { name: "question", size: "middle", max: 800, of: (row) => row.question.wallMs, show: seconds },
  { name: "question", size: "large", max: 1_500, of: (row) => row.question.wallMs, show: seconds },
  ...(["small", "large"] as const).map((size) => ({
    name: "stored, relative to version 0.1.0",
    size,
    max: 0.5,
    of: ({ diskBytes }: ScaleRow) => diskBytes / STORED_BY_0_1_0[size],
    show: times,
  })),
];

function diskShare({ diskBytes, corpus }: ScaleRow): number {
  return diskBytes / corpus.bytes;
}

/** The limits of the sizes that were measured. */
export const gatesOf = (rows: readonly ScaleRow[]): readonly Gate[] =>
  LIMITS.flatMap(({ name, size, max, of, show }) => {
    const row = rows.find((one) => one.size === size);
    const value = row === undefined ? null : of(row);
    if (value === null) return [];
    return [{ name: `${name}, ${size}: at most ${show(max)}`, value: show(value), isMet: value <= max }];
  });

/** The page of results. `repomix` is its version. */
export function reportOf(rows: readonly ScaleRow[], repomix: string): string {
  const gates = gatesOf(rows);
  const lines: readonly (readonly [string, (row: ScaleRow) => string])[] = [
    ["files", ({ corpus }) => String(corpus.files)],
    ["source", ({ corpus }) => megabytes(corpus.bytes)],
    ["first answer, never indexed", (row) => shown(row.firstAnswer)],
    ["first index", (row) => shown(row.firstIndex)],
    ["all that is stored", (row) => `${megabytes(row.diskBytes)}, ${times(diskShare(row))} of the source`],
    ["index, unchanged", (row) => shown(row.unchanged)],
    ["index, one comment changed", (row) => shown(row.comment)],
    ["index, one function added", (row) => shown(row.added)],
    ["question", (row) => shown(row.question)],
    ["`repomix --compress`", (row) => (typeof row.repomix === "string" ? row.repomix : shown(row.repomix))],
    ["Universal Ctags", (row) => (row.ctags === null ? "not installed" : shown(row.ctags))],
    ["ripgrep, one word", (row) => (row.ripgrep === null ? "not installed" : shown(row.ripgrep))],
  ];
  return `# How cra scales

Made by \`npm run bench -- scale\` on ${navigator.hardwareConcurrency} cores (${process.platform} ${process.arch}), from ${Math.max(...rows.map(({ corpus }) => corpus.archives))} source archives of npm and PyPI
([scale-archives.ts](../scale-archives.ts)). Each cell is the time from start to exit, a median of few runs, and the peak memory.
A first answer is \`cra retrieve\` in a repository without an index, a question the same with one. repomix ${repomix} runs
with \`--compress\`, Universal Ctags with \`-R\`, ripgrep with \`-c\`: it only reads.

Limits in seconds are for a machine on which version 0.1.0 indexes the 3,583 files of TypeORM in 6.2 s, and Universal Ctags in .9 s.

| | ${rows.map(({ size }) => size).join(" | ")} |
| --- | ${rows.map(() => "---:").join(" | ")} |
${lines.map(([name, cell]) => `| ${name} | ${rows.map(cell).join(" | ")} |`).join("\n")}

| limit | measured | |
| --- | ---: | --- |
${gates.map(({ name, value, isMet }) => `| ${name} | ${value} | ${isMet ? "kept" : "missed"} |`).join("\n")}
`;
}

export const shown = ({ wallMs, peakBytes }: Sample): string => `${seconds(wallMs)}, ${megabytes(peakBytes)}`;
