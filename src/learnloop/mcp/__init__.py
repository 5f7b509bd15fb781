"""The MCP server of `learn mcp`: lessons for agents that ask. Needs the extra `learnloop[mcp]`."""
