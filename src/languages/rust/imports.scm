; Imports of Rust: the names of `use`, which are read from its text, the files of `mod`, and the programs that tests run.

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

; Command::cargo_bin("name")
(call_expression
  function: [(identifier) @_function (scoped_identifier name: (identifier) @_function)]
  arguments: (arguments . (string_literal (string_content) @specifier))
  (#any-of? @_function "cargo_bin" "get_cargo_bin")
  (#set! kind "dynamic")) @import

; cargo_bin!("name")
(macro_invocation
  macro: [(identifier) @_macro (scoped_identifier name: (identifier) @_macro)]
  (token_tree . (string_literal (string_content) @specifier))
  (#any-of? @_macro "cargo_bin" "cargo_bin_cmd")
  (#set! kind "dynamic")) @import

; env!("CARGO_BIN_EXE_name")
(macro_invocation
  macro: (identifier) @_macro
  (token_tree . (string_literal (string_content) @specifier))
  (#eq? @_macro "env")
  (#match? @specifier "^CARGO_BIN_EXE_")
  (#set! kind "dynamic")) @import
