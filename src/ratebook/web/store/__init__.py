"""What a web server keeps beside the book: accounts, sessions, tokens, previews, jobs and a log; all SQL of it."""
