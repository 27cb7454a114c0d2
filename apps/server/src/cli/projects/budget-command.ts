import { Option, type Command } from 'commander'
import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { useKeys, type UseKey } from '@beadloom/core/api/budgets/token-use-api.ts'
import { segment } from '../api-client.ts'
import { chooseProject, hasProjects } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { print } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'
import { plainText } from '../terminal/terminal-text.ts'
import { addBudgetAnswers } from './budget-answers.ts'
import { budgetText } from './budget-text.ts'

const MOST_DAYS = 366

/** `budget`: the use of a project, and the probable cost of the queue. */
export function addBudgetCommand(program: Command, context: CommandContext): void {
  const budget = context
    .group(program, {
      usage: 'budget [project]',
      description: 'show the tokens and the money that a project has used',
      more: 'Days are UTC. Money is counted with the price that applied when the call was made; "–" means that it is not known, and "+" that a part has no price.',
      arguments: { project: 'project id (default: the project whose folder you are in, or the only one)' },
      examples: [
        'beadloom budget                     # the last seven days, by model',
        'beadloom budget library --days 30 --by bead',
        'beadloom budget library --days 1 --by kind --json',
        'beadloom budget library --days 366 --csv > use.csv',
        'beadloom budget grant bl-4f2 --tokens 200000',
        'beadloom budget --project grant     # a project named like a command',
      ],
    })
    .addOption(projectOption())
    .option('--days <n>', `today and the days before it, 1 to ${MOST_DAYS} in all`, '7')
    .addOption(new Option('--by <what>', 'what to group the sums by').choices(useKeys).default('model'))
    .addOption(new Option('--csv', 'print the single rows for a spreadsheet').conflicts(['json', 'by']))
    .action(
      context.run(async ({ api, json, args, options }) => {
        const days = String(options['days'])
        if (!/^[1-9]\d{0,2}$/.test(days) || Number(days) > MOST_DAYS)
          throw new CliError(`--days ${days.slice(0, 20)}: Give a number from 1 to ${MOST_DAYS}.`, exitCode.usage)
        const how = (id: string) => `beadloom budget ${id}`
        const named = projectNamed(args[0], options['project'])
        if (json && named === undefined && options['csv'] !== true && !(await hasProjects(api)))
          return print(context.terminal, json, { items: [] }, () => '')
        const id = await chooseProject(api, { named, cwd: context.cwd, how })
        const path = `/api/projects/${segment(id)}/budget?days=${days}`
        if (options['csv'] === true) return void (await printCsv(context, api.stream(`${path}&format=csv`)))
        const view = await api.get<BudgetView>(path)
        const { columns, colour } = context.terminal
        print(context.terminal, json, view, () => budgetText(view, options['by'] as UseKey, columns, paintOf(colour)))
      }),
    )
  addBudgetAnswers(budget, context)
}

/** The project, by position or by `--project`, which also takes a name that is also a command below `budget`. */
function projectNamed(first: unknown, option: unknown): unknown {
  if (first !== undefined && option !== undefined && first !== option)
    throw new CliError('Name the project once: as the argument, or with --project.', exitCode.usage)
  return first ?? option
}

/** Prints the CSV. The server removes everything that a terminal would obey; a server of another version may not. */
async function printCsv({ terminal }: CommandContext, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) if (!terminal.write(plainText(piece))) await terminal.drained()
}
