"""A report that is typed at the prompt: its questions, and corrections of a finished one."""
