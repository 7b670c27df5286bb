"""The problem bank: reading templates, drawing fair variants, proving them, sets, words, and the author's check."""
