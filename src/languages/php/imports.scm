; Imports of PHP, and the namespace of the file.
;
; `use A\B\C` imports the name C from A\B: @specifier is the namespace, @name the name there, @alias the name here. A
; name without a namespace is its own specifier, with the name "*".

; part path
[
  (string . (string_content) @specifier .)
  (encapsed_string . (string_content) @specifier .)
  (binary_expression
    left: [(name) (function_call_expression)]
    right: [(string . (string_content) .) (encapsed_string . (string_content) .)]) @specifier
]
; end

(namespace_definition name: (namespace_name) @package)

; use A\B\C; use function A\f; use A\C, B\D;
(namespace_use_declaration
  (namespace_use_clause
    (qualified_name
      (namespace_name) @specifier
      (name) @name @alias)
    !alias)) @import

; use A\B\C as D;
(namespace_use_declaration
  (namespace_use_clause
    (qualified_name
      (namespace_name) @specifier
      (name) @name)
    alias: (name) @alias)) @import

; use C; use \C;
(namespace_use_declaration
  (namespace_use_clause
    [
      (name) @specifier @alias
      (qualified_name . "\\" . (name) @specifier @alias)
    ]
    !alias)
  (#set! name "*")) @import

; use C as D;
(namespace_use_declaration
  (namespace_use_clause
    [
      (name) @specifier
      (qualified_name . "\\" . (name) @specifier)
    ]
    alias: (name) @alias)
  (#set! name "*")) @import

; use A\{B, C as D, E\F};
(namespace_use_declaration
  (namespace_name) @specifier
  body: (namespace_use_group
    (namespace_use_clause
      [
        (name) @name @alias
        (qualified_name (name) @alias) @name
      ]
      !alias))) @import

(namespace_use_declaration
  (namespace_name) @specifier
  body: (namespace_use_group
    (namespace_use_clause
      [(name) (qualified_name)] @name
      alias: (name) @alias))) @import

; require "x.php"; require __DIR__ . "/x.php"; require dirname(__DIR__) . "/x.php";
(require_expression {path} (#set! kind "require")) @import

(require_expression (parenthesized_expression {path}) (#set! kind "require")) @import

(require_once_expression {path} (#set! kind "require")) @import

(require_once_expression (parenthesized_expression {path}) (#set! kind "require")) @import

(include_expression {path} (#set! kind "require")) @import

(include_expression (parenthesized_expression {path}) (#set! kind "require")) @import

(include_once_expression {path} (#set! kind "require")) @import

(include_once_expression (parenthesized_expression {path}) (#set! kind "require")) @import
