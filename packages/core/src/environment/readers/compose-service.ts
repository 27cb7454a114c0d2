import { isImage } from '../../text/setting-texts.ts'
import { fieldsOf, listOf, textOf, wordOf } from '../formats/records.ts'
import { commandWords } from '../../services/command-words.ts'
import { isObject } from '../../text/json-object.ts'

/**
 * A text as compose expands it: `$$` becomes `$`, and a variable its default (`postgres:${VERSION:-16}`). A variable
 * without a default stays as it is written, and `isWhole` is false: only the person who starts it knows the value.
 */
export function composeText(text: string): { text: string; isWhole: boolean } {
  let isWhole = true
  if (text.length > MOST_TEXT) return { text, isWhole: !text.includes('$') }
  const read = text.replace(VARIABLE, (written: string, fallback: string | undefined) => {
    if (written === '$$') return '$'
    isWhole &&= fallback !== undefined
    return fallback ?? written
  })
  return { text: read, isWhole }
}

const VARIABLE = /\$(?:\$|\{[A-Za-z_]\w{0,99}:?-([^${}]{0,300})\}|\{|[A-Za-z_])/g

/** Null: a part of it has a value that is known only elsewhere. */
export function wholeText(text: string): string | null {
  const read = composeText(text)
  return read.isWhole ? read.text : null
}

const MOST_TEXT = 2000

export const serviceImage = (value: unknown): string | null => {
  const image = wholeText(textOf(value) ?? '')
  return image !== null && image.length <= LONGEST_IMAGE && isImage(image) ? image : null
}

const MOST_VARIABLES = 50
/** As in `beadloom.json`. */
const LONGEST_IMAGE = 300

/**
 * `{NAME: value}` or `["NAME=value"]`. A value from outside (`${SECRET}`, or none at all) is left out, unless it has a
 * default (`${SECRET:-none}`).
 *
 * @param read in a workflow, a `$` is a `$`
 */
export function variablesOf(value: unknown, read: (text: string) => string | null = wholeText): Record<string, string> {
  const pairs = isObject(value)
    ? Object.entries(fieldsOf(value)).map(([name, one]) => [name, typeof one === 'boolean' ? String(one) : wordOf(one)])
    : listOf(value).map((one) => {
        const [, name, text] = /^([^=]{1,100})=([^]*)$/.exec(typeof one === 'string' ? one : '') ?? []
        return [name, text]
      })
  return Object.fromEntries(
    pairs
      .map(([name, text]) => [name, text && read(text)])
      .filter(
        (pair): pair is [string, string] =>
          /^[A-Za-z_]\w{0,99}$/.test(pair[0] ?? '') &&
          typeof pair[1] === 'string' &&
          pair[1].length <= 1000 &&
          !pair[1].includes('\0'),
      )
      .slice(0, MOST_VARIABLES),
  )
}

/** `["CMD", …]`, `["CMD-SHELL", "…"]` or a text; null: none, or one that is turned off. */
export function healthOf(value: unknown): string | null {
  const test = fieldsOf(value)['test']
  if (!Array.isArray(test)) return bounded(textOf(test) && composeText(textOf(test) ?? '').text)
  const words = listOf(test).map((word) => composeText(wordOf(word) ?? '').text)
  return words[0] === 'CMD' || words[0] === 'CMD-SHELL' ? bounded(words.slice(1).join(' ')) : null
}

const MOST_WORDS = 50

/** The words of the command that replaces the image's own. Null: there is none, or it names a value from elsewhere. */
export function commandOf(value: unknown): string[] | null {
  const given = Array.isArray(value) ? listOf(value).map(wordOf) : [textOf(value)]
  const read = given.map((one) => (one === null ? null : wholeText(one)))
  if (!read.every((one) => one !== null)) return null
  const words = Array.isArray(value) ? read : commandWords(read[0] ?? '')
  const isUsable = words !== null && words.length > 0 && words.length <= MOST_WORDS
  return isUsable && words.every((word) => word !== '' && bounded(word) !== null) ? words : null
}

/** `--health-cmd "pg_isready -U x" --health-interval 10s`, as workflows pass it to the engine. */
export function healthOfOptions(value: unknown): string | null {
  const options = (textOf(value) ?? '').slice(0, 2000)
  const [, double, single, word] = /--health-cmd[= ]\s{0,5}(?:"([^"]+)"|'([^']+)'|(\S+))/.exec(options) ?? []
  return bounded(double ?? single ?? word ?? null)
}

const bounded = (command: string | null): string | null =>
  command === null || command === '' || command.length > 1000 || command.includes('\0') ? null : command
