import { Argument, type Command } from 'commander'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { print } from '../terminal/output.ts'
import { cutText, oneLiner } from '../terminal/terminal-text.ts'
import { NoServer } from '../../health/server-file.ts'
import { UserError } from '../../process/user-error.ts'

export const idKinds = ['projects', 'beads', 'executions'] as const
export type IdKind = (typeof idKinds)[number]

type Id = { id: string; project: string; text: string }

/** Nobody chooses from more, and the API returns up to this many at once. */
const MOST = 1000
const MOST_EXECUTIONS = 100
const TEXT_COLUMNS = 70

/** For shell completion, and for choosing with `fzf`. */
export function addIdsCommand(program: Command, context: CommandContext): void {
  const command = context.command(program, {
    usage: 'ids',
    description: 'print ids for scripts and shell completion: an id, a tab and a title per line',
    more: 'Without --project, beads are those of the project whose folder you are in, or of all projects; done ones come last. Executions are the newest 100.',
    examples: ['beadloom run "$(beadloom ids beads | fzf | cut -f1)"', 'beadloom ids executions | head -1 | cut -f1'],
  })
  command
    .addArgument(new Argument('<kinds...>', 'which ids').choices(idKinds))
    .addOption(projectOption())
    .action(
      context.run(async ({ api, json, args, options }) => {
        const kinds = [...new Set(args[0] as IdKind[])]
        const found = (await Promise.all(kinds.map((kind) => idsOf(api, kind, options['project'], context.cwd)))).flat()
        print(context.terminal, json, found, () => found.map(lineOf).join('\n'))
      }),
    )
}

const lineOf = ({ id, text }: Id): string => `${oneLiner(id)}\t${cutText(oneLiner(text), TEXT_COLUMNS)}`

async function idsOf(api: ApiClient, kind: IdKind, named: unknown, cwd: string): Promise<Id[]> {
  if (kind === 'projects') return projects(api)
  const meant = await chooseProject(api, { named, cwd, how: (id) => `beadloom ids ${kind} -p ${id}` }).catch(noneMeant)
  if (kind === 'executions') return executions(api, meant)
  const ids = meant === null ? (await projects(api)).map(({ id }) => id) : [meant]
  const cards = (await Promise.all(ids.map((id) => beads(api, id)))).flat()
  return cards
    .toSorted((a, b) => Number(a.status === 'done') - Number(b.status === 'done'))
    .slice(0, MOST)
    .map(({ id, project, title, status }) => ({ id, project, text: `${status}  ${title}` }))
}

/** Means all projects if it is not clear which one is meant. */
function noneMeant(error: unknown): null {
  if (error instanceof UserError && !(error instanceof NoServer)) return null
  throw error
}

const projects = async (api: ApiClient): Promise<Id[]> =>
  (await api.get<Page<ProjectView>>('/api/projects')).items.map(({ id, name }) => ({ id, project: id, text: name }))

const beads = async (api: ApiClient, project: string): Promise<BeadCard[]> =>
  (await api.get<Page<BeadCard>>(`/api/projects/${segment(project)}/beads?limit=${MOST}`)).items

async function executions(api: ApiClient, project: string | null): Promise<Id[]> {
  const query = new URLSearchParams({ limit: String(MOST_EXECUTIONS), ...(project === null ? {} : { project }) })
  const { items } = await api.get<Page<ExecutionView>>(`/api/executions?${query}`)
  return items.map(({ id, project: of, bead, state, beadTitle }) => ({
    id,
    project: of,
    text: `${state}  ${bead}: ${beadTitle}`,
  }))
}
