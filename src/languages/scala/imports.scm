; Imports of Scala, and the package that a file declares. The names of an import are read from its text
; (`imports.ts`), because the tree lists the names of all clauses in one sequence.

; A package clause without a block is inside the one before it.
(compilation_unit
  (package_clause name: (_) @package !body)
  (#set! package "nested"))

(compilation_unit
  . [(comment) (block_comment)]*
  . (package_clause name: (_) @package body: (_))
  (#set! package "nested"))

(package_clause
  body: (template_body
    . [(comment) (block_comment)]*
    . (package_clause name: (_) @package body: (_)) .)
  (#set! package "nested"))

; The package of the outer clause is visible without an import.
(compilation_unit
  (package_clause name: (_) @specifier !body) @import
  . (package_clause !body)
  (#set! star "true"))

(import_declaration) @import

(export_declaration) @import
