; Imports of Kotlin, and the package that a file declares.
;
; @import is the statement, @specifier the imported path as written, @name its last part, @alias the name here.

(package_header (qualified_identifier) @package)

; import a.b.C
((import
  (qualified_identifier (identifier) @name @alias .) @specifier .) @import
  (#not-match? @import "[.][*]"))

; import a.b.C as D
(import
  (qualified_identifier (identifier) @name .) @specifier
  (identifier) @alias) @import

; import a.b.*
(import
  (qualified_identifier) @specifier
  "*"
  (#set! star "true")) @import
