// Of this target only the precompiled header is used.
