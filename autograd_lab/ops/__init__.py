"""The cards, by chapter. A chapter is opened when one of its ops is first asked for; `every.py` opens all."""
