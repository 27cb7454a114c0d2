import type { Command } from 'commander'
import type { EnvironmentView } from '@beadloom/core/api/environment-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import type { CommandContext } from '../context.ts'
import { Refused } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { environmentLines } from './environment-lines.ts'

/** `environment`: read anew from the base branch each time. */
export function addEnvironmentCommand(program: Command, context: CommandContext): void {
  const { terminal } = context
  context
    .command(program, {
      usage: 'environment [project]',
      description: "show what a project's files say about what it needs, and a proposal of beadloom.json",
      more: 'Toolchains, commands and services are read from the base branch, each with the file and the line that names it. Nothing is run.',
      arguments: { project: 'project id (default: the project whose folder you are in, or the only one)' },
      examples: ['beadloom environment', 'beadloom environment library --json | jq .proposal.config > beadloom.json'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const how = (id: string) => `beadloom environment ${id}`
        const view = await environmentOf(api, await chooseProject(api, { named: args[0], cwd: context.cwd, how }))
        print(terminal, json, view, () => environmentLines(view, terminal.columns).join('\n'))
      }),
    )
}

/** Null where the repository could not be read; the project's problem says why. */
export async function environmentIfRead(api: Pick<ApiClient, 'get'>, id: string): Promise<EnvironmentView | null> {
  try {
    return await environmentOf(api, id)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

const environmentOf = (api: Pick<ApiClient, 'get'>, id: string): Promise<EnvironmentView> =>
  api.get<EnvironmentView>(`/api/projects/${segment(id)}/environment`)
