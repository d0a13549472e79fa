; Imports of Java, and the package that a file declares.
;
; @import is the statement, @specifier the imported path as written, @name its last part, @alias the name here.

(package_declaration [(identifier) (scoped_identifier)] @package)

; import a.b.C, import a.b.C.Inner, import static a.b.C.member
(import_declaration
  [
    (identifier) @name @alias
    (scoped_identifier name: (identifier) @name @alias)
  ] @specifier
  . ";") @import

; import a.b.*, import static a.b.C.*
(import_declaration
  [(identifier) (scoped_identifier)] @specifier
  (asterisk)
  (#set! star "true")) @import

; The files that a module-info names; binds nothing.
(uses_module_directive
  type: (_) @specifier) @import

(provides_module_directive
  [(identifier) (scoped_identifier)] @specifier) @import
