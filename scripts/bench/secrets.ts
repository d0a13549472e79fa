/**
 * Measures how often real repositories are redacted and how long scanning takes: `bun scripts/bench/secrets.ts <git
 * folder> …`.
 *
 * Scans the files of HEAD that would be indexed and lists every redaction for manual review. It prints the character
 * classes of a value, never the value.
 */
import { execFileSync } from "node:child_process";
import { basename, dirname } from "node:path";
import { findSecrets } from "../../src/secrets/find-secrets.ts";
import { FILE_BYTES_MAX, skipByPath, skipByText, vendoredIsMain } from "../../src/source/walk/skip.ts";
import { decode } from "../../src/text/decode.ts";

type Blob = { readonly path: string; readonly hash: string; readonly sizeBytes: number };

const BYTES_MAX = 4 * 1024 * 1024 * 1024;
const PER_LINES = 10_000;

function git(folder: string, args: readonly string[], input?: string): Buffer {
  return execFileSync("git", ["--git-dir", folder, ...args], { maxBuffer: BYTES_MAX, ...(input ? { input } : {}) });
}

/** The files of HEAD, without links and submodules. */
function blobs(folder: string): readonly Blob[] {
  return git(folder, ["ls-tree", "-r", "-l", "-z", "HEAD"])
    .toString("utf8")
    .split("\0")
    .flatMap((row) => {
      const match = /^100(?:644|755) blob ([0-9a-f]+) +(\d+)\t(.+)$/s.exec(row);
      return match === null ? [] : [{ hash: match[1] ?? "", sizeBytes: Number(match[2]), path: match[3] ?? "" }];
    });
}

/** The contents of files by hash, without those that a snapshot lacks. */
function contents(folder: string, wanted: readonly Blob[]): ReadonlyMap<string, Uint8Array> {
  const out = git(folder, ["cat-file", "--batch"], wanted.map(({ hash }) => `${hash}\n`).join(""));
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf("\n", at);
    const [hash = "", type, size] = out.toString("utf8", at, end).split(" ");
    at = end + 1;
    if (type !== "blob") continue;
    found.set(hash, out.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return found;
}

/** The shape of a value: letters as `a`, digits as `0`, at most 24 characters. */
const shape = (value: string): string =>
  value.slice(0, 24).replaceAll(/[a-z]/g, "a").replaceAll(/[A-Z]/g, "A").replaceAll(/\d/g, "0");

const say = (line: string): void => void process.stdout.write(`${line}\n`);

let allLines = 0;
let allFound = 0;
for (const folder of process.argv.slice(2)) {
  const found = blobs(folder);
  const limits = { bytesMax: FILE_BYTES_MAX, vendoredIsMain: vendoredIsMain(found.map(({ path }) => path)) };
  const wanted = found.filter(({ sizeBytes }) => sizeBytes <= FILE_BYTES_MAX);
  const bytes = contents(folder, wanted);
  let [files, lines, chars, redacted, cpuMs] = [0, 0, 0, 0, 0];
  const places: string[] = [];
  for (const { path, hash, sizeBytes } of wanted) {
    const content = bytes.get(hash);
    const decoded = content === undefined ? null : decode(content);
    if (decoded === null || decoded.kind === "binary") continue;
    const { text } = decoded;
    if ((skipByPath(path, sizeBytes, limits) ?? skipByText(path, text)) !== null) continue;
    files += 1;
    lines += text.split("\n").length;
    chars += text.length;
    const before = process.cpuUsage();
    const secrets = findSecrets(text);
    const { user, system } = process.cpuUsage(before);
    cpuMs += (user + system) / 1000;
    redacted += secrets.length;
    for (const { kind, spans } of secrets) {
      const [{ start, end }] = spans;
      const line = text.slice(0, start).split("\n").length;
      places.push(`  ${path}:${line}  ${kind}  ${shape(text.slice(start, end))}`);
    }
  }
  allLines += lines;
  allFound += redacted;
  const name = basename(folder) === "repo" ? basename(dirname(folder)) : folder;
  const rate = ((redacted / Math.max(1, lines)) * PER_LINES).toFixed(3);
  say(
    `${name}: ${files} files, ${lines} lines, ${(chars / 1e6).toFixed(1)} M characters, ` +
      `${redacted} redacted (${rate} in ${PER_LINES} lines); ${(cpuMs / (chars / 1e6)).toFixed(2)} ms a million characters`,
  );
  for (const place of places) say(place);
}
say(
  `all: ${allLines} lines, ${allFound} redacted, ${((allFound / Math.max(1, allLines)) * PER_LINES).toFixed(3)} in ${PER_LINES} lines`,
);
