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

/** As the compiler finds them: what stays of statements, and imports made while running. */
export function scanned({ path, text }: SourceFile): readonly Bun.Import[] {
  const loader = path.endsWith(".tsx") ? "tsx" : "ts";
  return new Bun.Transpiler({
    loader,
    tsconfig: JSON.stringify({ compilerOptions: { verbatimModuleSyntax: true } }),
  }).scanImports(text);
}
