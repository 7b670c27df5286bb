"""Worksheets: written from variants, collected from folders, and read back, number by number.

unreadable   why a text could not be read
normal       other ways of typing the same characters
expression   the grammar of one number
tree         its tree, evaluated exactly where it is rational
numbers      one number to a cell, and a cell to text
matrix       pasted matrices to cells
answers      one blank to an answer
read         a file to its front matter and raw answers
collect      a folder to a submission
layout       matrices and blanks as text
render       a template's words to Markdown
phrases      the worksheet's own words
write        a variant to a file
"""
