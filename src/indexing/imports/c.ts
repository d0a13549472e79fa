/**
 * C and C++: an `#include` names a file, relative to the including file or to an include folder of the build. `using` leads to no
 * file: it binds names of namespaces that includes make visible.
 *
 * The build's include folders are unknown, so a path must match the end of exactly one path near the including file. System
 * headers are never searched, and only tests include files of tests.
 */

import { isTestPath } from "../../languages/file-role.ts";
import type { ImportFact } from "../../syntax/facts/facts.ts";
import { folderOf, foldersUp, isWithin, joinPath, nameOf, within } from "../../text/repo-path.ts";
import { hashedRow, positionsUnder } from "../model/hashed-rows.ts";
import { answerCache } from "./answer-cache.ts";
import { type Family, type RepoPaths, type Resolution, type Resolver, type SourceFile, UNBOUND } from "./model.ts";

export const C: Family = {
  open: includeResolver,
  scoping: { selfNames: ["this"], superNames: [], implicitSelf: true, exportsAll: true },
};

/** Common include folders, in order of preference if no file is nearer. */
const ROOTS = ["include", "inc", "includes", "src", "lib", "source", "sources"];

/** A file name with more candidates is ignored. */
const CANDIDATES_MAX = 200;

function includeResolver(_: readonly SourceFile[], paths: RepoPaths): Resolver {
  const namesakes = namesakesAmong([...paths.keys()].sort());

  const find = (from: string, specifier: string): string | null => {
    const isBracketed = specifier.startsWith("<");
    const written = (isBracketed ? specifier.slice(1, -1) : specifier).trim().replaceAll("\\", "/");
    if (written === "" || written.startsWith("/") || /^[A-Za-z]:/.test(written)) return null;
    if (!isBracketed) {
      const beside = joinPath(folderOf(from), written);
      if (beside !== null && paths.has(beside)) return beside;
    }
    const ending = written.replace(/^(?:\.\.?\/)+/, "");
    if (ending.includes("..") || isSystemHeader(ending)) return null;
    // `../` leaves an unknown folder, so the rest of the path has to be more specific.
    if (ending !== written && !ending.includes("/")) return null;
    const candidates = namesakes(nameOf(ending));
    if (candidates.length > CANDIDATES_MAX) return null;
    const fitting = candidates.filter(
      (path) => path !== from && (path === ending || path.endsWith(`/${ending}`)) && isSeen(from, path),
    );
    return nearest(from, fitting, ending);
  };

  // Most files include what others in their folder do.
  const found = answerCache<Resolution>();
  const resolve = (path: string, fact: ImportFact): Resolution => {
    if (!fact.star) return using(fact);
    const { specifier } = fact;
    const key = `${folderOf(path)}\0${isTestPath(path)}\0${specifier}`;
    const resolution = found(key, () => {
      const target = find(path, specifier);
      return target === null ? NOWHERE : including(target);
    });
    return resolution.targets[0] === path ? NOWHERE : resolution;
  };
  return { resolve, groupOf: () => null };
}

/** What including a file comes to; null for one that is not in the repository. */
function including(module: string | null): Resolution {
  const star = { alias: null, name: "*", module, submodule: null, group: null, star: true, reexport: false };
  return { targets: module === null ? [] : [module], bindings: [star] };
}
const NOWHERE = including(null);

/** What `using a::b` and `using namespace a` bind: a path of namespaces, or all that is in one. */
function using({ specifier, names }: ImportFact): Resolution {
  const path = usedPath(specifier);
  const bindings = names.map(({ alias }) => ({ ...UNBOUND, alias, name: path, group: "", star: alias === null }));
  return { targets: [], bindings };
}

/** The path that `using` names. */
export const usedPath = (specifier: string): string =>
  specifier.replace(/\s/g, "").replaceAll("::", ".").replace(/^\./, "");

/** The files with a name, in path order. Any of them may be included, and most never are. */
function namesakesAmong(paths: readonly string[]): (name: string) => readonly string[] {
  const positions = positionsUnder(paths.map((path, position) => hashedRow(hashOf(nameOf(path)), position)));
  return (name) => {
    const found: string[] = [];
    for (const position of positions(hashOf(name))) {
      const path = paths[position] ?? "";
      if (nameOf(path) === name) found.push(path);
    }
    return found;
  };
}

const hashOf = Bun.hash.xxHash32;

/** Only tests include files of tests. */
const isSeen = (from: string, path: string): boolean => isTestPath(from) || !isTestPath(path);

/**
 * The single candidate that shares the most folders with the including file. Among equals, the one in a folder of headers;
 * otherwise none, because a wrong file is worse.
 */
function nearest(from: string, candidates: readonly string[], ending: string): string | null {
  if (candidates.length < 2) return candidates[0] ?? null;
  for (const folder of foldersUp(folderOf(from))) {
    const near = candidates.filter((path) => isWithin(path, folder));
    if (near.length === 1) return near[0] ?? null;
    if (near.length === 0) continue;
    for (const root of ["", ...ROOTS]) {
      const path = within(within(folder, root), ending);
      if (near.includes(path)) return path;
    }
    return null;
  }
  return null;
}

/** The standard headers of C++, which have no extension. */
const BARE = /^[a-z_]+$/;

const HEADERS: ReadonlySet<string> = new Set(
  `aio assert complex conio cpio crypt ctype direct dirent dlfcn elf err errno execinfo fcntl fenv float fmtmsg fnmatch
   ftw getopt glob grp iconv ifaddrs inttypes io iso646 langinfo libgen libintl limits locale malloc math mntent
   monetary mqueue ndbm netdb nl_types ntdef poll process pthread pwd regex resolv sched search semaphore setjmp shadow
   signal spawn stdalign stdarg stdatomic stdbool stdbit stdckdint stddef stdint stdio stdlib stdnoreturn string strings
   stropts synch syslog sysexits tar termios tgmath threads time trace uchar ucontext ulimit unistd utime utmp utmpx
   wchar wctype windows winsock winsock2 ws2tcpip winbase windef wordexp alloca byteswap endian features
   memory intrin immintrin emmintrin xmmintrin smmintrin tmmintrin nmmintrin arm_neon arm_acle cpuid x86intrin`
    .split(/\s+/)
    .map((name) => `${name}.h`),
);

const FOLDERS: ReadonlySet<string> = new Set(
  "sys net netinet netpacket arpa linux asm asm-generic mach machine rpc bits gnu experimental ext".split(" "),
);

/** Whether an include, without its brackets, is a system header. */
function isSystemHeader(written: string): boolean {
  if (BARE.test(written) || HEADERS.has(written)) return true;
  const [folder = "", ...rest] = written.split("/");
  return rest.length > 0 && FOLDERS.has(folder);
}
