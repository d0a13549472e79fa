; Imports of Solidity, which are read from the text (`import-clauses.ts`).

(import_directive) @import
