/** Writes settings as git's configuration files hold them. Starting git for each takes longer than the tests that need them. */

/** `section.key` or `section.name.key`, and the value. */
type Setting = readonly [key: string, value: string];

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** The text of these settings, in their order. */
export const gitConfig = (settings: readonly Setting[]): string =>
  settings
    .map(([key, value]) => {
      const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
      const name = first === last ? "" : ` ${quoted(key.slice(first + 1, last))}`;
      return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`;
    })
    .join("");
