; Comments of Bash.
(comment) @comment
