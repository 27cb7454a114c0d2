import { isImage } from '../../project/setting-texts.ts'
import { fieldsOf, listOf, textOf, wordOf } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'

/** Compose takes the default where nobody has set the variable: `postgres:${VERSION:-16}`. One without it stays as it is. */
const withDefaults = (text: string): string =>
  text.length > MOST_TEXT ? text : text.replace(/\$\{[A-Za-z_]\w{0,99}:?-([^${}]{0,300})\}/g, '$1')

const MOST_TEXT = 2000

export const serviceImage = (value: unknown): string | null => {
  const image = withDefaults(textOf(value) ?? '')
  return image.length <= LONGEST_IMAGE && isImage(image) ? image : null
}

const MOST_VARIABLES = 50
/** As in `beadloom.json`. */
const LONGEST_IMAGE = 300

/**
 * `{NAME: value}` or `["NAME=value"]`; a value from outside (`${SECRET}`, or none at all) is left out, unless there
 * is one for those who have none (`${SECRET:-none}`).
 */
export function variablesOf(value: unknown): Record<string, string> {
  const pairs = isObject(value)
    ? Object.entries(fieldsOf(value)).map(([name, one]) => [name, typeof one === 'boolean' ? String(one) : wordOf(one)])
    : listOf(value).map((one) => {
        const [, name, text] = /^([^=]{1,100})=([^]*)$/.exec(typeof one === 'string' ? one : '') ?? []
        return [name, text]
      })
  return Object.fromEntries(
    pairs
      .map(([name, text]) => [name, text && withDefaults(text)])
      .filter(
        (pair): pair is [string, string] =>
          /^[A-Za-z_]\w{0,99}$/.test(pair[0] ?? '') &&
          typeof pair[1] === 'string' &&
          pair[1].length <= 1000 &&
          !/\$\{|\0/.test(pair[1]),
      )
      .slice(0, MOST_VARIABLES),
  )
}

/** `["CMD", …]`, `["CMD-SHELL", "…"]` or a text; null: none, or one that is turned off. */
export function healthOf(value: unknown): string | null {
  const test = fieldsOf(value)['test']
  if (!Array.isArray(test)) return bounded(textOf(test))
  const words = listOf(test).map((word) => wordOf(word) ?? '')
  return words[0] === 'CMD' || words[0] === 'CMD-SHELL' ? bounded(words.slice(1).join(' ')) : null
}

/** `--health-cmd "pg_isready -U x" --health-interval 10s`, as workflows pass it to the engine. */
export function healthOfOptions(value: unknown): string | null {
  const options = (textOf(value) ?? '').slice(0, 2000)
  const [, double, single, word] = /--health-cmd[= ]\s{0,5}(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(options) ?? []
  return bounded(double ?? single ?? word ?? null)
}

const bounded = (command: string | null): string | null =>
  command === null || command === '' || command.length > 1000 || command.includes('\0') ? null : command
