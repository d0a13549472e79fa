; Comments of Go.
(comment) @comment
