import { utf8Length } from '../../text/utf8-length.ts'
import { agentFolders, agentBounds, type AgentDefinition } from './agent-definition.ts'
import { readAgentFile } from './agent-file.ts'
import { builtInAgents } from './built-in-agents.ts'

/** A file of a repository, or a folder that is not read completely; `text` null: it could not be read. */
export type AgentFile = { path: string; text: string } | Unread
/** `why`: the end of a sentence that begins with the path. */
type Unread = { path: string; text: null; why: string }

/** `from`: the path of its file; null: built in. */
export type NamedAgent = AgentDefinition & { from: string | null }

/** `problems` and `notes` are sentences for people, each beginning with its file. */
export type NamedAgents = { agents: NamedAgent[]; problems: string[]; notes: string[] }

/**
 * A project's agents, from the files of its base branch. A name counts once: `.beadloom/agents` before `.claude/agents`
 * before the built-in ones. A file that is no agent does not affect the others.
 */
export function agentsByName(files: readonly AgentFile[]): NamedAgents {
  const agents = new Map<string, NamedAgent>()
  const [problems, notes]: [string[], string[]] = [[], []]
  let bytes = 0
  let looked = 0
  for (const file of inTurn(files)) {
    const { path } = file
    if (file.text === null) {
      problems.push(`${path} ${file.why}`)
      continue
    }
    looked += utf8Length(file.text)
    if (looked > agentBounds.readBytes) {
      problems.push(`${path} is left out: the files of all agents have more than ${agentBounds.readBytes / 1024} KiB`)
      continue
    }
    const read = readAgentFile(path, file.text)
    if ('problem' in read) {
      problems.push(read.problem)
      continue
    }
    const { agent } = read
    const known = agents.get(agent.name)
    if (known) {
      notes.push(`${path}: ${known.from} already has an agent ${agent.name}, which is used`)
      continue
    }
    bytes += utf8Length(agent.prompt) + utf8Length(agent.description)
    if (bytes > agentBounds.allBytes) {
      problems.push(`${path} is left out: the prompts of all agents have more than ${agentBounds.allBytes / 1024} KiB`)
      continue
    }
    notes.push(...read.notes)
    agents.set(agent.name, { ...agent, from: path })
  }
  for (const agent of builtInAgents) if (!agents.has(agent.name)) agents.set(agent.name, { ...agent, from: null })
  return { agents: [...agents.values()], problems, notes }
}

/** By folder, then by name: the order of a listing must not decide which agent counts. */
const inTurn = (files: readonly AgentFile[]): AgentFile[] =>
  files.toSorted((a, b) => folderOf(a) - folderOf(b) || (a.path < b.path ? -1 : 1))

const folderOf = ({ path }: AgentFile): number =>
  agentFolders.findIndex((folder) => `${path}/`.startsWith(`${folder}/`))
