"""Reading what people send: foreign bytes are parsed in a child process that can do little and has little."""
