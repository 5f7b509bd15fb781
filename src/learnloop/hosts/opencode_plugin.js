// Shared by all copies that are loaded: of one event only the first of them makes something.
const shared = (globalThis[Symbol.for("learnloop.opencode")] ??= { seen: new Set(), sessions: new Map(), calls: new Map() })
const MOST = 10_000

const isFirst = (key) => {
  if (shared.seen.size > MOST) shared.seen.clear()
  return !shared.seen.has(key) && Boolean(shared.seen.add(key))
}

// `opencode run` puts a prompt of several words in quotation marks.
const unquoted = (text) => (/^"(?:[^"\\]|\\.)*"$/s.test(text) ? text.slice(1, -1).replaceAll('\\"', '"') : text)

const note = (info, source) => {
  if (shared.sessions.size > MOST) shared.sessions.clear()
  const session = { parent: info.parentID, agent: info.agent, source, answer: "", isBusy: false }
  shared.sessions.set(info.id, session)
  return session
}

export const Learnloop = async ({ client, directory }) => {
  const of = (id) => shared.sessions.get(id) ?? note({ id }, "resume")

  // Who acts: a session, or a subagent, whose session is below another one.
  const who = (id) => {
    let root = id
    for (let depth = 0; depth < 9 && of(root).parent; depth++) root = of(root).parent
    const agent = root === id ? {} : { agent_id: id, agent_type: of(id).agent ?? "subagent" }
    return { session_id: root, cwd: directory, ...agent }
  }

  // A session from before this process may be that of a subagent.
  const look = async (id) => {
    if (shared.sessions.has(id)) return
    const late = new Promise((resolve) => setTimeout(resolve, 1000).unref?.())
    const session = await Promise.race([client?.session?.get({ path: { id } }), late]).catch(() => undefined)
    note(session?.data ?? { id }, "resume")
  }

  // The end of a turn, once: later signs of it say nothing new.
  const end = (id, event, fields = {}) => {
    const session = of(id)
    if (session.isBusy) ask(session.parent ? "subagent.idle" : event, { ...who(id), ...fields, last_assistant_message: session.answer })
    session.isBusy = false
  }

  // Why a call may not run, if it may not.
  const before = quietly(({ tool, sessionID, callID }, { args }) => {
    if (!isFirst(`before ${callID}`)) return
    const call = { tool_name: tool, tool_input: args, tool_use_id: callID }
    if (shared.calls.size > MOST) shared.calls.clear()
    shared.calls.set(callID, call)
    return ask("tool.execute.before", { ...who(sessionID), ...call }).deny
  })

  const events = {
    "session.created": ({ info }) => shared.sessions.has(info.id) || note(info, "startup"),
    "session.idle": ({ sessionID }) => end(sessionID, "session.idle"),
    "session.error": ({ sessionID, error }) =>
      sessionID && end(sessionID, error?.name === "MessageAbortedError" ? "session.aborted" : "session.error", { error: error?.name }),
    "session.compacted": ({ sessionID }) => ask("session.compacted", who(sessionID)),
    "permission.asked": ({ id, sessionID, tool }) => isFirst(id) && ask("permission.asked", { ...who(sessionID), ...shared.calls.get(tool?.callID) }),
    "permission.replied": ({ sessionID, reply }) => reply === "reject" && end(sessionID, "permission.rejected"),
  }

  return {
    event: quietly(({ event }) => void events[event.type]?.(event.properties)),
    "chat.message": quietly(async ({ sessionID }, { message, parts }) => {
      if (!isFirst(message.id)) return
      await look(sessionID)
      const session = of(sessionID)
      const [prompt, last] = [unquoted(words(parts)), parts.at(-1)]
      const texts = []
      if (!session.isKnown) texts.push(ask(session.parent ? "subagent.created" : "session.created", { ...who(sessionID), source: session.source }).context)
      if (!session.parent) texts.push(ask("chat.message", { ...who(sessionID), prompt }).context)
      Object.assign(session, { isKnown: true, isBusy: true, answer: "" })
      const text = texts.filter(Boolean).join("\n")
      if (text) parts.push({ id: `${last.id}l`, sessionID, messageID: message.id, type: "text", text, synthetic: true })
    }),
    "experimental.text.complete": quietly(({ sessionID }, { text }) => {
      Object.assign(of(sessionID), { isBusy: true, answer: text })
    }),
    "tool.execute.before": async (...given) => {
      const deny = await before(...given)
      if (deny) throw new Error(deny)
    },
    "tool.execute.after": quietly(({ tool, sessionID, callID, args }, output) => {
      if (!isFirst(`after ${callID}`)) return
      const call = { ...who(sessionID), tool_name: tool, tool_input: args, tool_use_id: callID }
      const exit = output.metadata?.exit
      if (exit !== undefined && exit !== 0) ask("tool.failed", { ...call, error: output.output, is_interrupt: exit === null })
      else {
        const { context } = ask("tool.execute.after", { ...call, tool_response: output.output })
        if (context) output.output += `\n\n${context}`
      }
    }),
  }
}
