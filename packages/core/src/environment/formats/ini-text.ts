import { linesOf } from './lines.ts'

/** The lines of one value, without blank ones and comments, and the line of its key, from 1. */
export type IniValue = { lines: readonly string[]; line: number }

/** Sections with their keys; keys are in lower case, names of sections are not changed. */
export type Ini = ReadonlyMap<string, { line: number; values: ReadonlyMap<string, IniValue> }>

/** Reads configuration files of Python's tools: sections, `key = value` or `key: value`, indented continuations. */
export function readIni(text: string): Ini {
  const ini = new Map<string, { line: number; values: Map<string, { lines: string[]; line: number }> }>()
  let section: Map<string, { lines: string[]; line: number }> | null = null
  let value: string[] | null = null
  for (const [at, whole] of linesOf(text).entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const name = /^\[([^\]]{1,200})\]/.exec(line)?.[1]
    if (/^\s/.test(whole) && value !== null) value.push(line)
    else if (name !== undefined) {
      const known = ini.get(name) ?? { line: at + 1, values: new Map() }
      ini.set(name, known)
      section = known.values
      value = null
    } else if (section !== null) {
      const cut = line.search(/[=:]/)
      if (cut <= 0) continue
      const first = line.slice(cut + 1).trim()
      value = first === '' ? [] : [first]
      section.set(line.slice(0, cut).trim().toLowerCase(), { lines: value, line: at + 1 })
    }
  }
  return ini
}

export const iniLines = (ini: Ini, section: string, key: string): readonly string[] =>
  ini.get(section)?.values.get(key)?.lines ?? []
