/** A key without a value, as in `[core] bare`, has null. */
export type Settings = Map<string, (string | null)[]>

const SECTION = /^\[([a-z0-9.-]+)(?: "([^"\\]*)")?\]$/i
/**
 * A value without quotes, or all of it in quotes. No blanks at its ends, comments, escapes or continued lines, and no tab
 * without quotes, which older gits read as a blank.
 */
const VALUE = /^([a-z][a-z0-9-]*)(?: ?= ?(?:"([^"\\]*)"|([^\s"\\#;](?:[^\t"\\#;]*[^\s"\\#;])?)?))?$/i

const NOT_PLAIN = /[^\t\n\x20-\x7e]/

/**
 * The settings in a repository's file, if it is as plain as git and we write it: each git that is not started saves
 * time before an agent's first word. Keys are in lower case except for the name of a subsection, as git lists them.
 * Null if git has to read the file, because it includes another one or has a form that is unknown here.
 */
export function plainSettings(text: string): Settings | null {
  const settings: Settings = new Map()
  const isPlain = readSettings(text, (name, value) => settings.set(name, [...(settings.get(name) ?? []), value]))
  return isPlain ? settings : null
}

/** The file without these settings, by the keys of `plainSettings`; null if it has none of them. */
export function withoutSettings(text: string, keys: ReadonlySet<string>): string | null {
  const gone = new Set<number>()
  const isPlain = readSettings(text, (name, _value, at) => keys.has(name) && gone.add(at))
  return isPlain
    ? text
        .split('\n')
        .filter((_line, at) => !gone.has(at))
        .join('\n')
    : null
}

/** False if it is not plain. `take` also gets the line of each setting, from 0. */
function readSettings(text: string, take: (name: string, value: string | null, at: number) => void): boolean {
  if (NOT_PLAIN.test(text)) return false
  let prefix = ''
  for (const [at, full] of text.split('\n').entries()) {
    const line = full.trim()
    if (line === '') continue
    const section = SECTION.exec(line)
    if (section) {
      const [, name = '', sub] = section
      if (/^include/i.test(name) || (sub === undefined && name.includes('.'))) return false
      prefix = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`
      continue
    }
    const setting = VALUE.exec(line)
    if (!setting || prefix === '') return false
    const [, key = '', quoted, plain] = setting
    take(`${prefix}.${key.toLowerCase()}`, quoted ?? plain ?? (line.includes('=') ? '' : null), at)
  }
  return true
}
