; Comments of Python. Documentation strings are in symbols.scm.
(comment) @comment
