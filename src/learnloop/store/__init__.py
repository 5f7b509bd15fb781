"""The only importer of TinyDB: segments, locked storage, repositories, migrations."""
