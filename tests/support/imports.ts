/** Reads the imports of source files, for rules about who may import whom. */
import { dirname, join } from "node:path/posix";
import { lex } from "./lex.ts";

export type SourceFile = { readonly path: string; readonly text: string };

type Edge = { readonly from: string; readonly to: string };

export const inCode = ({ path }: Pick<SourceFile, "path">): boolean => /\.(ts|tsx|mjs)$/.test(path);

/** The imports of the files that `importsOf` reads from each; relative ones as paths from the root. */
export function edges(
  files: readonly SourceFile[],
  importsOf: (file: SourceFile) => readonly string[],
): readonly Edge[] {
  return files.filter(inCode).flatMap((file) =>
    importsOf(file).map((specifier) => ({
      from: file.path,
      to: specifier.startsWith(".") ? join(dirname(file.path), specifier) : specifier,
    })),
  );
}

/** All imports as written, types included. */
export function written({ text }: SourceFile): readonly string[] {
  const { code } = lex(text);
  const places = [...code.matchAll(/\b(?:from|import)\s*\(?\s*(?=["'])/g)].map(
    (match) => match.index + match[0].length,
  );
  return places.map((at) => /^["']([^"'\n]*)/.exec(text.slice(at))?.[1] ?? "");
}

/** The imports that remain at run time, without types. */
export const kept = (file: SourceFile): readonly string[] => scanned(file).map(({ path }) => path);

const tsconfig = JSON.stringify({ compilerOptions: { verbatimModuleSyntax: true } });
const SCANNERS = {
  ts: new Bun.Transpiler({ loader: "ts", tsconfig }),
  tsx: new Bun.Transpiler({ loader: "tsx", tsconfig }),
} as const;
const known = new WeakMap<SourceFile, readonly Bun.Import[]>();

/** As the compiler finds them: what stays of statements, and imports made while running. Several rules ask for them. */
export function scanned(file: SourceFile): readonly Bun.Import[] {
  const imports = known.get(file) ?? SCANNERS[file.path.endsWith(".tsx") ? "tsx" : "ts"].scanImports(file.text);
  known.set(file, imports);
  return imports;
}
