"""What was found, shown: codes and numbers become sentences, tables and JSON at the very end."""
