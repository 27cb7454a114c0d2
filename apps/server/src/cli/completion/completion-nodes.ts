import type { Command, Option } from 'commander'
import type { IdKind } from './ids-command.ts'

/** The kind of an argument: one of a few words, an id that `beadloom ids` knows, a file, or anything. */
export type Place = { choices: readonly string[] } | { ids: readonly IdKind[] } | 'file' | 'text'

/**
 * One command and its possible continuations, read from the commands themselves so that nothing is missing or stale.
 */
export type Node = {
  /** "beads show"; empty for the program. */
  path: string
  words: { name: string; summary: string }[]
  options: OptionWords[]
  /** By position; if `repeats` is true, the last one may be given again. */
  places: Place[]
  repeats: boolean
}

export type OptionWords = { flags: string[]; summary: string; value: Place | null }

const FILES = new Set(['folder', 'file', 'source', 'paths'])
/** The kinds of ids for each argument. A bead's id means its newest execution. */
const ID_OF: Record<string, IdKind[]> = {
  project: ['projects'],
  bead: ['beads'],
  'bead-or-project': ['projects', 'beads'],
  execution: ['executions', 'beads'],
}

export function nodesOf(program: Command): Node[] {
  const walk = (command: Command, path: string): Node[] => [
    nodeOf(command, path),
    ...command.commands.flatMap((child) => walk(child, `${path} ${child.name()}`.trim())),
  ]
  return walk(program, '')
}

function nodeOf(command: Command, path: string): Node {
  const given = command.registeredArguments
  return {
    path,
    words: command.commands.map((child) => ({ name: child.name(), summary: child.summary() || child.description() })),
    options: [...command.options.map(optionWords), { flags: ['-h', '--help'], summary: 'show this help', value: null }],
    places: given.map((one) => placeOf(one.name(), one.argChoices)),
    repeats: given.at(-1)?.variadic === true,
  }
}

function placeOf(name: string, choices: readonly string[] | undefined): Place {
  if (choices !== undefined) return { choices }
  const ids = ID_OF[name]
  return ids === undefined ? (FILES.has(name) ? 'file' : 'text') : { ids }
}

function optionWords({ short, long, description, required, optional, flags, argChoices }: Option): OptionWords {
  const given = [short, long].filter((flag) => flag !== undefined && flag !== null)
  const value = /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''
  // `--project <id>` and `--depends-on <bead>` are ids; `--id <id>` is a new one.
  const name = value === 'id' && long === '--project' ? 'project' : value
  return { flags: given, summary: description, value: required || optional ? placeOf(name, argChoices) : null }
}

/** Quotes a text for a shell: the texts are ours, but may contain an apostrophe. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Names of commands that have subcommands. */
export const groups = (nodes: readonly Node[]): string[] =>
  nodes.filter(({ path, words }) => path !== '' && words.length > 0).map(({ path }) => path)

/** Flags that take a value. */
export const flagsWithValue = (nodes: readonly Node[]): string[] => [
  ...new Set(
    nodes.flatMap(({ options }) => options.filter(({ value }) => value !== null).flatMap(({ flags }) => flags)),
  ),
]

/** Groups flags by the kind of their value, if it is the same everywhere, for one `case` of a shell. */
export function flagsByPlace(nodes: readonly Node[]): [flags: string[], place: Place][] {
  const found = new Map<string, { flags: Set<string>; place: Place }>()
  for (const { flags, value } of nodes.flatMap(({ options }) => options)) {
    if (value === null) continue
    const key = JSON.stringify(value)
    const one = found.get(key) ?? { flags: new Set(), place: value }
    for (const flag of flags) one.flags.add(flag)
    found.set(key, one)
  }
  return [...found.values()].map(({ flags, place }) => [[...flags], place])
}
