import type { NamedAgentView, NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import { table, type Cell } from '../terminal/output.ts'
import type { Paint } from '../terminal/paint.ts'
import { oneLiner, wrapText } from '../terminal/terminal-text.ts'

/**
 * The agents that a project's built-in agent can ask, and below the table the problems of files that are not agents.
 */
export function namedListOf({ items, problems, notes }: NamedAgentsView, columns: number, paint: Paint): string {
  const head: Cell[] = ['AGENT', 'TOOLS', 'MODEL', 'FROM', 'DESCRIPTION'].map((text) => ({ text, paint: paint.dim }))
  const parts = [table([head, ...items.map((agent) => row(agent, paint))], columns)]
  const lines = [...problems, ...notes].map((line) => wrapText(oneLiner(line), columns).join('\n'))
  return [...parts, ...(lines.length > 0 ? [lines.join('\n')] : [])].join('\n\n')
}

const row = ({ name, tools, model, from, description }: NamedAgentView, paint: Paint): Cell[] => [
  { text: oneLiner(name), paint: paint.bold },
  tools === null ? 'all' : tools.join(','),
  oneLiner(model ?? '–'),
  oneLiner(from ?? 'built in'),
  oneLiner(description),
]
