import { Option, type Command } from 'commander'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { PauseExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { NO_DURATION } from '@beadloom/core/execution/retry-words.ts'
import { pauseEnds, pauseText, type PauseEnd } from '@beadloom/core/records/pause.ts'
import { parseDuration } from '@beadloom/core/text/duration.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseExecution, chooseProject } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { describe } from '../projects/project-commands.ts'
import { print } from '../terminal/output.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

type Verb = 'pause' | 'resume'
type Target = { project: string } | { execution: string }

/** `pause` and `resume`, for a project as for an execution that runs; `stop-turn` for an execution. */
export function addPauseCommands(program: Command, context: CommandContext): void {
  const pause = context
    .command(program, {
      usage: 'pause [bead-or-project]',
      description: 'pause a running bead, or stop starting new executions of a project',
      more: "A paused bead loses nothing: its agent's next call to a model waits, and so does its next step. Others get its slot meanwhile. After a day (limits.pauseSeconds in beadloom.json) it is stopped, and its work is saved.\nIn a paused project nothing new starts; running executions continue.",
      arguments: {
        'bead-or-project': 'bead, execution or project (default: the project of this folder, or the only one)',
      },
      examples: [
        'beadloom pause bl-4f2                        # a running bead',
        'beadloom pause bl-4f2 --now                  # its command ends, too',
        'beadloom pause bl-4f2 --for 2h --then resume',
        'beadloom pause library                       # a project',
      ],
    })
    .addOption(projectOption())
    .option('--now', "end its agent's command or its model's answer instead of waiting for it")
  addTime(pause)
  const stop = context
    .command(program, {
      usage: 'stop-turn <bead>',
      description: "stop what a bead's agent is doing, so that it waits for your message",
      more: "Its command or its model's answer ends; its context stays. The next message to it (beadloom tell) lets it continue, and so does beadloom resume. Meanwhile it waits like a paused bead.",
      arguments: { bead: 'bead id or execution id' },
      examples: ['beadloom stop-turn bl-4f2', 'beadloom tell bl-4f2 "Not that way: use the parser that we have."'],
    })
    .addOption(projectOption())
  addTime(stop)
  stop.action(
    context.run(async ({ api, json, args, options }) => {
      const given = String(args[0])
      const how = (id: string) => `beadloom stop-turn ${given} --project ${id}`
      const id = await chooseExecution(api, given, { named: options['project'], cwd: context.cwd, how })
      const path = `/api/executions/${segment(id)}/stop-turn`
      const view = await api.send<ExecutionView>('POST', path, wishOf(options))
      print(context.terminal, json, view, () => described(view))
    }),
  )
  const resume = context
    .command(program, {
      usage: 'resume [bead-or-project]',
      description: 'resume a paused bead or project',
      arguments: {
        'bead-or-project': 'bead, execution or project (default: the project of this folder, or the only one)',
      },
      examples: ['beadloom resume bl-4f2', 'beadloom resume library'],
    })
    .addOption(projectOption())
  for (const [verb, command] of [
    ['pause', pause],
    ['resume', resume],
  ] as const)
    command.action(
      context.run(async ({ api, json, args, options }) => {
        const wish = wishOf(options)
        const target = await targetOf(api, verb, args[0], options['project'], context.cwd)
        if ('execution' in target) {
          const path = `/api/executions/${segment(target.execution)}/${verb}`
          const view = await api.send<ExecutionView>('POST', path, verb === 'pause' ? wish : undefined)
          return print(context.terminal, json, view, () => described(view))
        }
        if (Object.keys(wish).length > 0)
          throw new CliError(
            '--for, --then and --now are for a bead: a paused project waits until you resume it',
            exitCode.usage,
          )
        const view = await api.send<ProjectView>('POST', `/api/projects/${segment(target.project)}/${verb}`)
        print(context.terminal, json, view, () => describe(view, context.terminal.columns))
      }),
    )
}

const addTime = (command: Command): Command =>
  command
    .option('--for <time>', 'how long it waits at most, such as 30m or 2h')
    .addOption(
      new Option('--then <what>', 'what happens if nobody resumes it by then (default: "stop")').choices(pauseEnds),
    )

/** Throws a `CliError`. */
function wishOf({ for: time, then: atEnd, now }: Record<string, unknown>): PauseExecution {
  const ms = time === undefined ? undefined : parseDuration(String(time))
  const wish = {
    ...(ms !== undefined && { seconds: Math.ceil((ms ?? 0) / 1000) }),
    ...(atEnd !== undefined && { atEnd: atEnd as PauseEnd }),
    ...(now === true && { at: 'now' as const }),
  }
  if (ms === null || !PauseExecution.safeParse(wish).success)
    throw new CliError(
      `--for ${oneLiner(String(time)).slice(0, 40)}: ${ms === null ? NO_DURATION : 'From one second to 30 days.'}`,
      exitCode.usage,
    )
  return wish
}

/** A name that is a project's means the project, unless --project names another. */
async function targetOf(api: ApiClient, verb: Verb, given: unknown, project: unknown, cwd: string): Promise<Target> {
  const how = (id: string) => `beadloom ${verb} ${id}`
  if (given === undefined) return { project: await chooseProject(api, { named: project, cwd, how }) }
  const name = String(given)
  const { items } = await api.get<Page<ProjectView>>('/api/projects')
  if (project === undefined && items.some(({ id }) => id === name)) return { project: name }
  const named = (id: string) => `beadloom ${verb} ${name} --project ${id}`
  return { execution: await chooseExecution(api, name, { named: project, cwd, how: named }) }
}

function described({ id, paused, waits }: ExecutionView): string {
  if (paused?.question !== undefined && paused.resumed) return `${id} ends as BLOCKED: its question has no answer.`
  if (paused) return `${id}: ${pauseText(paused)}.`
  return waits?.kind === 'phase' ? `${id} continues as soon as a slot is free.` : `${id} continues.`
}
