/** Python, where names say what is private and documentation stands inside what it describes. */
import type { LanguageStyle } from "../style.ts";

export const PYTHON: LanguageStyle = {
  leadIn: null,
  docComment: null,
  docstrings: true,
  public: true,
  // `__init__` and its like are called by everybody.
  isPrivate: (name) => name.startsWith("_") && !/^__.+__$/.test(name),
  mend: null,
  ownerPath: (owner) => owner,
};
