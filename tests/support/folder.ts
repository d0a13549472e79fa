/**
 * Temporary folders, and what lies in a folder: to show that a command changed nothing that is not its own.
 */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TempFolder = Disposable & { readonly path: string };

/** An empty folder; `using` removes it. Its path holds no links. */
export function tempFolder(): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cra-folder-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every entry below a folder, sorted, with kind, mode, size and time of change; `without` names are not entered. */
export function listing(folder: string, without: readonly string[] = []): readonly string[] {
  const lines: string[] = [];
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).sort()) {
      const inner = join(path, name);
      if (without.includes(inner)) continue;
      const stat = lstatSync(join(folder, inner));
      const kind = stat.isDirectory()
        ? "folder"
        : stat.isSymbolicLink()
          ? `link to ${readlinkSync(join(folder, inner))}`
          : "file";
      // A folder's time says that an entry came or went; what is left out may come and go in it.
      const isAbove = without.some((name) => name.startsWith(`${inner}/`));
      lines.push(`${inner} ${kind} ${stat.mode.toString(8)} ${isAbove ? "" : `${stat.size} ${stat.mtimeMs}`}`);
      if (stat.isDirectory()) visit(inner);
    }
  };
  visit("");
  return lines;
}
