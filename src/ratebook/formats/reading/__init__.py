"""What readers of every format share: fields, cells, tables of players, texts safe for spreadsheets."""
