; Imports of Zig, which are read from the text (`import-clauses.ts`).

; const a = @import("a.zig"), const B = @import("b.zig").B
(variable_declaration [
  (builtin_function)
  (field_expression object: (builtin_function))
  (field_expression object: (field_expression object: (builtin_function)))
]) @import

(using_namespace_declaration (builtin_function)) @import

; An import leads to its file wherever it is, also in those above.
((builtin_function (builtin_identifier) @_import) @import
  (#eq? @_import "@import"))
