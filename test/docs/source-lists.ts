import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { withoutTexts } from '../architecture/source-text.ts'
import { read, root } from './pages.ts'

/**
 * The words of a type that is a union of literals, or of the list that it is made from. They are read from its source,
 * because the type is gone at run time. Throws if there are none, so a type written in another way does not pass for an
 * empty one.
 */
export function wordsOfType(file: string, name: string): string[] {
  const { code, strings } = withoutTexts(read(file))
  const after = (words: string) => new RegExp(`\\b${words} =([\\s\\S]*?)(?=\\n\\n|\\nexport |$)`).exec(code)?.[1] ?? ''
  const own = after(`type ${name}`)
  const list = /^\s*\(typeof (\w+)\)\[number\]/.exec(own)?.[1]
  const text = list === undefined ? own : after(`const ${list}`)
  const words = [...text.matchAll(/'(\d+)'/g)].map(([, number]) => strings[Number(number)] ?? '')
  if (words.length === 0) throw new Error(`${file} has no type ${name} that is a union of words`)
  return [...new Set(words)].sort()
}

/**
 * Places that pass on a type that others chose: the port and its adapter, the recorder's events of a container, and a
 * helper, whose callers are read instead.
 */
const handOn: Readonly<Record<string, RegExp | null>> = {
  'ports/store/events.ts': null,
  'store/executions/events.ts': null,
  'store/executions/sessions.ts': null,
  'store/executions/executions.ts': /\btell\(\w+, '(\w+)'/g,
  'store/beads/take-bead.ts': /\btell\([\w.]+, '(\w+)'/g,
  'store/reviews/reviews.ts': /\bsaid\(\w+, '(\w+)'\)/g,
}

export type StoredEvents = {
  types: string[]
  /** Calls that store an event without a literal type. */
  unread: string[]
}

/** The types of all events that the server itself stores, read from every call that stores one. */
export function storedEvents(): StoredEvents {
  const folder = 'apps/server/src'
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/(?:^|\/)testing(?:\/|\.ts$)/.test(name),
  )
  const types = new Set<string>()
  const unread: string[] = []
  for (const file of files) {
    const source = read(`${folder}/${file}`)
    for (const type of typesIn(source, file.startsWith('store/')))
      if (type !== null) types.add(type)
      else if (!(file in handOn)) unread.push(`${folder}/${file}`)
    const callers = handOn[file]
    if (callers) for (const [, type] of source.matchAll(callers)) types.add(type ?? '')
  }
  return { types: [...types].sort(), unread }
}

/** The type of each event stored here; null: not a literal. Within the store the call is named `event`. */
function typesIn(source: string, inStore: boolean): (string | null)[] {
  const { code, strings } = withoutTexts(source)
  const calls = inStore ? /\b(?:addEvent|event)\(/g : /\baddEvent\(/g
  return [...code.matchAll(calls)].map((match) => {
    const given = argumentsAt(code, match.index + match[0].length)
    const first = given[0]?.trim() ?? ''
    const number = first.startsWith('{')
      ? /\btype:\s*'(\d+)'/.exec(argumentsAt(first, 1).join(','))?.[1]
      : /^\s*'(\d+)'\s*$/.exec(given[2] ?? '')?.[1]
    return number === undefined ? null : (strings[Number(number)] ?? null)
  })
}

/** The parts between commas, from `start` to the closing bracket. */
function argumentsAt(code: string, start: number): string[] {
  const parts = ['']
  let depth = 0
  for (const char of code.slice(start)) {
    if ('([{'.includes(char)) depth += 1
    if (')]}'.includes(char) && depth-- === 0) break
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}
