/**
 * Downloads source archives of npm and PyPI, each pinned by its hash, and keeps them in a folder.
 *
 * npm downloads its own, so its settings of registries and proxies hold; archives of PyPI come from the index that
 * `PIP_INDEX_URL` names, by default the public one. What has another hash is not kept.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `integrity` is that of npm's registry, `sha256` that of PyPI's index. */
export type Archive =
  | { readonly registry: "npm"; readonly name: string; readonly version: string; readonly integrity: string }
  | { readonly registry: "pypi"; readonly name: string; readonly file: string; readonly sha256: string };

/** Why an archive cannot be had: no network, no npm, or one that differs from the pinned one. */
export type Unavailable = { readonly unavailable: string };

const FETCH_MS_MAX = 300_000;
const PUBLIC_INDEX = "https://pypi.org/simple";

export const labelOf = (archive: Archive): string =>
  archive.registry === "npm" ? `${archive.name}@${archive.version}` : archive.file;

/** The bytes of an archive, which is downloaded into `folder` if it is missing. */
export async function fetchArchive(folder: string, archive: Archive): Promise<Buffer | Unavailable> {
  mkdirSync(folder, { recursive: true });
  const label = labelOf(archive);
  const kept = join(folder, archive.registry === "npm" ? packedName(archive) : archive.file);
  if (!existsSync(kept)) {
    const problem = archive.registry === "npm" ? await packed(folder, archive) : await downloaded(folder, archive);
    if (problem !== null)
      return { unavailable: `${label} cannot be fetched (${problem}); connect to ${archive.registry} and run again` };
  }
  const bytes = readFileSync(kept);
  const [found, pinned] =
    archive.registry === "npm"
      ? [`sha512-${createHash("sha512").update(bytes).digest("base64")}`, archive.integrity]
      : [createHash("sha256").update(bytes).digest("hex"), archive.sha256];
  if (found === pinned) return bytes;
  rmSync(kept);
  return { unavailable: `${label} is not the pinned archive, and was removed (its hash is ${found}); run again` };
}

/** The name that `npm pack` gives. */
const packedName = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;

type NpmArchive = Extract<Archive, { registry: "npm" }>;
type PyPiArchive = Extract<Archive, { registry: "pypi" }>;

/** Returns a one-line error, or null. */
async function packed(folder: string, archive: NpmArchive): Promise<string | null> {
  const npm = Bun.which("npm");
  if (npm === null) return "npm is not on the PATH";
  const partial = join(folder, `.fetch-${process.pid}`);
  mkdirSync(partial, { recursive: true });
  try {
    const child = Bun.spawn(
      [npm, "pack", `${archive.name}@${archive.version}`, "--ignore-scripts", "--loglevel=error"],
      {
        cwd: partial,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
        timeout: FETCH_MS_MAX,
      },
    );
    const errors = await new Response(child.stderr).text();
    const made = join(partial, packedName(archive));
    if ((await child.exited) !== 0 || !existsSync(made)) {
      const reason = errors.split("\n").find((line) => /^npm error (?!code)/.test(line)) ?? `exit ${child.exitCode}`;
      return reason.replace(/^npm error /, "");
    }
    renameSync(made, join(folder, packedName(archive)));
    return null;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Returns a one-line error, or null. */
async function downloaded(folder: string, { name, file }: PyPiArchive): Promise<string | null> {
  const index = process.env.PIP_INDEX_URL ?? PUBLIC_INDEX;
  try {
    const page = await get(`${index.replace(/\/$/, "")}/${name}/`);
    const links = (await page.text()).matchAll(/href="([^"#]+)/g);
    const link = links.map(([, href = ""]) => href).find((href) => href.endsWith(`/${file}`) || href === file);
    if (link === undefined) return `${index} does not list it`;
    const content = await get(new URL(link, page.url).href);
    const partial = join(folder, `.fetch-${process.pid}`);
    writeFileSync(partial, await content.bytes());
    renameSync(partial, join(folder, file));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_MS_MAX) });
  if (!response.ok) throw new Error(`${url} answers with ${response.status}`);
  return response;
}
