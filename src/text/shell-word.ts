/** Quotes a text as one word for a POSIX shell or zsh, so that users can paste it. */
export const shellWord = (text: string): string =>
  // zsh looks for a command behind a leading "=".
  /^[\w@%+:,./][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
