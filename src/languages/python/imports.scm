; Imports of Python, and the names in __all__.
;
; One match binds one name: @import is the statement (matches of one statement are merged), @specifier the module as
; written, @name the name there, @alias the name here.

; import a.b        binds the whole path, because the qualifier of `a.b.f()` is a.b
(import_statement
  name: (dotted_name) @specifier @alias
  (#set! name "*")) @import

; import a.b as c
(import_statement
  name: (aliased_import
    name: (dotted_name) @specifier
    alias: (identifier) @alias)
  (#set! name "*")) @import

; from a import b
(import_from_statement
  module_name: (_) @specifier
  name: (dotted_name) @name @alias) @import

; from a import b as c
(import_from_statement
  module_name: (_) @specifier
  name: (aliased_import
    name: (dotted_name) @name
    alias: (identifier) @alias)) @import

; from a import *
(import_from_statement
  module_name: (_) @specifier
  (wildcard_import)
  (#set! star "true")) @import

; x = importlib.import_module("a.b"), but not with the literal parts of an f-string
(assignment
  left: (identifier) @alias
  right: (call
    function: (_) @_function
    arguments: (argument_list . (string (string_start) . (string_content) @specifier . (string_end)))) @import
  (#any-of? @_function "importlib.import_module" "import_module" "__import__")
  (#set! kind "dynamic")
  (#set! name "*"))

(call
  function: (_) @_function
  arguments: (argument_list . (string (string_start) . (string_content) @specifier . (string_end)))
  (#any-of? @_function "importlib.import_module" "import_module" "__import__")
  (#set! kind "dynamic")) @import

; [sys.executable, "-m", "a.b"]: runs a.b, and a.b.__main__ of a package
(list
  .
  [(attribute) (string)] @_python
  .
  (string (string_content) @_option)
  .
  (string (string_start) . (string_content) @specifier . (string_end))
  (#any-of? @_python "sys.executable" "\"python\"" "\"python3\"" "'python'" "'python3'")
  (#eq? @_option "-m")
  (#set! kind "dynamic")
  (#set! name "__main__")) @import

; run(sys.executable, "-m", "a.b")
(argument_list
  .
  (attribute) @_python
  .
  (string (string_content) @_option)
  .
  (string (string_start) . (string_content) @specifier . (string_end))
  (#eq? @_python "sys.executable")
  (#eq? @_option "-m")
  (#set! kind "dynamic")
  (#set! name "__main__")) @import

; Imports in these blocks are for type checkers only.
(if_statement
  condition: (_) @_condition
  consequence: (block) @types_only
  (#any-of? @_condition "TYPE_CHECKING" "typing.TYPE_CHECKING" "t.TYPE_CHECKING"))

; __all__ = ["a", "b"]
(module
  (expression_statement
    (assignment
      left: (identifier) @_all
      right: [
        (list (string (string_content) @export))
        (tuple (string (string_content) @export))
      ]))
  (#eq? @_all "__all__"))

(module
  (expression_statement
    (augmented_assignment
      left: (identifier) @_all
      right: [
        (list (string (string_content) @export))
        (tuple (string (string_content) @export))
      ]))
  (#eq? @_all "__all__"))
