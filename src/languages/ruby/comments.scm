; Comments of Ruby.
(comment) @comment
