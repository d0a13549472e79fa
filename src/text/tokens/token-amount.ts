/** A number of tokens as people write it. */

const UNITS = { "": 1, k: 1_000, m: 1_000_000 } as const;

/** `8000`, `8k`, `1.5M`: a whole number, with a thousand or a million as unit; null for anything else. */
export function readTokens(text: string): number | null {
  const [, digits, unit = ""] = /^(\d{1,15}(?:\.\d{1,6})?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const times = UNITS[unit.toLowerCase() === "k" ? "k" : unit.toLowerCase() === "m" ? "m" : ""];
  const amount = Math.round(Number(digits) * times * 1e6) / 1e6;
  return Number.isInteger(amount) && (times > 1 || !digits.includes(".")) ? amount : null;
}
