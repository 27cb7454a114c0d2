import { oneLine } from '../../text/one-line.ts'
import {
  agentBounds,
  agentNamePattern,
  grantableTools,
  type AgentDefinition,
  type GrantableTool,
} from './agent-definition.ts'
import { readFrontMatter } from './front-matter.ts'

/**
 * `notes`: parts of a good file that do not count here. `problem`: why the file is no agent. Both are sentences for
 * people.
 */
export type ReadAgent = { agent: AgentDefinition; notes: string[] } | { problem: string }

const KEYS = ['name', 'description', 'tools', 'disallowedTools', 'model'] as const
/** More than anybody gives an agent. */
const MOST_TOOLS = 100

/** Claude Code's names for these tools, in small letters. */
const otherNames: Record<string, GrantableTool> = {
  read: 'read_file',
  write: 'write_file',
  edit: 'edit_file',
  multiedit: 'edit_file',
  grep: 'search',
  glob: 'search',
  ls: 'search',
}

/** An agent's file: name, description, tools and model above its system prompt, as people have them for Claude Code. */
export function readAgentFile(path: string, text: string): ReadAgent {
  const problem = (why: string) => ({ problem: `${path} is not an agent: ${why}` })
  if (text.includes('\0')) return problem('it is not text')
  const head = readFrontMatter(text, KEYS)
  if ('problem' in head) return problem(head.problem)
  const { values, body } = head
  const one = (key: (typeof KEYS)[number]) => {
    const value = values.get(key) ?? ''
    return typeof value === 'string' ? oneLine(value) : null
  }
  const [name, description, model] = [one('name'), one('description'), one('model')]
  const used = name || (path.split('/').at(-1) ?? '').replace(/\.md$/, '')
  if (name === null || !agentNamePattern.test(used))
    return problem(`its name ${JSON.stringify(used.slice(0, 80))} is not made of small letters, digits and hyphens`)
  if (!description) return problem('it has no "description", which says when it is the right agent')
  if (description.length > agentBounds.description)
    return problem(`its description has more than ${agentBounds.description} characters`)
  if (model === null || model.length > 200) return problem('its "model" is not one name')
  if (body === '') return problem('there is no prompt below its head')
  const tools = toolsOf(values.get('tools'), values.get('disallowedTools'))
  if ('problem' in tools) return problem(tools.problem)
  const agent = { name: used, description, tools: tools.tools, model: inherits(model) ? null : model, prompt: body }
  return { agent, notes: tools.notes.map((note) => `${path}: ${note}`) }
}

const inherits = (model: string): boolean => model === '' || model === 'inherit'

type Tools = { tools: GrantableTool[] | null; notes: string[] } | { problem: string }

function toolsOf(given: string | string[] | undefined, denied: string | string[] | undefined): Tools {
  const [wanted, unwanted] = [namesIn(given), namesIn(denied)]
  if (wanted.length + unwanted.length > MOST_TOOLS) return { problem: `it names more than ${MOST_TOOLS} tools` }
  const all = wanted.length === 0 || wanted.includes('*')
  const known = all ? [...grantableTools] : wanted.flatMap((name) => toolNamed(name) ?? [])
  const without = new Set(unwanted.map((name) => toolNamed(name.replace(/\(.*/, ''))))
  const tools = grantableTools.filter((tool) => known.includes(tool) && !without.has(tool))
  if (tools.length === 0) return { problem: `the built-in agent has none of its tools (${grantableTools.join(', ')})` }
  const unknown = all ? [] : wanted.filter((name) => toolNamed(name) === null)
  const notes = unknown.length === 0 ? [] : [`these tools are ignored: ${unknown.slice(0, 20).join(', ')}`]
  return { tools: all && without.size === 0 ? null : tools, notes }
}

/** A list, or names separated by commas; a name may have commas in brackets: `Bash(git log:*, git diff:*)`. */
const namesIn = (given: string | string[] | undefined): string[] =>
  (typeof given === 'string' ? splitNames(given) : (given ?? []))
    .map((name) => oneLine(name).slice(0, 100))
    .filter(Boolean)

function splitNames(text: string): string[] {
  const names: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (text[at] !== ',' || depth > 0) continue
    names.push(text.slice(start, at))
    start = at + 1
  }
  return [...names, text.slice(start)]
}

/** Null: no such tool, or only a part of one, which cannot be granted here. */
function toolNamed(name: string): GrantableTool | null {
  const small = name.toLowerCase()
  return grantableTools.find((tool) => tool === small) ?? (Object.hasOwn(otherNames, small) ? otherNames[small]! : null)
}
