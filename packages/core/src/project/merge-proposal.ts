import { isObject } from '../text/json-object.ts'
import type { Proposal } from './proposal.ts'

type Config = Proposal['config']

/** The keys with which a person has decided about a proposed one: the proposal would overrule them. */
const DECIDES: Readonly<Record<keyof Config, readonly string[]>> = {
  toolchains: ['toolchains', 'image', 'dockerfile'],
  setup: ['setup'],
  services: ['services'],
  verify: ['verify', 'test'],
}

/** The parts of a proposal that a `beadloom.json` with these keys lacks. */
export function unsaid({ config, from, open }: Proposal, keys: readonly string[]): Proposal {
  const isUnsaid = (key: string): boolean => !DECIDES[key as keyof Config].some((one) => keys.includes(one))
  const left = Object.fromEntries(Object.entries(config).filter(([key]) => isUnsaid(key)))
  return { config: left, from: from.filter(({ key }) => isUnsaid(key)), open }
}

/** The keys of a `beadloom.json`; null: the text is none. */
export function keysIn(text: string): string[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? Object.keys(value) : null
  } catch {
    return null
  }
}

/**
 * The text of a `beadloom.json` with further keys after its own. A person's text stays the same, to the last space.
 *
 * @param text an object; nothing else has a place for keys
 */
export function mergedText(text: string, config: Config): string {
  const end = text.lastIndexOf('}')
  const before = text.slice(0, end).trimEnd()
  const indent = /\n([ \t]+)"/.exec(before)?.[1] ?? '  '
  const added = JSON.stringify(config, null, indent).slice(1, -1).trimEnd()
  return `${before}${before.endsWith('{') ? '' : ','}${added}\n${text.slice(end)}`
}
