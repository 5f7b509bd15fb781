import { spawnSync } from "node:child_process"

const LONGEST_MS = 4000 // the program itself leaves after 3 s

// The answer of the hook program to one event; {} where there is none in time.
const ask = (event, fields) => {
  try {
    const input = JSON.stringify({ ...fields, hook_event_name: event })
    const options = { input, timeout: LONGEST_MS, killSignal: "SIGKILL", stdio: ["pipe", "pipe", "ignore"] }
    return JSON.parse(spawnSync(COMMAND[0], COMMAND.slice(1), options).stdout.toString() || "{}")
  } catch {
    return {}
  }
}

// A hook that never fails; what it returns is what the host gets.
const quietly = (hook) => async (...given) => {
  try {
    return await hook(...given)
  } catch {}
}

// The words of text parts that the host did not add itself.
const words = (parts) => parts.filter((p) => p.type === "text" && !p.synthetic).map((p) => p.text).join("\n")
