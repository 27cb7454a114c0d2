/** A key without a value, as in `[core] bare`, has null. */
export type Settings = Map<string, (string | null)[]>

const SECTION = /^\[([a-z0-9.-]+)(?: "([^"\\]*)")?\]$/i
/** A value as it stands, or all of it in quotes. No blanks at its ends, comments, escapes or continued lines. */
const VALUE = /^([a-z][a-z0-9-]*)(?: ?= ?(?:"([^"\\]*)"|([^\s"\\#;](?:[^"\\#;]*[^\s"\\#;])?)?))?$/i

/**
 * The settings in a repository's file, where it is as plain as git and we write it: each git that is not started is time
 * before an agent's first word. Keys are in lower case but for the name of a subsection, as git lists them. Null: git has to
 * read it, because it includes another file, or because this does not know the form.
 */
export function plainSettings(text: string): Settings | null {
  if (/[^\t\n\x20-\x7e]/.test(text)) return null
  const settings: Settings = new Map()
  let prefix = ''
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const section = SECTION.exec(line)
    if (section) {
      const [, name = '', sub] = section
      if (/^include/i.test(name) || (sub === undefined && name.includes('.'))) return null
      prefix = sub === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${sub}`
      continue
    }
    const setting = VALUE.exec(line)
    if (!setting || prefix === '') return null
    const [, key = '', quoted, plain] = setting
    const name = `${prefix}.${key.toLowerCase()}`
    const value = quoted ?? plain ?? (line.includes('=') ? '' : null)
    settings.set(name, [...(settings.get(name) ?? []), value])
  }
  return settings
}
