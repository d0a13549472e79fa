; Imports of Swift: modules, which are stars, or one name of a module.

; import M   @testable import M
((import_declaration
  (modifiers (attribute (user_type (type_identifier) @_attribute)))
  (identifier . (simple_identifier) @specifier .)) @import
  (#eq? @_attribute "_exported")
  (#set! kind "reexport")
  (#set! star "true"))

((import_declaration (identifier . (simple_identifier) @specifier .)) @import
  (#not-match? @import "^@_exported\\s")
  (#set! star "true"))

; import struct M.T
(import_declaration
  (identifier . (simple_identifier) @specifier . (simple_identifier) @name @alias .)) @import
