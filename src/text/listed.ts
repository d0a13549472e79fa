/** The first names with commas between them, and how many more there are: `a, b and 3 more`. */
export const listed = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;

/** All names: `a, b and c`. */
export const enumerated = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
