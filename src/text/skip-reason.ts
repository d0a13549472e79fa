/** Why a file is not indexed, in the words that users read. */
export const skipReason = (reason: string): string => (reason === "secret" ? "may hold secrets" : reason);
