const REJECTED = "This tool call was rejected by the user"
const started = new Set()
let session = ""
let folder = ""

// Who acts: the session, or a subagent in it.
const who = ({ snapshot }) => ({
  session_id: session || snapshot.conversationId,
  cwd: folder,
  ...(snapshot.parentAgentId && { agent_id: snapshot.agentId, agent_type: "subagent" }),
})

// What the person typed, without the marks that the client puts around it.
const typed = (message) => {
  const text = words(message?.content ?? [])
  const open = text.indexOf(">", text.indexOf("<user_input"))
  const end = text.lastIndexOf("</user_input>")
  return text.includes("<user_input") && 0 <= open && open < end ? text.slice(open + 1, end) : text
}

const call = (c) => {
  const { commands } = c.input ?? {}
  const line = (part) => (typeof part === "string" ? part : [part.command, ...(part.args ?? [])].join(" "))
  const input = Array.isArray(commands) ? { command: commands.map(line).join("\n") } : c.input
  return { ...who(c), tool_name: c.tool.name, tool_input: input, tool_use_id: c.toolCall?.toolCallId }
}

// How a call went wrong: `error` where it failed, `refused` where the person said no.
const failure = ({ output, isError }) => {
  const bad = [output].flat().find((part) => part?.success === false || part?.error)
  if (isError && `${bad?.error}`.startsWith(REJECTED)) return { refused: true }
  return isError || bad ? { error: [bad?.error, bad?.result].filter(Boolean).join("\n") || JSON.stringify(output) } : undefined
}

const ENDS = { completed: "afterRun", aborted: "runAborted" }

export default {
  name: "learnloop",
  manifest: { capabilities: ["hooks"] },
  setup: (_api, context) => {
    session = context?.session?.sessionId ?? session
    folder = context?.workspaceInfo?.rootPath ?? (folder || process.cwd())
  },
  hooks: {
    beforeRun: quietly((c) => {
      const { messages = [], parentAgentId } = c.snapshot
      const agent = who(c)
      const texts = []
      const key = agent.agent_id ?? agent.session_id
      const source = messages.length > 1 ? "resume" : "startup"
      if (!started.has(key)) texts.push(ask(parentAgentId ? "subagentStart" : "sessionStart", { ...agent, source }).context)
      started.add(key)
      if (!parentAgentId) texts.push(ask("beforeRun", { ...agent, prompt: typed(messages.at(-1)) }).context)
      const text = texts.filter(Boolean).join("\n")
      return text ? { appendContext: text } : undefined
    }),
    beforeTool: quietly((c) => {
      const { deny, context } = ask("beforeTool", call(c))
      return deny ? { skip: true, reason: deny } : context ? { appendContext: context } : undefined
    }),
    afterTool: quietly((c) => {
      const failed = failure(c.result ?? {})
      ask(failed?.error ? "toolFailed" : "afterTool", { ...call(c), ...failed })
    }),
    afterRun: quietly((c) => {
      const { status, outputText } = c.result ?? {}
      const name = c.snapshot.parentAgentId ? "subagentEnd" : (ENDS[status] ?? "runFailed")
      ask(name, { ...who(c), last_assistant_message: outputText, error: status })
    }),
  },
}
