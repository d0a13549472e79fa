/** Means over the rows of cases, and the lines of the table that shows them. */

/** The mean over the rows that have a value. */
export function meanOf<Row>(rows: readonly Row[], of: (row: Row) => number | undefined): number {
  const values = rows.flatMap((row) => of(row) ?? []);
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export const signed = (change: number): string => (change >= 0 ? `+${change.toFixed(1)}` : change.toFixed(1));
export const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
