"""What runs inside the process of a submission. See `child.py` for the map; nothing here imports anything of ours."""
