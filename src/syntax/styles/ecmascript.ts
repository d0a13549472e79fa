/** JavaScript, TypeScript and TSX, where statements export and JSDoc stands above what it describes. */
import type { LanguageStyle } from "../style.ts";

/**
 * The end of a member without a semicolon, when the next line of code begins with `<`: the grammar reads on,
 * and takes the type parameters of a call signature for arguments of the type before.
 */
const UNFINISHED =
  /((?:[\w\])}'"]|(?<!=)>))((?:[ \t]*(?:\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)?[ \t]*\r?\n)+[ \t]*)(?=<[\w\s])/g;

export const ECMASCRIPT: LanguageStyle = {
  leadIn: /(?:\b(?:export|default|declare|const|let|var|using|await)\s+)+$/,
  docComment: /^\/\*\*(?![*/])/,
  docstrings: false,
  public: false,
  isPrivate: (name) => name.startsWith("#"),
  mend: (text) => text.replace(UNFINISHED, (_, end: string, gap: string) => `${end};${gap.slice(1)}`),
  ownerPath: (owner) => {
    const path = owner.replace(/\.prototype$/, "").replace(/[?!]/g, "");
    return /^(?:this|self|exports|module\.exports)$/.test(path) || !/^[\w$.]+$/.test(path) ? null : path;
  },
};
