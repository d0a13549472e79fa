/** Quotes a text as one word for a POSIX shell, so that users can paste it. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", "'\\''")}'`;
