"""Widgets: small benches where one edits inputs, predicts, and sees what the engine computes."""
