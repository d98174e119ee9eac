"""The course around the engine: who the learner is, and what they have done so far."""
