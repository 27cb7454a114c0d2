import { Option, type Command } from 'commander'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { beadFilters } from '@beadloom/core/records/bead.ts'
import { systemClock } from '../../process/clock.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { addBeadChanges } from './bead-changes.ts'
import { beadList, rowsOf, viewList } from './bead-list.ts'
import { cardsInView, savedView } from './saved-view.ts'
import { chooseProject } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { waitText } from '../executions/execution-notes.ts'
import { print } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'

/** `beads` and its subcommands. */
export function addBeadCommands(program: Command, context: CommandContext): void {
  const { terminal, cwd } = context

  const beads = context
    .group(program, {
      usage: 'beads',
      description: 'list beads, each with the reason it is not running',
      more: 'Subcommands: create, show, edit, close and reopen. With --json it prints a list of cards; "beads show" prints more about one bead. --view shows what the board shows with that view: its filter, groups and order; --status and --ready narrow it down further. An unknown name prints the names that exist.',
      examples: [
        'beadloom beads',
        'beadloom beads --ready',
        'beadloom beads --view "Needs me"',
        'beadloom beads -p library --status blocked --json',
        'beadloom beads create "Sort the list by name" --priority 1',
      ],
    })
    .addOption(projectOption())
    .addOption(new Option('--status <status>', 'only beads with this status').choices(beadFilters))
    .option('--ready', 'only beads that are ready to run')
    .option('--view <name>', 'what a saved view of the board shows (default: all beads)')
    .action(
      context.run(async ({ api, json, options }) => {
        const how = (id: string) => `beadloom beads --project ${id}`
        const id = await chooseProject(api, { named: options['project'], cwd, how })
        const view = options['view'] === undefined ? null : await savedView(api, id, String(options['view']))
        const cards = (await allBeads(api, id, options)).filter((card) => !isOther(card, options['status']))
        if (view === null && (json || cards.length === 0))
          return print(terminal, json, cards, () => noBeads(id, options))
        const paint = paintOf(terminal.colour)
        const waits = json ? null : await waitsOf(api, id)
        const shown = cards.map((card) => withWait(card, waits?.get(card.execution ?? '')))
        if (view === null) return print(terminal, json, cards, () => beadList(shown, terminal.columns, paint))
        const groups = await cardsInView(api, id, view, shown)
        const found = groups.flatMap((group) => group.cards.flatMap(rowsOf))
        if (found.length === 0 || json) return print(terminal, json, found, () => noBeads(id, options))
        print(terminal, json, found, () => viewList(groups, terminal.columns, paint))
      }),
    )
  addBeadChanges(beads, context)
}

/** Why the list is empty: the filters, or no beads, or nothing that could be read. */
const noBeads = (id: string, { status, ready, view }: Record<string, unknown>): string =>
  status || ready || view !== undefined
    ? `No matching beads in ${id}.`
    : `No beads in ${id} yet. Create one: beadloom beads create "Sort the list by name". What was read, and any problem: beadloom sync ${id}`

async function allBeads(api: ApiClient, id: string, options: Record<string, unknown>): Promise<BeadCard[]> {
  const cards: BeadCard[] = []
  const query = new URLSearchParams({ limit: '200' })
  if (options['status']) query.set('status', String(options['status']))
  if (options['ready']) query.set('ready', 'true')
  for (;;) {
    const page = await api.get<Page<BeadCard>>(`/api/projects/${segment(id)}/beads?${query}`)
    cards.push(...page.items)
    if (page.next === undefined) return cards
    query.set('cursor', page.next)
  }
}

/** Waits of running executions that end by themselves, by id; there are no more than slots and pending pushes. */
async function waitsOf(api: ApiClient, id: string): Promise<Map<string, string>> {
  const query = new URLSearchParams({ project: id, state: 'RUNNING', limit: '200' })
  const { items } = await api.get<Page<ExecutionView>>(`/api/executions?${query}`)
  const now = systemClock.now()
  return new Map(
    items.flatMap((one) => {
      const text = waitText(one, now)
      return text === null ? [] : [[one.id, text] as const]
    }),
  )
}

/** Whether the filter leaves the bead out: a failed bead is listed as failed, because nobody works on it. */
const isOther = (card: BeadCard, status: unknown): boolean => status === 'in_progress' && card.failed === true

const withWait = (card: BeadCard, text: string | undefined): BeadCard =>
  text === undefined ? card : { ...card, reason: { code: 'running', text } }
