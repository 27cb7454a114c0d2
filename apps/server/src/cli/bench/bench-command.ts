import { homedir } from 'node:os'
import { join } from 'node:path'
import { Argument, type Command } from 'commander'
import { countText } from '@beadloom/core/text/count-text.ts'
import { jsonFlag, type CommandContext } from '../context.ts'
import { exitCode, localExits } from '../exit-code.ts'
import { collect } from '../executions/run-options.ts'
import { writeHelp } from '../terminal/help.ts'
import { print } from '../terminal/output.ts'
import { oneLiner } from '../terminal/terminal-text.ts'
import { runSuite, type Summary } from './bench-suite.ts'

const sets = ['polyglot', 'quixbugs']
/** Options that are passed to the suite unchanged. */
const own = {
  '--only <language>': 'only exercises in this language; can be repeated (default: all)',
  '--kind <kind>': 'only this kind of work, such as oracle, nop or deleted; can be repeated (default: all)',
  '--sample <n>': 'this many exercises of each language (default: all)',
  '--ways <n>': 'this many ways of each sabotage for each exercise (default: 1)',
  '--slots <n>': 'this many at once (default: 3)',
  '--minutes <n>': 'start nothing new after this many minutes (default: no limit)',
} as const
const repeated = ['--only', '--kind']

/** `bench run`: verdicts on public tasks whose right answers are known. */
export function addBenchCommands(program: Command, context: CommandContext): void {
  const bench = writeHelp(program.command('bench').helpCommand(false), {
    description: 'measure verdicts on public tasks',
    examples: ['beadloom bench run polyglot --sample 2 --minutes 30'],
    exits: localExits,
  })
  const run = bench
    .command('run')
    .addArgument(new Argument('<set>').choices(sets))
    .option('--from <place>', 'a folder, a bare repository or an address to take the set from (default: GitHub)')
    .option('--state <folder>', "results, sets and the server's data", join(homedir(), '.cache', 'beadloom-verdicts'))
    .option('--again', 'repeat tries that have a verdict')
    .option('--json', jsonFlag.document)
  for (const [flags, words] of Object.entries(own)) {
    if (repeated.some((name) => flags.startsWith(name))) run.option(flags, words, collect)
    else run.option(flags, words)
  }
  writeHelp(run, {
    description: 'hand in right and wrong work on the tasks of a set, and report what Beadloom accepted',
    more: `Sets: polyglot (Aider's 225 exercises in six languages), quixbugs (40 defects in Python and Java).
It starts a server of its own, and asks no model: the right work is the reference solution, the wrong work is a sabotage such as deleted or emptied tests. It takes hours; the same command continues where the last one stopped. Progress is printed to standard error.
With --json: {"wrong": {"tried", "passed"}, "right": {"tried", "refused"}, "left", "false": [{"id", "state", "reason"}]}. The exit code is 1 if wrong work passed or right work was refused.`,
    arguments: { set: 'polyglot or quixbugs' },
    examples: [
      'beadloom bench run polyglot --sample 2 --minutes 30',
      'beadloom bench run polyglot --only python --kind oracle --kind nop',
      'beadloom bench run quixbugs --from ~/src/QuixBugs --json | jq .wrong',
    ],
    exits: [...localExits, 'interrupted'],
  }).action(async (set: string, { json, from, again, state, ...options }: Flags) => {
    const summary = await runSuite([
      '--set',
      set,
      // The results in the checkout were measured elsewhere.
      '--results',
      join(state, 'results.jsonl'),
      '--state',
      state,
      ...(from === undefined ? [] : [`--${set}`, from]),
      ...(again === true ? ['--again'] : []),
      ...Object.entries(options).flatMap(([name, value]) => [value ?? []].flat().flatMap((one) => [`--${name}`, one])),
    ])
    print(context.terminal, json === true, summary, () => textOf(summary))
    if (summary.false.length > 0) process.exitCode = exitCode.failed
  })
}

type Flags = { json?: boolean; from?: string; again?: boolean; state: string } & Record<
  string,
  string | string[] | undefined
>

function textOf({ wrong, right, left, false: wrongVerdicts }: Summary): string {
  return [
    `work that is not done: ${countText(wrong.tried)} tried, ${countText(wrong.passed)} passed`,
    `work that is done: ${countText(right.tried)} tried, ${countText(right.refused)} refused`,
    ...(left > 0 ? [`${countText(left)} left: the same command continues`] : []),
    ...wrongVerdicts.map(({ id, state, reason }) =>
      oneLiner(`false: ${id}: ${state}${reason === null ? '' : ` (${reason})`}`),
    ),
  ].join('\n')
}
