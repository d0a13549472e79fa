/**
 * Prints how TypeScript itself resolves the imports of a repository.
 *
 * Reads a JSON request from standard input, `{ typescript, root, files }` (the folder of a `typescript` 5 package, the
 * checkout, the TypeScript and JavaScript files to check), and prints `{ imports, unresolved }`: every specifier
 * of every file with its target, and those of the repository's own packages without one.
 *
 * Imports are read off TypeScript's own syntax tree (every form that it resolves: import and export declarations,
 * `import x = require`, `import()` and `require()` with a text, import types, declared modules) and resolved with
 * `ts.resolveModuleName` under the options of the governing configuration: the nearest tsconfig.json or jsconfig.json upward that includes the file, itself or through
 * its references; when none does, the nearest. A configuration that says nothing of modules counts as `bundler`.
 *
 * Nothing is installed or built, so two things are simulated. Members of a workspace (npm, yarn, pnpm) are linked as
 * `node_modules/<name>` of the workspace's root, and `file:` and `link:` dependencies as those of their package, as a
 * package manager does. A missing file counts as the source that it is built from if a package's output folder
 * is `dist`, `build`, `lib` or `out` and a source with the same path exists in its `src`.
 * It is plain JavaScript, so that the project does not depend on that version.
 */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, posix, relative } from "node:path";

const CONFIGS = ["tsconfig.json", "jsconfig.json"];
const ENDINGS = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
const REFERENCES_MAX = 100;

const request = JSON.parse(readFileSync(0, "utf8"));
const ts = createRequire(join(request.typescript, "package.json"))(request.typescript);
const root = request.root;
const known = new Set(request.files.map((path) => join(root, path)));

function answer() {
  const links = workspaceLinks();
  const host = hostWith(links);
  const configOf = configFinder();
  const imports = [];
  const unresolved = [];
  for (const path of request.files) {
    const file = join(root, path);
    const text = readFileSync(file, "utf8");
    const { options, cache } = configOf(file);
    const format = ts.getImpliedNodeFormatForFile(file, cache.getPackageJsonInfoCache(), host, options);
    const seen = new Set();
    for (const { specifier, isRequire } of importsOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))) {
      if (seen.has(`${isRequire} ${specifier}`)) continue;
      seen.add(`${isRequire} ${specifier}`);
      const mode = isRequire ? ts.ModuleKind.CommonJS : format;
      const { resolvedModule } = ts.resolveModuleName(specifier, file, options, host, cache, undefined, mode);
      const target = resolvedModule === undefined ? null : sourceOf(links.realOf(resolvedModule.resolvedFileName));
      const inside = target === null ? null : relative(root, target);
      if (inside !== null && !inside.startsWith("..") && !inside.includes("node_modules/")) {
        imports.push({ path, specifier, target: inside });
      } else if (target === null && (specifier.startsWith(".") || links.has(specifier)))
        unresolved.push({ path, specifier });
    }
  }
  return { imports, unresolved };
}

function importsOf(file) {
  const found = [];
  const add = (node, isRequire = false) => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.push({ specifier: node.text, isRequire });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node.expression, true);
    else if (ts.isImportTypeNode(node)) add(node.argument.literal);
    else if (ts.isModuleDeclaration(node) && ts.isStringLiteral(node.name)) add(node.name);
    else if (ts.isCallExpression(node) && node.arguments.length > 0) {
      const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require";
      if (isRequire || node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], isRequire);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The folders of the repository's packages, as a package manager would link them. */
