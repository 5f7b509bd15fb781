"""How lessons come in without hooks: transcripts, other tools, texts. May import every room but health."""
