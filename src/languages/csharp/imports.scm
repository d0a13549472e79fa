; Imports of C#, and the namespace of the file.
;
; `using A.B` is a star: it imports every type of a namespace. A "reexport" is a global one, which also applies to the
; other files of its project.

(namespace_declaration name: (_) @package)

(file_scoped_namespace_declaration name: (_) @package)

; using A.B;   using static A.B.C;
((using_directive
  !name
  [(identifier) (qualified_name) (alias_qualified_name)] @specifier) @import
  (#not-match? @import "^global\\s")
  (#set! star "true"))

; using X = A.B.C;
((using_directive
  name: (_) @alias
  [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @specifier
  .
  ";") @import
  (#not-match? @import "^global\\s")
  (#set! name "*"))

; global using A.B;
((using_directive
  !name
  [(identifier) (qualified_name) (alias_qualified_name)] @specifier) @import
  (#match? @import "^global\\s")
  (#set! kind "reexport")
  (#set! star "true"))

; global using X = A.B.C;
((using_directive
  name: (_) @alias
  [(identifier) (generic_name) (qualified_name) (alias_qualified_name)] @specifier
  .
  ";") @import
  (#match? @import "^global\\s")
  (#set! kind "reexport")
  (#set! name "*"))

; extern alias X;
(extern_alias_directive name: (_) @specifier @alias (#set! name "*")) @import