function workspaceLinks() {
  const manifests = request.manifests.map((path) => ({
    folder: join(root, dirname(path)),
    json: readJson(join(root, path)),
  }));
  const links = new Map();
  for (const { folder, json } of manifests) {
    const globs = [...(json.workspaces?.packages ?? json.workspaces ?? []), ...pnpmPackages(folder)];
    const isMember = memberTest(globs);
    for (const member of globs.length === 0 ? [] : manifests) {
      const inside = relative(folder, member.folder);
      if (inside === "" || inside.startsWith("..") || typeof member.json.name !== "string" || !isMember(inside))
        continue;
      const link = join(folder, "node_modules", member.json.name);
      if (!links.has(link)) links.set(link, member.folder);
    }
    for (const field of ["dependencies", "devDependencies"]) {
      for (const [name, range] of Object.entries(json[field] ?? {})) {
        const path = /^(?:file|link|portal):(.+)$/.exec(range)?.[1];
        if (path !== undefined) links.set(join(folder, "node_modules", name), join(folder, path));
      }
    }
  }
  const names = new Set([...links.keys()].map((link) => link.slice(link.lastIndexOf("/node_modules/") + 14)));
  const realOf = (path) => {
    const at = path.lastIndexOf("/node_modules/");
    if (at < 0) return path;
    const [first, second] = path.slice(at + 14).split("/");
    const name = first.startsWith("@") ? `${first}/${second}` : first;
    const folder = links.get(join(path.slice(0, at), "node_modules", name));
    return folder === undefined ? path : join(folder, path.slice(at + 14 + name.length));
  };
  const has = (specifier) => names.has(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
  const folders = new Set([...links.keys()].flatMap((link) => above(link)));
  return { realOf, has, isFolder: (path) => folders.has(path) };
}

function above(path) {
  const folders = [];
  for (let at = dirname(path); at.length >= root.length; at = dirname(at)) folders.push(at);
  return folders;
}

/** The globs under `packages:` of a pnpm-workspace.yaml. */
function pnpmPackages(folder) {
  const path = join(folder, "pnpm-workspace.yaml");
  if (!existsSync(path)) return [];
  const [, list = ""] =
    /^packages:\s*\n((?:(?:[ \t]*-.*|[ \t]*#.*|[ \t]*)\n?)*)/m.exec(readFileSync(path, "utf8")) ?? [];
  return [...list.matchAll(/^[ \t]*-[ \t]*(["']?)([^"'#\n]+)\1/gm)].map(([, , glob]) => glob.trim());
}

function memberTest(globs) {
  const rules = globs.map((glob) => {
    const path = posix.normalize(glob.replace(/^!/, "")).replace(/\/$/, "");
    const pattern = path
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replace(/\*\*\/?|\*/g, (star) => (star === "*" ? "[^/]*" : star === "**" ? ".*" : "(?:.*/)?"));
    return { takes: !glob.startsWith("!"), pattern: new RegExp(`^${pattern}$`) };
  });
  return (path) => rules.reduce((is, { takes, pattern }) => (pattern.test(path) ? takes : is), false);
}

/** The source of a path: the file itself if it exists, else what it is built from, else null. */
function sourceOf(path) {
  if (isFile(path)) return path;
  const [, name] = /^(.+?)(?:\.d)?\.[mc]?[jt]sx?$/.exec(path) ?? [];
  for (const { index, 0: output } of (name ?? "").matchAll(/\/(?:dist|build|lib|out)(?=\/)/g)) {
    const folder = path.slice(0, index);
    if (!isFile(join(folder, "package.json"))) continue;
    const stem = join(folder, "src", name.slice(index + output.length));
    return ENDINGS.map((ending) => stem + ending).find((source) => known.has(source)) ?? null;
  }
  return null;
}

const isFile = (path) => ts.sys.fileExists(path);

function hostWith(links) {
  return {
    ...ts.sys,
    fileExists: (path) => sourceOf(links.realOf(path)) !== null,
    readFile: (path) => ts.sys.readFile(links.realOf(path)),
    directoryExists: (path) =>
      links.isFolder(path) ||
      ts.sys.directoryExists(links.realOf(path)) ||
      /\/(?:dist|build|lib|out)(?:\/|$)/.test(path),
    realpath: (path) => links.realOf(path),
    getCurrentDirectory: () => root,
    useCaseSensitiveFileNames: true,
  };
}

/** The options for a file, with their resolution cache. */
function configFinder() {
  const parsed = new Map();
  const parse = (path) => {
    const before = parsed.get(path);
    if (before !== undefined) return before;
    const { config = {} } = ts.readConfigFile(path, ts.sys.readFile);
    const content = ts.parseJsonConfigFileContent(config, ts.sys, dirname(path), undefined, path);
    const found = {
      files: new Set(content.fileNames),
      references: (content.projectReferences ?? []).map(ts.resolveProjectReferencePath),
      ...withCache(content.options),
    };
    parsed.set(path, found);
    return found;
  };
  const including = (path, file, seen) => {
    if (seen.has(path) || seen.size > REFERENCES_MAX || !existsSync(path)) return null;
    seen.add(path);
    const config = parse(path);
    if (config.files.has(file)) return config;
    for (const reference of config.references) {
      const found = including(reference, file, seen);
      if (found !== null) return found;
    }
    return null;
  };
  const none = withCache({});
  return (file) => {
    const configs = above(file).flatMap((folder) => CONFIGS.map((name) => join(folder, name)).filter(existsSync));
    for (const path of configs) {
      const found = including(path, file, new Set());
      if (found !== null) return found;
    }
    return configs.length === 0 ? none : parse(configs[0]);
  };
}

function withCache(given) {
  const options = { ...given, allowJs: true, resolveJsonModule: true };
  if (options.moduleResolution === undefined && options.module === undefined) {
    options.moduleResolution = ts.ModuleResolutionKind.Bundler;
    options.module = ts.ModuleKind.ESNext;
  }
  return { options, cache: ts.createModuleResolutionCache(root, (name) => name, options) };
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return {};
  }
}

process.stdout.write(JSON.stringify(answer()));
