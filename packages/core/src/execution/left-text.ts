import { bytesText } from '../text/bytes-text.ts'

/** Work that no branch has: the hub's refs with it, and containers that are kept because it could not be saved. */
export type LeftWork = { refs: readonly string[]; containers: readonly { name: string; bytes: number | null }[] }

/** Nobody reads a sentence with ten of them. */
const SHOWN = 3

/**
 * Sentences that say where the work is and how to get it, each after a space; empty: nothing is left.
 *
 * @param fetch the command that fetches a ref into a clone on the server's machine
 */
export function leftText({ refs, containers }: LeftWork, fetch: (ref: string) => string): string {
  const shown = refs.slice(-SHOWN)
  const more = refs.length - shown.length
  const last = shown.at(-1)
  const saved =
    last === undefined
      ? ''
      : ` Its unsaved work is saved on ${shown.join(' and ')}${more === 0 ? '' : ` and ${more} more`}. To see it in a clone on the server's machine: ${shown.map(fetch).join('; ')}, then look at FETCH_HEAD.${more === 0 ? '' : ` To have all: ${fetch(allBeside(last))}.`}`
  const kept = containers.map(
    ({ name, bytes }) => `${keptIn(name)}${bytes === null ? '' : ` and takes ${bytesText(bytes)}`}. ${howToSave(name)}`,
  )
  return `${saved}${kept.join('')}`
}

/**
 * A sentence that says where the unmerged commits of a stopped execution are. It begins with a space and comes before
 * those of `leftText`.
 *
 * @param fetch the command that fetches the branch into a clone on the server's machine
 */
export const committedText = (branch: string, fetch: string): string =>
  ` Its committed work is on branch ${branch}, which is not merged. To have it in a clone on the server's machine: ${fetch}.`

/** A refspec of everything in a ref's folder, quoted for a shell. */
function allBeside(ref: string): string {
  const all = `${ref.slice(0, ref.lastIndexOf('/'))}/*`
  return `'${all}:${all}'`
}

const keptIn = (name: string): string => ` Unsaved work is in the container ${name}, which is kept`
const howToSave = (name: string): string => `To save it: beadloom containers save ${name}.`

/** The part of an end's text that `committedText` and `leftText` have added; '' if there is none. */
export const leftIn = (text: string): string =>
  /(?:Its committed work is on branch |Its unsaved work is saved on refs\/|Unsaved work is in the container ).*/.exec(
    text,
  )?.[0] ?? ''

/** The kept containers that an end's text names. */
export const namesKept = (text: string): string[] =>
  [...text.matchAll(new RegExp(keptIn('(\\S+)'), 'g'))].map(([, name]) => name ?? '')

/**
 * Removes a kept container that is gone from an end's text. `instead`: where its work is now, in the words of
 * `leftText`.
 */
export function withoutKept(text: string, name: string, instead: string): string {
  const from = text.indexOf(keptIn(name))
  const to = text.indexOf(howToSave(name), from)
  if (from < 0 || to < 0) return text
  return `${text.slice(0, from)}${instead}${text.slice(to + howToSave(name).length)}`
}

/** For a full disk: the room taken by containers that only a person may give up; else empty. */
export function keptTakes(kept: LeftWork['containers']): string {
  if (kept.length === 0) return ''
  const bytes = kept.reduce((sum, one) => sum + (one.bytes ?? 0), 0)
  const named = kept
    .toSorted((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))
    .slice(0, SHOWN)
    .map((one) => `${one.name} (${one.bytes === null ? 'size not known' : bytesText(one.bytes)})`)
  const more = kept.length > SHOWN ? ` and ${kept.length - SHOWN} more` : ''
  return ` Containers that are kept with unsaved work take ${bytesText(bytes)}: ${named.join(', ')}${more} ("beadloom containers save NAME" or "discard NAME").`
}

/** A sentence without a full stop, followed by `keptTakes`, which has none there either. */
export function withKept(sentence: string, kept: LeftWork['containers']): string {
  const takes = keptTakes(kept)
  return takes === '' ? sentence : `${sentence}.${takes.slice(0, -1)}`
}
