/** A reference with less confidence than this is a guess, such as one that may mean any of several symbols with the same name. */
export const CONFIDENCE_MIN = 0.5;
