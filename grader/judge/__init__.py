"""How an answer is judged: compare, follow, explain, score. Pure: arrays and words in, words out."""
