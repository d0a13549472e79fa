/** A name of a definition in a sentence: the title of a test, which has spaces, stands in quotes. */
export const wordedName = (name: string): string => (/\s/.test(name) ? `"${name.replaceAll('"', "'")}"` : name);
