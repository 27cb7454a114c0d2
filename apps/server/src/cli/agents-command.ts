import type { Command } from 'commander'
import type { AgentView } from '@beadloom/core/agents-api.ts'
import type { CommandContext } from './context.ts'
import { print, table, type Cell } from './output.ts'
import { paintOf, type Paint } from './paint.ts'

export function addAgentsCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'agents',
      description: 'the agents that can work on beads: version, image, model',
      more: 'A project names its agent in beadloom.json ("agent"); "beadloom run BEAD --agent NAME" is for one run. An agent\'s image is made once, when it is first needed.',
      examples: ['beadloom agents', "beadloom agents --json | jq '.items[] | select(.model.ok) | .name'"],
    })
    .action(
      context.run(async ({ api, json }) => {
        const agents = await api.get<{ items: AgentView[] }>('/api/agents')
        const { columns, colour } = context.terminal
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
    { text: agent.model.text, paint: agent.model.ok ? paint.plain : paint.yellow },
  ])
  return table([head, ...rows], columns)
}

function sizeOf({ image }: AgentView): string {
  if (!image) return '–'
  return image.bytes === null ? 'not made yet' : `${Math.round(image.bytes / 1e6)} MB`
}
