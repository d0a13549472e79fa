/** A condition on a list of values, passed whole: one statement for any number of them. */

/** What follows the column. The list is the statement's first value. */
export const IN_LIST = "in (select value from json_each(?1))";

/** The value for `IN_LIST`. */
export const list = (values: readonly (number | string)[]): string => JSON.stringify(values);
