; Comments of Elixir. Documentation is in symbols.scm.
(comment) @comment
