import type { Command } from 'commander'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { ChangeExecution } from '@beadloom/core/api/executions/execution-requests.ts'
import { NO_DURATION } from '@beadloom/core/execution/retry-words.ts'
import { courseText } from '@beadloom/core/records/course.ts'
import { parseDuration } from '@beadloom/core/text/duration.ts'
import { segment } from '../api-client.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { oneLiner } from '../terminal/terminal-text.ts'

/** `change`: another model or time limit for a running bead. */
export function addChangeCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'change <bead>',
      description: 'change the model or the time limit of a running bead',
      more: "The model applies from its agents' next call on. The time limit is that of the whole execution, so it includes the time that it has already run. For tokens and money: beadloom budget grant.",
      arguments: { bead: 'bead id or execution id' },
      examples: ['beadloom change bl-4f2 --model gpt-5.2', 'beadloom change bl-4f2 --time 8h'],
    })
    .addOption(projectOption())
    .option('--model <model>', 'the model of its next calls')
    .option('--time <time>', 'its time limit in all, such as 8h')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const change = changeOf(options)
        const how = (id: string) => `beadloom change ${given} --project ${id} …`
        const id = await chooseExecution(api, given, { named: options['project'], cwd: context.cwd, how })
        const view = await api.send<ExecutionView>('PATCH', `/api/executions/${segment(id)}`, change)
        print(context.terminal, json, view, () => `${id} has ${oneLiner(courseText(view.course ?? {}))} now.`)
      }),
    )
}

/** Throws a `CliError`. */
function changeOf({ model, time }: Record<string, unknown>): ChangeExecution {
  if (model === undefined && time === undefined)
    throw new CliError('there is nothing to change: give --model or --time', exitCode.usage)
  const ms = time === undefined ? undefined : parseDuration(String(time))
  const change = {
    ...(model !== undefined && { model: String(model) }),
    ...(ms !== undefined && { executionTimeoutSeconds: Math.ceil((ms ?? 0) / 1000) }),
  }
  if (ms === null || !ChangeExecution.safeParse(change).success)
    throw new CliError(
      ms === undefined
        ? '--model: a name of 1 to 200 characters'
        : `--time ${oneLiner(String(time)).slice(0, 40)}: ${ms === null ? NO_DURATION : 'From one second to 7 days.'}`,
      exitCode.usage,
    )
  return change
}
