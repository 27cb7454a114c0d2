import { Option, type Command } from 'commander'
import type { BeadCard, ExecutionView, Page } from '@beadloom/core/api.ts'
import { beadStatuses } from '@beadloom/core/bead.ts'
import { systemClock } from '../process/clock.ts'
import { segment, type ApiClient } from './api-client.ts'
import { beadList } from './bead-list.ts'
import { chooseExecution, chooseProject, chooseProjectOf } from './choose.ts'
import { projectOption, type CommandContext } from './context.ts'
import { outcomeLines, waitText } from './execution-notes.ts'
import { exitOfExecution, followForPeople, lastLine } from './log-command.ts'
import { followExecution } from './follow-logs.ts'
import { print } from './output.ts'
import { addRetryOptions, retryOf } from './run-options.ts'

/** `beads`, `run`, `cancel`. */
export function addBeadCommands(program: Command, context: CommandContext): void {
  const { terminal, cwd } = context

  context
    .command(program, {
      usage: 'beads',
      description: 'list beads, with the reason why each does not run',
      examples: ['beadloom beads', 'beadloom beads --ready', 'beadloom beads -p library --status blocked --json'],
    })
    .addOption(projectOption())
    .addOption(new Option('--status <status>', 'only these').choices(beadStatuses))
    .option('--ready', 'only beads that are ready to run')
    .action(
      context.run(async ({ api, json, options }) => {
        const how = (id: string) => `beadloom beads --project ${id}`
        const id = await chooseProject(api, { named: options['project'], cwd, how })
        const cards = await allBeads(api, id, options)
        if (json || cards.length === 0) return print(terminal, json, cards, () => `No such beads in ${id}.`)
        const waits = await waitsOf(api, id)
        const shown = cards.map((card) => withWait(card, waits.get(card.execution ?? '')))
        print(terminal, json, cards, () => beadList(shown, terminal.columns))
      }),
    )

  const run = context.command(program, {
    usage: 'run <bead>',
    description: 'queue an execution of a bead',
    examples: [
      'beadloom run bl-4f2',
      'beadloom run bl-4f2 --wait && echo "merged into the work branch"',
      'beadloom run bl-4f2 --context "Keep the public API as it is." --json',
      'beadloom run bl-4f2 --retry-count 3 --retry-delay 5s --retry-on Docker --retry-max-time 30m',
    ],
    more: 'Exit codes with --wait: 0 completed, 10 failed, 11 blocked, 12 timeout, 13 cancelled.\nCtrl-C ends the waiting, not the execution: "beadloom cancel BEAD" does.\nRetries are for failures of the container, Docker or the agent; failing tests have attempts of their own (beadloom.json).',
  })
  addRetryOptions(run)
    .addOption(projectOption())
    .option('--context <text>', 'more for the agent to know')
    .option('--wait', 'follow it to its end; the exit code says how it ended')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const bead = String(args[0])
        const retry = retryOf(options)
        const how = (id: string) => `beadloom run ${bead} --project ${id}`
        const id = await chooseProjectOf(api, bead, { named: options['project'], cwd, how })
        const path = `/api/projects/${segment(id)}/beads/${segment(bead)}/executions`
        const body = { ...(options['context'] ? { context: options['context'] } : {}), ...retry }
        const queued = await api.send<ExecutionView>('POST', path, body)
        if (!options['wait']) {
          return print(terminal, json, queued, () => `Queued ${queued.id}. Follow it: beadloom logs -f ${queued.id}`)
        }
        if (!json) terminal.note(`Queued ${queued.id}.`)
        const ended = json
          ? await followExecution(api, queued.id, null)
          : await followForPeople(api, queued.id, terminal)
        if (!json) for (const line of outcomeLines(ended)) terminal.note(line)
        print(terminal, json, ended, () => lastLine(ended))
        process.exitCode = exitOfExecution(ended.state)
      }),
    )

  context
    .command(program, {
      usage: 'cancel <execution>',
      description: "stop an execution; a bead's id stands for its newest one",
      examples: ['beadloom cancel ex-4k1m9x2c7q', 'beadloom cancel bl-4f2'],
    })
    .addOption(projectOption())
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const how = (id: string) => `beadloom cancel ${given} --project ${id}`
        const id = await chooseExecution(api, given, { named: options['project'], cwd, how })
        const execution = await api.send<ExecutionView>('POST', `/api/executions/${segment(id)}/cancel`)
        print(terminal, json, execution, () => cancelled(execution))
      }),
    )
}

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

/** What running executions wait for by themselves, by their ids; there are no more of them than slots and pushes. */
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

const withWait = (card: BeadCard, text: string | undefined): BeadCard =>
  text === undefined ? card : { ...card, reason: { code: 'running', text } }

const cancelled = ({ id, startedAt }: ExecutionView): string =>
  startedAt === null
    ? `Cancelled ${id} before it started.`
    : `Cancelling ${id}. What it did so far is saved first; the last line of "beadloom logs -f ${id}" says where.`
