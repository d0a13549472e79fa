/** The type of the variables of a process's environment. */
export type Variables = Readonly<Record<string, string | undefined>>;
