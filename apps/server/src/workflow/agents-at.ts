import { agentFolders, agentBounds } from '@beadloom/core/agents/named/agent-definition.ts'
import { agentsByName, type AgentFile, type NamedAgents } from '@beadloom/core/agents/named/agents-by-name.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { HubError, type Hub } from '../ports/hub.ts'

type Files = Pick<Hub, 'readFile' | 'filesIn'>

/** A commit's agents by name. Only the base branch's count: an agent's own branch must not choose who works for it. */
export async function agentsAt(hub: Files, project: ProjectId, commit: string): Promise<NamedAgents> {
  const found: AgentFile[] = []
  for (const folder of agentFolders) found.push(...(await filesOf(hub, project, commit, folder)))
  return agentsByName(found)
}

/** Any other name could be anything at the places that show it. */
const PLAIN = /^[\w.-]{1,100}\.md$/

async function filesOf(hub: Files, project: ProjectId, commit: string, folder: string): Promise<AgentFile[]> {
  const names = (await hub.filesIn(project, commit, folder)).filter((name) => name.endsWith('.md')).toSorted()
  const odd = names.filter((name) => !PLAIN.test(name))
  const plain = names.filter((name) => PLAIN.test(name) && name !== 'README.md')
  const tooMany = plain.length > agentBounds.files
  return [
    ...(await Promise.all(
      plain.slice(0, agentBounds.files).map((name) => readOne(hub, project, commit, `${folder}/${name}`)),
    )),
    ...(odd.length > 0
      ? [unread(folder, 'has a file whose name is not made of letters, digits, dots and hyphens')]
      : []),
    ...(tooMany ? [unread(folder, `has ${plain.length} files, of which the first ${agentBounds.files} are read`)] : []),
  ]
}

const unread = (path: string, why: string): AgentFile => ({ path, text: null, why })

async function readOne(hub: Files, project: ProjectId, commit: string, path: string): Promise<AgentFile> {
  try {
    const text = await hub.readFile(project, commit, path, agentBounds.fileBytes)
    return text === null ? { path, text, why: 'is left out: it is not a regular file' } : { path, text }
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    const most = agentBounds.fileBytes.toLocaleString('en-US')
    return {
      path,
      text: null,
      why: `is left out: ${error.kind === 'refused' ? `it has more than ${most} bytes` : error.message}`,
    }
  }
}
