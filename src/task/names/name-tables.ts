/** The words by which names of files and symbols are recognized. Lower case unless a table says otherwise. */

import { LANGUAGES } from "../../languages/languages.ts";
import { wordSet } from "../../text/terms/stop-words.ts";
import type { StackFrame } from "../query.ts";

/** Endings of source files, with the language that their stack frames are read as. */
export const SOURCE_ENDINGS: ReadonlyMap<string, StackFrame["language"]> = new Map([
  ["coffee", "other"],
  ...[...LANGUAGES.values()].flatMap(({ endings, stackFrames }) =>
    endings === undefined || stackFrames === undefined
      ? []
      : endings.split(" ").map((ending) => [ending, stackFrames] as const),
  ),
]);

/** Endings of other text files that a task may name. */
export const TEXT_ENDINGS: ReadonlySet<string> = new Set([
  ..."styl pug haml twig snap lock gradle".split(" "),
  ...[...LANGUAGES.values()].flatMap(({ endings, stackFrames }) =>
    endings === undefined || stackFrames !== undefined ? [] : endings.split(" "),
  ),
]);

/** Endings that are as often the name of a member: alone they make a file name only after a path. */
export const MEMBER_ENDINGS = wordSet("m r v el fs properties lock conf csv snap vb pm");

/** Extensions of files that are never indexed, nor names of symbols. */
export const OPAQUE_ENDINGS = wordSet(
  "png jpg jpeg gif svg ico webp pdf zip gz tar whl exe dll so dylib log mp4 mp3 bin",
);

/** File names that are recognized as a whole. Case-sensitive. */
export const WHOLE_FILE_NAMES = wordSet(
  "Makefile Dockerfile Jenkinsfile Gemfile Rakefile Procfile Vagrantfile Justfile Pipfile BUILD.bazel CODEOWNERS LICENSE LICENCE COPYING",
);

/** First folders that make two words with a slash between them a path. */
export const ROOT_FOLDERS = wordSet(`
  src lib libs test tests spec specs __tests__ packages pkg pkgs app apps cmd internal crates modules components docs doc
  examples example scripts tools bin benches benchmark benchmarks server client api core utils include config configs
  static assets templates migrations .github
`);

/** First words of media types, which look like paths. */
export const MEDIA_TYPES = wordSet("application text image audio video multipart font model message");

/** Last words of host names, which look like dotted names. */
export const HOST_ENDINGS = wordSet("com org net edu gov");

/** Names of the current object, which are dropped from a name. */
export const RECEIVERS = wordSet("self this cls super");

/** Objects and modules of the languages themselves, whose members are never those of a repository. As written. */
export const LANGUAGE_OWNERS = wordSet("console Math JSON Object Reflect Number System process sys os warnings");

/** The same, and libraries, whose members are those of no other repository. */
export const BUILTIN_OWNERS: ReadonlySet<string> = LANGUAGE_OWNERS.union(wordSet("np pd plt java javax"));

/** Objects whose `.json`, `.html` and the like are members, not files. */
export const MEMBER_OWNERS = wordSet(
  "self this cls req res request response resp r reply ctx context body data fetch axios",
);

/** Functions of the languages themselves and of test runners: calling one names nothing. */
export const BUILTIN_CALLS = wordSet(`
  range super isinstance issubclass hasattr getattr setattr list dict set tuple open map filter zip sorted reversed sum
  min max abs any all next iter repr bool float bytes format input hash id vars dir super enumerate describe it expect
  beforeeach aftereach beforeall afterall settimeout setinterval cleartimeout parseint parsefloat typeof sizeof printf
  sprintf println fmt make append panic switch match assert_eq vec unwrap some ok err echo isset array new delete and or
  not in is elif lambda yield with typeof instanceof
`);

/** Literals and keywords: even between backticks they name nothing. */
export const LITERALS = wordSet(`
  true false null none nil undefined nan infinity void self this cls super if else for while do return function class def
  const let var import export default from new async await try catch except finally raise throw switch case break continue
  int str string bool boolean float number object any unknown never char long double byte x86_64
`);

