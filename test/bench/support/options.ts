import { parseArgs } from 'node:util'

export const names = [
  'start',
  'phases',
  'output',
  'requests',
  'dashboard-log',
  'dashboard-board',
  'dashboard-diff',
  'dashboard-graph',
  'scheduling',
  'dispatching',
  'tracker',
  'digest',
  'memory',
  'recovery',
  'pauses',
  'database',
  'agents',
  'gateway',
  'link',
  'told',
] as const
export type Name = (typeof names)[number]
export type Options = { only: readonly Name[]; rounds: number | null; help: boolean }

export const usage = `npm run bench -- [options]

  --only NAME     one benchmark: ${names.join(', ')}; may be given several times
  --rounds N      rounds of each comparison (default: 7 starts, 5 executions in phases, 3 outputs and requests, 15 plans,
                  3 imports, 3 digests, 5 recoveries, 3 runs of each agent, 5 gateways, 5 links,
                  20 messages)
  --help          this

Prints a table and writes bench-results/DATE.json. docs/benchmarks.md says what each figure means.`

/** Throws an `Error` with a sentence for the person at the terminal. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      rounds: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  const only = values.only?.map(nameOf) ?? names
  const rounds = values.rounds === undefined ? null : Number(values.rounds)
  if (rounds !== null && (!Number.isInteger(rounds) || rounds < 1 || rounds > 100))
    throw new Error(`--rounds ${values.rounds}: a number from 1 to 100`)
  return { only, rounds, help: values.help }
}

function nameOf(text: string): Name {
  const name = names.find((one) => one === text)
  if (!name) throw new Error(`--only ${text}: there are ${names.join(', ')}`)
  return name
}
