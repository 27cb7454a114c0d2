import { Option, type Command } from 'commander'
import { agentNames } from '@beadloom/core/agents/agent-names.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { planningWhen } from '@beadloom/core/records/planning.ts'
import { segment } from '../api-client.ts'
import { chooseExecution, chooseProjectOf } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { digestLines, lastLine, nextLines, outcomeLines } from './execution-notes.ts'
import { CliError, clientExits, executionExits, exitCode, exitOfExecution, noEndYet } from '../exit-code.ts'
import { followForPeople } from './follow-for-people.ts'
import { followExecution } from './follow-logs.ts'
import { print } from '../terminal/output.ts'
import { addFreshStartOptions, addRetryOptions, freshStartsOf, retryOf } from './run-options.ts'

/** `run`, `cancel`. */
export function addRunCommands(program: Command, context: CommandContext): void {
  const { terminal, cwd } = context

  const run = context.command(program, {
    usage: 'run <bead>',
    description: 'queue a bead for execution',
    examples: [
      'beadloom run bl-4f2',
      'beadloom run bl-4f2 --wait && echo "merged into the work branch"',
      'beadloom run bl-4f2 --note "Keep the public API as it is." --json',
      'beadloom run bl-4f2 --agent claude --model claude-sonnet-4-5',
      'beadloom run bl-4f2 --max-retries 2',
      'beadloom run bl-4f2 --retry-count 3 --retry-delay 5s --retry-on Docker --retry-max-time 30m',
    ],
    arguments: { bead: 'bead id' },
    more: 'With --wait the exit code says how the execution ended: 0 is COMPLETED. Ctrl-C stops waiting, not the execution; "beadloom cancel BEAD" stops it.\nRetries are for failures of the container, Docker, the agent or its model. Failing tests get attempts of their own ("verification" in beadloom.json). Before those, the built-in agent can begin again by itself: --retry-on-failure.',
    exits: [...clientExits, ...executionExits],
  })
  addFreshStartOptions(addRetryOptions(run))
    .addOption(projectOption())
    .option('--note, --context <text>', 'a note for the agent, such as an answer to its question')
    .addOption(new Option('--agent <name>', "another agent than the project's, for this execution").choices(agentNames))
    .option('--model <name>', "another model than the project's, for this execution")
    .addOption(
      new Option('--planning <when>', 'whether an architect plans the bead first, if it has no plan').choices(
        planningWhen,
      ),
    )
    .addOption(
      new Option(
        '--from-phase <n>',
        'begin again at this phase of its plan (default: after the phases that are done)',
      ).argParser(phaseNumber),
    )
    .option('--wait', 'follow it until it ends; the exit code says how it ended')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const bead = String(args[0])
        const retry = { ...retryOf(options), ...freshStartsOf(options) }
        const how = (id: string) => `beadloom run ${bead} --project ${id}`
        const id = await chooseProjectOf(api, bead, { named: options['project'], cwd, how })
        const path = `/api/projects/${segment(id)}/beads/${segment(bead)}/executions`
        const given = Object.fromEntries(
          ['context', 'agent', 'model'].filter((key) => options[key]).map((key) => [key, options[key]]),
        )
        const planning = options['planning'] === undefined ? {} : { planning: { when: options['planning'] } }
        const from = options['fromPhase'] === undefined ? {} : { fromPhase: options['fromPhase'] }
        const body = { ...given, ...planning, ...from, ...retry }
        const queued = await api.send<ExecutionView>('POST', path, body)
        if (!options['wait']) {
          return print(terminal, json, queued, () => queuedText(queued))
        }
        noEndYet()
        if (!json) terminal.note(`Queued ${queued.id}.`)
        const ended = json
          ? await followExecution(api, queued.id, null)
          : await followForPeople(api, queued.id, terminal)
        const more = [digestLines, outcomeLines, nextLines].flatMap((lines) => lines(ended))
        if (!json) for (const line of more) terminal.note(line)
        print(terminal, json, ended, () => lastLine(ended))
        process.exitCode = exitOfExecution(ended.state)
      }),
    )

  context
    .command(program, {
      usage: 'cancel <execution>',
      description: "stop an execution, or a bead's newest execution",
      more: 'Work that its agent has not pushed yet is saved first.',
      arguments: { execution: 'execution id or bead id' },
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

function phaseNumber(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new CliError(`--from-phase ${text}: a phase is a number from 1`, exitCode.usage)
}

const queuedText = ({ id, kind }: ExecutionView): string =>
  kind === 'plan'
    ? `Queued ${id}, which plans the bead. Follow it: beadloom logs -f ${id}`
    : `Queued ${id}. Follow it: beadloom logs -f ${id}`

const cancelled = ({ id, startedAt }: ExecutionView): string =>
  startedAt === null
    ? `Cancelled ${id} before it started.`
    : `Cancelling ${id}. Its work so far is saved first; the last line of "beadloom logs -f ${id}" says where.`
