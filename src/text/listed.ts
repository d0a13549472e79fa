/** The first names with commas between them, and how many more there are: `a, b and 3 more`. */
export const listed = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(", ")}${names.length > most ? ` and ${names.length - most} more` : ""}`;
