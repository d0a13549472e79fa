; Imports of Go, and the package that a file belongs to.
;
; @import is one import, @specifier the path as written, @alias the name here. Without an alias, the language style
; guesses the name from the path, because only the package's own files declare it.

(package_clause (package_identifier) @package)

; import "a/b"
(import_spec
  !name
  path: (_ [
    (interpreted_string_literal_content)
    (raw_string_literal_content)
  ] @specifier)
  (#set! name "*")) @import

; import b "a/b"
(import_spec
  name: (package_identifier) @alias
  path: (_ [
    (interpreted_string_literal_content)
    (raw_string_literal_content)
  ] @specifier)
  (#set! name "*")) @import

; import . "a/b"
(import_spec
  name: (dot)
  path: (_ [
    (interpreted_string_literal_content)
    (raw_string_literal_content)
  ] @specifier)
  (#set! star "true")) @import

; import _ "a/b"
(import_spec
  name: (blank_identifier)
  path: (_ [
    (interpreted_string_literal_content)
    (raw_string_literal_content)
  ] @specifier)) @import
