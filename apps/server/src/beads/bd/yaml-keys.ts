import { configLines, configValue } from '../config-lines.ts'

export type YamlKey = {
  /** With the keys around it, joined by dots, in lower case: as `bd` looks it up. */
  key: string
  /** Without comment and quotes; '' for none. */
  value: string
}

/** A key on a line of its own, perhaps in quotes, with the text after its colon. */
const KEY = /^( {0,200})(["']?)([\w./-]{1,200})\2[ \t]{0,40}:(?:[ \t](.*))?$/
const ITEM = /^( {0,200})- (.*)$/
const QUOTED = /^(?:"[^"\\]*"|'[^']*')$/
const LIST = /^\[[\w ,./~"'-]*\]$/

/**
 * Every key of a YAML file with one key on each line, which is the form that `bd` and people write; null for any other.
 * A full parser could read a file differently from bd's, so anything odd counts as unreadable: braces, an alias, a tag,
 * an escape, text over several lines.
 */
export function yamlKeys(text: string): YamlKey[] | null {
  const keys: YamlKey[] = []
  const around: { indent: number; key: string }[] = []
  for (const line of configLines(text)) {
    if (/^[ \t]*(?:#|$)/.test(line) || line === '---') continue
    const item = ITEM.exec(line)
    const [, spaces = '', , name = '', after = ''] = item ?? KEY.exec(line) ?? []
    if (item === null && name === '') return null
    const value = valueIn(item?.[2] ?? after)
    if (value === null) return null
    // Items may begin below the first letter of their key.
    const isInside = (indent: number) => indent < spaces.length || (item !== null && indent === spaces.length)
    while (around.length > 0 && !isInside(around.at(-1)?.indent ?? 0)) around.pop()
    const parent = around.at(-1)?.key
    if (item !== null && parent === undefined) return null
    const key = item !== null ? (parent ?? '') : [parent, name.toLowerCase()].filter(Boolean).join('.')
    keys.push({ key, value })
    if (item === null && value === '') around.push({ indent: spaces.length, key })
  }
  return keys
}

/** The value of a key or an item; null for one that may hold a key or go on in the next line. */
function valueIn(text: string): string | null {
  const own = text.replace(/(?:^|\s)#[^]*$/, '').trim()
  if (own === '{}' || LIST.test(own)) return own
  const isPlain = !/^[-?&*!|>'"%@`{}[\],]/.test(own) || /^-[\w.]/.test(own)
  if (!QUOTED.test(own) && (!isPlain || /:(?:\s|$)/.test(own) || /[\0\ufffd]/.test(own))) return null
  return configValue(own)
}
