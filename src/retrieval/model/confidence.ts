/** References with less confidence, such as those to one of several symbols of the same name, are guesses. */
export const CONFIDENCE_MIN = 0.5;
