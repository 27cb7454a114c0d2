import { Option, type Command } from 'commander'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import type { Call, CommandContext } from '../context.ts'
import { CliError, exitCode, Refused } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'
import { baseLines } from './base-lines.ts'
import { writeProposal } from './write-proposal.ts'
import { environmentLines } from './environment-lines.ts'
import { addEnvironmentPush } from './push-command.ts'

const asks = ['write', 'prove', 'stop', 'mend', 'log'] as const

/** `environment`: read anew from the base branch each time; the flags are about the commit that beads start from. */
export function addEnvironmentCommand(program: Command, context: CommandContext): void {
  const environment = context
    .command(program, {
      usage: 'environment [project]',
      description: 'show what a project needs according to its files, and whether its base passes its checks',
      more: 'Toolchains, commands and services are read from the base branch, each with the file and the line that names it, with a proposal of beadloom.json. Before a bead starts, setup and all checks run once on the commit that it starts from: failures there do not count against an agent.',
      arguments: { project: 'project id (default: the project whose folder you are in, or the only one)' },
      examples: [
        'beadloom environment',
        'beadloom environment library --write',
        'beadloom environment library --json | jq .proposal.config > beadloom.json',
        'beadloom environment library --log setup',
        'beadloom environment push library --registry registry.example/beadloom',
      ],
    })
    .option('--write', 'write the proposed beadloom.json into the working tree; values in an existing file stay')
    .option('--prove', 'run setup and all checks on the base now')
    .option('--stop', 'stop the proof; nothing starts in the project until its base is proved again')
    .option('--mend', 'create a bead that fixes the base')
    .addOption(
      new Option('--log <of>', 'print the end of what setup or the checks printed on the base').choices([
        'setup',
        'checks',
      ]),
    )
    .action(
      context.run(async (call) => {
        const { api, args, options } = call
        const asked = asks.filter((one) => options[one] !== undefined)
        if (asked.length > 1) throw new CliError(`--${asked.join(' and --')} cannot be combined`, exitCode.usage)
        const [what] = asked
        const how = (id: string) => `beadloom environment ${id}${what === undefined ? '' : ` --${what}`}`
        const id = await chooseProject(api, { named: args[0], cwd: context.cwd, how })
        await (what === undefined ? show(context, call, id) : ask(context, call, id, what))
      }),
    )
  // Options after `push` belong to it, even those with the same name here.
  environment.enablePositionalOptions()
  addEnvironmentPush(environment, context)
}

async function show({ terminal }: CommandContext, { api, json }: Call, id: string): Promise<void> {
  const view = await environmentOf(api, id)
  const now = json ? 0 : (await api.get<{ now: number }>('/api/status')).now
  print(terminal, json, view, () =>
    [...environmentLines(view, terminal.columns), ...baseLines(view.proof, now, terminal.columns)].join('\n'),
  )
}

async function ask(
  { terminal }: CommandContext,
  { api, json, options }: Call,
  id: string,
  what: (typeof asks)[number],
): Promise<void> {
  const path = `/api/projects/${segment(id)}/environment`
  if (what === 'write') {
    const source = await api.get<ProjectView>(`/api/projects/${segment(id)}`)
    const { path: written, added } = await writeProposal(source, await environmentOf(api, id))
    return print(
      terminal,
      json,
      { written, added },
      () => `Wrote ${added.join(', ')} into ${written}. Look at it, change it, and commit it.`,
    )
  }
  if (what === 'log') {
    let text = ''
    for await (const piece of api.stream(`${path}/log?of=${String(options['log'])}`)) text += piece
    return print(terminal, json, { text }, () => plainText(text.trimEnd()))
  }
  if (what === 'mend') {
    const bead = await api.send<BeadView>('POST', `${path}/mend`)
    return print(terminal, json, bead, () => `${bead.id}: ${oneLiner(bead.title)}`)
  }
  const project = await api.send<ProjectView>('POST', `${path}/${what}`)
  print(terminal, json, project, () =>
    what === 'prove'
      ? `The base of ${project.id} is being proved. "beadloom environment ${project.id}" shows the result.`
      : `Stopped. Nothing starts in ${project.id} until its base is proved again.`,
  )
}

/** The environment; null if the repository could not be read: the project's problem says why. */
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
