"""The command line: one file per verb in verbs/, found without a registry."""
