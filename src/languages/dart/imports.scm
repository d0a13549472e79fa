; Imports of Dart, which are read from their text (`import-clauses.ts`). A "require_reexport" is a part of the library, a "require" the
; library of a part.

(library_import) @import

((library_export) @import
  (#set! kind "reexport"))

((part_directive) @import
  (#set! kind "require_reexport"))

((part_of_directive) @import
  (#set! kind "require"))
