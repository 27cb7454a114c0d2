import type { Command } from 'commander'
import type { AgentView, NamedAgentsView } from '@beadloom/core/api/server/agents-api.ts'
import { segment } from '../api-client.ts'
import type { CommandContext } from '../context.ts'
import { print, table, type Cell } from '../terminal/output.ts'
import { namedListOf } from './named-agents.ts'
import { paintOf, type Paint } from '../terminal/paint.ts'
import { oneLiner, wrapText } from '../terminal/terminal-text.ts'

export function addAgentsCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'agents [project]',
      description: "list the agents that can work on beads, or those that a project's built-in agent can ask",
      arguments: {
        project: 'project id: its agents by name, from .beadloom/agents and .claude/agents, and the built-in ones',
      },
      more: 'A project names its agent in beadloom.json ("agent"); "beadloom run BEAD --agent NAME" uses another one for a single execution. The image of an agent is built when it is first needed.',
      examples: [
        'beadloom agents',
        'beadloom agents library',
        "beadloom agents --json | jq '.items[] | select(.model.ok) | .name'",
      ],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const { columns, colour } = context.terminal
        if (typeof args[0] === 'string') {
          const named = await api.get<NamedAgentsView>(`/api/projects/${segment(args[0])}/agents`)
          print(context.terminal, json, named, () => namedListOf(named, columns, paintOf(colour)))
          return
        }
        const agents = await api.get<{ items: AgentView[] }>('/api/agents')
        print(context.terminal, json, agents, () => listOf(agents.items, columns, paintOf(colour)))
      }),
    )
}

export function listOf(agents: readonly AgentView[], columns: number, paint: Paint): string {
  const head: Cell[] = ['AGENT', 'VERSION', 'IMAGE', 'API', 'MODEL'].map((text) => ({ text, paint: paint.dim }))
  const rows = agents.map((agent): Cell[] => [
    { text: agent.name, paint: paint.bold },
    agent.version ?? '–',
    sizeOf(agent),
    agent.api ?? 'any',
    agent.model.ok ? agent.model.text : { text: 'none: see below', paint: paint.yellow },
  ])
  return [table([head, ...rows], columns), ...lacks(agents, columns)].join('\n\n')
}

/** Why agents have no model; the same reason only once, because the sentence is wider than the table. */
function lacks(agents: readonly AgentView[], columns: number): string[] {
  const without = Map.groupBy(
    agents.filter(({ model }) => !model.ok),
    ({ model }) => model.text,
  )
  return [...without].map(([text, those]) =>
    wrapText(`${those.map(({ name }) => name).join(', ')}: ${oneLiner(text)}`, columns).join('\n'),
  )
}

function sizeOf({ image }: AgentView): string {
  if (!image) return '–'
  return image.bytes === null ? 'not built yet' : `${Math.round(image.bytes / 1e6)} MB`
}