/** Products and names of the trade, which are written with an inner capital or a dot. */
export const PRODUCTS = wordSet(`
  github gitlab bitbucket javascript typescript coffeescript ios ipados macos watchos tvos postgresql mysql mariadb sqlite
  mongodb redisdb couchdb dynamodb graphql youtube linkedin vscode pypi numpy scipy pytorch tensorflow stackoverflow
  devtools intellij pycharm webstorm phpstorm wordpress jquery centos freebsd openbsd latex openai chatgpt webassembly
  websocket websockets nodejs nextjs vuejs reactjs expressjs nestjs circleci travisci appveyor cloudflare virtualbox
  powershell openssl openssh firefox mcdonald iphone ipad macbook webkit matlab paypal whatsapp tiktok docker-compose
  node.js vue.js next.js nuxt.js react.js express.js three.js d3.js ember.js backbone.js angular.js chart.js socket.io
  p5.js moment.js discord.js alpine.js stackblitz codesandbox codepen jsfiddle day.js knockout.js vanilla.js asp.net vb.net deno.js bun.js nest.js
`);

/** Errors of the languages themselves: patterns to search for, never definitions to find. As written. */
export const BUILTIN_ERRORS = wordSet(`
  Error Exception Warning BaseException ValueError TypeError KeyError AttributeError IndexError LookupError RuntimeError
  ImportError ModuleNotFoundError NameError UnboundLocalError OSError IOError EOFError AssertionError NotImplementedError
  ArithmeticError ZeroDivisionError OverflowError FloatingPointError FileNotFoundError FileExistsError PermissionError
  IsADirectoryError NotADirectoryError ConnectionError ConnectionRefusedError ConnectionResetError BrokenPipeError
  TimeoutError InterruptedError RecursionError MemoryError UnicodeError UnicodeDecodeError UnicodeEncodeError SyntaxError
  IndentationError TabError SystemError BufferError KeyboardInterrupt SystemExit GeneratorExit StopIteration
  StopAsyncIteration UserWarning DeprecationWarning PendingDeprecationWarning FutureWarning RuntimeWarning SyntaxWarning
  ImportWarning UnicodeWarning BytesWarning ResourceWarning ReferenceError RangeError EvalError URIError AggregateError
  NullPointerException IllegalArgumentException IllegalStateException ClassCastException IndexOutOfBoundsException
  ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException NumberFormatException RuntimeException IOException
  FileNotFoundException ClassNotFoundException NoSuchMethodError NoClassDefFoundError StackOverflowError OutOfMemoryError
  UnsupportedOperationException ConcurrentModificationException InterruptedException TimeoutException SQLException
  NoMethodError ArgumentError StandardError ZeroDivisionException NullReferenceException ArgumentNullException
`);

/** Error numbers of POSIX that programs report by name. As written. */
export const ERROR_NUMBERS = wordSet(`
  ENOENT EACCES EPERM EEXIST EISDIR ENOTDIR ENOTEMPTY EMFILE ENFILE ENOSPC EROFS EBUSY EINVAL EIO EPIPE EAGAIN EINTR EBADF
  EFAULT ELOOP ENAMETOOLONG ENOMEM ENOSYS ENOTSUP EXDEV ECONNREFUSED ECONNRESET ECONNABORTED EADDRINUSE EADDRNOTAVAIL
  EHOSTUNREACH ENETUNREACH ENOTFOUND ETIMEDOUT ESRCH ECHILD EDOM ERANGE EDEADLK ENOTCONN EPROTO ERESOLVE EBADENGINE
  SIGSEGV SIGABRT SIGBUS SIGILL SIGFPE SIGKILL
`);

/** Words next to which a capitalized word is the name of a symbol ("the Session class"). */
export const SYMBOL_NOUNS = wordSet("class interface struct enum trait component model mixin exception decorator hook");

/** Capitalized words before such a noun that are not its name. As written. */
export const NOT_SYMBOLS = wordSet(
  "Base Parent Child Abstract Sub Super Custom New Data Default Generic Python Java Rust React Vue Django Angular Svelte CSS HTML",
);
