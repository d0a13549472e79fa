; Imports of Scala, and the package that a file declares. What an import names is read from its text
; (`scala-imports.ts`): the tree has the names of all its clauses in one row.

; Each clause without a block is inside the one before it.
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

; What the outer of two clauses names is seen without an import.
(compilation_unit
  (package_clause name: (_) @specifier !body) @import
  . (package_clause !body)
  (#set! star "true"))

(import_declaration) @import

(export_declaration) @import
