import { Option, type Command } from 'commander'
import type { TokenUseView, UseAmounts } from '@beadloom/core/api/token-use-api.ts'
import { addUse, noUse, sumUse, useKeys, type UseKey } from '@beadloom/core/tokens/sum-use.ts'
import { segment } from '../api-client.ts'
import { chooseProject } from '../choose.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { addBudgetAnswers } from './budget-answers.ts'
import { counted, print, table, type Cell } from '../terminal/output.ts'
import { paintOf, type Paint } from '../terminal/paint.ts'

/** `budget`: what a project has used. */
export function addBudgetCommand(program: Command, context: CommandContext): void {
  const budget = context
    .command(program, {
      usage: 'budget [project]',
      description: 'show the tokens and the money that a project has used',
      more: 'Days are UTC. Money is counted with the price that applied when the call was made; "–" means that no price is known, and "+" that this is so for a part.',
      arguments: { project: 'project id (default: the project whose folder you are in, or the only one)' },
      examples: [
        'beadloom budget                     # of the last seven days, by model',
        'beadloom budget library --days 30 --by bead',
        'beadloom budget library --days 1 --by kind --json',
        'beadloom budget grant bl-4f2 --tokens 200000',
      ],
    })
    .enablePositionalOptions()
    .helpCommand(false)
    .option('--days <n>', 'today and the days before it, 1 to 92 in all', '7')
    .addOption(new Option('--by <what>', 'what is added up').choices(useKeys).default('model'))
    .action(
      context.run(async ({ api, json, args, options }) => {
        const days = String(options['days'])
        if (!/^[1-9]\d?$/.test(days) || Number(days) > 92)
          throw new CliError(`--days ${days.slice(0, 20)}: Give a number from 1 to 92.`, exitCode.usage)
        const how = (id: string) => `beadloom budget ${id}`
        const id = await chooseProject(api, { named: args[0], cwd: context.cwd, how })
        const view = await api.get<TokenUseView>(`/api/projects/${segment(id)}/token-use?days=${days}`)
        const { columns, colour } = context.terminal
        print(context.terminal, json, view, () => useText(view, options['by'] as UseKey, columns, paintOf(colour)))
      }),
    )
  addBudgetAnswers(budget, context)
}

export function useText(view: TokenUseView, by: UseKey, columns: number, paint: Paint): string {
  const { items, from, more, currency, pricesOf } = view
  if (items.length === 0) return `No tokens were used since ${from}.`
  const head = [by.toUpperCase(), 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'REASONING', 'COST']
  const line = (name: string, use: UseAmounts): string[] => [
    name,
    use.calls === 0 ? '–' : count(use.calls),
    count(use.input),
    count(use.cached),
    count(use.output),
    count(use.reasoning),
    cost(use, currency),
  ]
  const rows = sumUse(items, by).map(({ name, use }) => line(name === '' ? unnamed[by] : name, use))
  const all = items.reduce<UseAmounts>(addUse, noUse)
  const painted = (cells: string[], how: (text: string) => string): Cell[] =>
    cells.map((text) => ({ text, paint: how }))
  const notes = [
    `Since ${from} (UTC). List prices are those of ${pricesOf}; "prices" in config.json has others.`,
    ...(all.estimated === 0
      ? []
      : [`Tokens are estimated for ${counted(all.estimated, 'call')}: the endpoint did not count them.`]),
    ...(more ? ['There is more: earlier days are left out. Ask for fewer days.'] : []),
  ]
  return [
    table([painted(head, paint.dim), ...rows, painted(line('all', all), paint.bold)], columns),
    '',
    ...notes,
  ].join('\n')
}

const unnamed: Record<UseKey, string> = {
  day: '–',
  bead: '–',
  model: 'not known',
  kind: '–',
  agent: 'the agent itself',
  phase: 'without a phase',
}

const count = (value: number): string => value.toLocaleString('en-US')

function cost({ costMicros, unpriced }: UseAmounts, currency: string): string {
  if (costMicros === null) return '–'
  const amount = costMicros / 1e6
  const digits = amount >= 0.1 || amount === 0 ? 2 : 4
  return `${amount.toFixed(digits)} ${currency}${unpriced > 0 ? ' +' : ''}`
}
