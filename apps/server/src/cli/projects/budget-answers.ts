import type { Command } from 'commander'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { LEAST_MONEY, MOST_MONEY, MOST_TOKENS } from '@beadloom/core/budget/scopes.ts'
import { segment } from '../api-client.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { print } from '../terminal/output.ts'

/** `budget grant` and `budget stop`: the answers to an execution that waits at a limit. */
export function addBudgetAnswers(budget: Command, context: CommandContext): void {
  const { terminal, cwd } = context
  const chosen = async (api: Parameters<typeof chooseExecution>[0], command: string, given: string, named: unknown) =>
    chooseExecution(api, given, { named, cwd, how: (id) => `beadloom budget ${command} ${given} --project ${id}` })
  context
    .command(budget, {
      usage: 'grant',
      description: 'grant an execution more tokens or money, so that it continues',
      more: 'The grant counts from what is used now. It raises every limit that the execution has reached. If it has reached none, it raises those of its session, itself and its bead that you were warned about.',
      examples: ['beadloom budget grant ex-1a2b3c4d5e --tokens 200000', 'beadloom budget grant bl-4f2 --money 2.50'],
    })
    .argument('<execution>', 'execution id or bead id')
    .addOption(projectOption())
    .option('--tokens <n>', 'tokens, input and output together')
    .option('--money <amount>', "an amount in the server's currency")
    .action(
      context.run(async ({ api, json, args, options }) => {
        const body = grantOf(options)
        const id = await chosen(api, 'grant', String(args[0]), options['project'])
        const view = await api.send<ExecutionView>('POST', `/api/executions/${segment(id)}/grants`, body)
        print(terminal, json, view, () => `Granted: ${view.id} may continue.`)
      }),
    )
  context
    .command(budget, {
      usage: 'stop',
      description: 'stop an execution instead of granting it more; its work is saved',
      more: 'An execution that waits at a limit ends as if nobody had answered: FAILED, budget_exhausted.',
      examples: ['beadloom budget stop ex-1a2b3c4d5e'],
    })
    .argument('<execution>', 'execution id or bead id')
    .addOption(projectOption())
    .action(
      context.run(async ({ api, json, args, options }) => {
        const id = await chosen(api, 'stop', String(args[0]), options['project'])
        const view = await api.send<ExecutionView>('POST', `/api/executions/${segment(id)}/cancel`)
        print(terminal, json, view, () => `Stopping ${view.id}: its work is saved first.`)
      }),
    )
}

/** The request. Checked before it is sent, so that the message can name the option with the typo. */
export function grantOf({ tokens, money }: Record<string, unknown>): { tokens?: number; money?: number } {
  if (tokens === undefined && money === undefined)
    throw new CliError('Say how much: --tokens N, --money AMOUNT, or both.', exitCode.usage)
  const whole = /^[1-9]\d*$/
  if (tokens !== undefined && !(whole.test(String(tokens)) && Number(tokens) <= MOST_TOKENS))
    throw refused('tokens', tokens, `a whole number from 1 to ${MOST_TOKENS.toLocaleString('en-US')}`)
  const amount = Number(money)
  const isAmount = /^\d+(?:\.\d+)?$/.test(String(money)) && amount >= LEAST_MONEY && amount <= MOST_MONEY
  if (money !== undefined && !isAmount)
    throw refused('money', money, `an amount from ${LEAST_MONEY} to ${MOST_MONEY.toLocaleString('en-US')}, as 2.50`)
  return { ...(tokens !== undefined && { tokens: Number(tokens) }), ...(money !== undefined && { money: amount }) }
}

const refused = (option: string, given: unknown, what: string): CliError =>
  new CliError(`--${option} ${String(given).slice(0, 40)}: Give ${what}.`, exitCode.usage)
