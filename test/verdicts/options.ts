import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { languages, setNames, type Language, type SetName } from './exercise.ts'
import { kinds, type Kind } from './sabotage.ts'

export type Options = {
  /** The places of sets; others are taken from where they are published. */
  sources: Partial<Record<SetName, string>>
  sets: readonly SetName[]
  only: readonly Language[]
  kinds: readonly Kind[]
  /** Exercises of each language and set; null: all. */
  sample: number | null
  /** Ways of each sabotage for each exercise. */
  ways: number
  slots: number
  minutes: number | null
  state: string
  /** The file in which verdicts are kept. */
  results: string
  write: boolean
  json: boolean
  again: boolean
  help: boolean
}

export const published: Record<SetName, string> = {
  polyglot: 'https://github.com/Aider-AI/polyglot-benchmark',
  quixbugs: 'https://github.com/jkoppel/QuixBugs',
}

export const usage = `Usage: npm run verdicts -- [options]

Brings real tasks as beads to a Beadloom server, hands in right and wrong work, and measures the verdicts.
It continues where the last run stopped, on whatever machine that was: what has a verdict in
test/verdicts/results.jsonl is not tried again.

  --polyglot PLACE   Aider's polyglot benchmark: a folder, a bare repository or an address of git
                     (or VERDICTS_POLYGLOT; default: ${published.polyglot})
  --quixbugs PLACE   QuixBugs, likewise (or VERDICTS_QUIXBUGS; default: ${published.quixbugs})
  --set NAME         only this set, again for more: ${setNames.join(', ')}
  --only LANGUAGE    only this language, again for more: ${languages.join(', ')}
  --kind KIND        only this kind of work, again for more: ${kinds.join(', ')}
  --sample N         N exercises of each language and set
  --ways N           N ways of each sabotage for each exercise (default: 1)
  --slots N          N repositories at once (default: 3)
  --minutes N        start nothing new after N minutes
  --state FOLDER     sets, the server's data, and what it said of each piece of work in full
                     (default: ~/.cache/beadloom-verdicts)
  --results FILE     verdicts that are known, and where new ones are kept (default: test/verdicts/results.jsonl)
  --again            repeat tries that have a verdict
  --json             print the summary as one JSON document
  --write            try nothing: write docs/verdicts.md from the results
  --help`

export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  const many = { type: 'string', multiple: true } as const
  const one = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args,
    options: {
      polyglot: one,
      quixbugs: one,
      set: many,
      only: many,
      kind: many,
      sample: one,
      ways: one,
      slots: one,
      minutes: one,
      state: one,
      results: one,
      again: flag,
      write: flag,
      json: flag,
      help: flag,
    },
  })
  const sources: Options['sources'] = {}
  for (const name of setNames) {
    const place = values[name] ?? env[`VERDICTS_${name.toUpperCase()}`]
    if (place !== undefined) sources[name] = place
  }
  return {
    sources,
    sets: oneOf('--set', setNames, values.set),
    only: oneOf('--only', languages, values.only),
    kinds: oneOf('--kind', kinds, values.kind),
    sample: values.sample === undefined ? null : count('--sample', values.sample),
    ways: count('--ways', values.ways ?? '1'),
    slots: count('--slots', values.slots ?? '3'),
    minutes: values.minutes === undefined ? null : count('--minutes', values.minutes),
    state: values.state ?? join(homedir(), '.cache', 'beadloom-verdicts'),
    results: values.results ?? join(import.meta.dirname, 'results.jsonl'),
    write: values.write,
    json: values.json,
    again: values.again,
    help: values.help,
  }
}

function oneOf<T extends string>(
  option: string,
  known: readonly T[],
  given: readonly string[] | undefined,
): readonly T[] {
  if (given === undefined) return known
  return given.map((text) => {
    const found = known.find((name) => name === text)
    if (found === undefined) throw new Error(`${option} ${text}: there are ${known.join(', ')}`)
    return found
  })
}

function count(option: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > 1000)
    throw new Error(`${option} ${text}: a number from 1 to 1000`)
  return number
}
