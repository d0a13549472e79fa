; Imports of Rust: the names of `use`, which are read from its text, and the files of `mod`.

(use_declaration) @import

(extern_crate_declaration
  name: (_) @specifier @alias
  !alias
  (#set! name "*")) @import

(extern_crate_declaration
  name: (_) @specifier
  alias: (_) @alias
  (#set! name "*")) @import

; #[path = "file.rs"] mod a;
((attribute_item
  (attribute
    (identifier) @_path
    value: (_ (string_content) @specifier)))
  .
  (attribute_item)*
  .
  (mod_item name: (_) @alias !body) @import
  (#eq? @_path "path")
  (#set! kind "require")
  (#set! name "*"))

; mod a;
(mod_item
  name: (_) @specifier @alias
  !body
  (#set! kind "require")
  (#set! name "*")) @import
