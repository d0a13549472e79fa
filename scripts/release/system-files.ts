/** The files of a system package: the program, its manual page and completions at the paths where a system looks for them. */
import type { Packed } from "./tar.ts";

/** Where systems differ: the folder of zsh functions, and that of licences. */
export type SystemFolders = { readonly zsh: string; readonly licences: string };

export const DEBIAN: SystemFolders = { zsh: "usr/share/zsh/vendor-completions", licences: "usr/share/doc/cra" };
export const FEDORA: SystemFolders = { zsh: "usr/share/zsh/site-functions", licences: "usr/share/licenses/cra" };

/** `papers` are those of the archives. Paths are relative to the root of the file system, and sorted. */
export function systemFiles(program: Uint8Array, papers: readonly Packed[], folders: SystemFolders): readonly Packed[] {
  const paper = (path: string): Uint8Array => {
    const found = papers.find((one) => one.path === path);
    if (found === undefined) throw new Error(`the release has no ${path}`);
    return found.content;
  };
  const file = (path: string, content: Uint8Array): Packed => ({ path, content, runs: false });
  return [
    { path: "usr/bin/cra", content: program, runs: true },
    file("usr/share/bash-completion/completions/cra", paper("completions/cra.bash")),
    file("usr/share/fish/vendor_completions.d/cra.fish", paper("completions/cra.fish")),
    file(`${folders.zsh}/_cra`, paper("completions/_cra")),
    file("usr/share/man/man1/cra.1.gz", Bun.gzipSync(Buffer.from(paper("cra.1")), { level: 9 })),
    file(`${folders.licences}/copyright`, Buffer.concat([paper("LICENSE"), paper("THIRD-PARTY-LICENSES.txt")])),
    file("usr/share/doc/cra/changelog.gz", Bun.gzipSync(Buffer.from(paper("CHANGELOG.md")), { level: 9 })),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
}
