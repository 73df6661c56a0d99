"""Tables as people keep them: CSV and Excel files, columns by many names, dates and figures in many spellings."""
