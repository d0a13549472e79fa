/** A part of an address as it is called: `app/[id].ts` for `app/%5Bid%5D.ts`. Unchanged where a percent sign is meant literally. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
