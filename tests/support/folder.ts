/** Temporary folders, and listings that show whether a command changed anything in a folder. */
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type TempFolder = Disposable & { readonly path: string };

/** An empty folder, removed by `using`. Its path contains no links. */
export function tempFolder(): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "cra-folder-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Every entry below a folder with kind, mode, size and modification time, sorted; `without` names are skipped. */
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
      // A folder's time changes when entries come and go, and skipped entries may.
      const isAbove = without.some((name) => name.startsWith(`${inner}/`));
      lines.push(`${inner} ${kind} ${stat.mode.toString(8)} ${isAbove ? "" : `${stat.size} ${stat.mtimeMs}`}`);
      if (stat.isDirectory()) visit(inner);
    }
  };
  visit("");
  return lines;
}
