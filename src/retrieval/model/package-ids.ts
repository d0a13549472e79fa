/** The version of the published JSON, and the ids in it. Apart from its schema, which making a package does not need. */

export const SCHEMA_VERSION = 1;

/** The id of a symbol. Two symbols of one name (overloads) are told apart by their line. */
export const symbolId = (path: string, qualifiedName: string, startLine: number): string =>
  `${path}#${qualifiedName}:${startLine}`;
