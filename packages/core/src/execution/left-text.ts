import { bytesText } from '../text/bytes-text.ts'

/** Work that no branch has: refs of the hub that hold it, and containers that are kept because it could not be saved. */
export type LeftWork = { refs: readonly string[]; containers: readonly { name: string; bytes: number | null }[] }

/** Nobody reads a sentence of ten. */
const SHOWN = 3

/**
 * Where a person finds it and how to have it, in sentences that begin with a space; empty: nothing is left.
 *
 * @param fetch the command that brings a ref into a clone on the server's machine
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
 * Where the commits of an execution are that was stopped, which nobody has merged: a sentence that begins with a space, for
 * before those of `leftText`.
 *
 * @param fetch the command that brings the branch into a clone on the server's machine
 */
export const committedText = (branch: string, fetch: string): string =>
  ` Its committed work is on branch ${branch}, which is not merged. To have it in a clone on the server's machine: ${fetch}.`

/** A refspec of everything that is in the folder of a ref, for a shell. */
function allBeside(ref: string): string {
  const all = `${ref.slice(0, ref.lastIndexOf('/'))}/*`
  return `'${all}:${all}'`
}

const keptIn = (name: string): string => ` Unsaved work is in the container ${name}, which is kept`
const howToSave = (name: string): string => `To save it: beadloom containers save ${name}.`

/** Finds the part of an end's text that `committedText` and `leftText` have added; '' for nothing. */
export const leftIn = (text: string): string =>
  /(?:Its committed work is on branch |Its unsaved work is saved on refs\/|Unsaved work is in the container ).*/.exec(
    text,
  )?.[0] ?? ''

/** The kept containers that the text of an end names. */
export const namesKept = (text: string): string[] =>
  [...text.matchAll(new RegExp(keptIn('(\\S+)'), 'g'))].map(([, name]) => name ?? '')

/** Takes a kept container that is gone out of an end's text. `instead`: where its work is now, as `leftText` says it. */
export function withoutKept(text: string, name: string, instead: string): string {
  const from = text.indexOf(keptIn(name))
  const to = text.indexOf(howToSave(name), from)
  if (from < 0 || to < 0) return text
  return `${text.slice(0, from)}${instead}${text.slice(to + howToSave(name).length)}`
}

/** For those who have to make room: how much of it is held by containers that only a person may give up; else empty. */
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

/** A sentence that has no full stop, and after it `keptTakes`, which has none there either. */
export function withKept(sentence: string, kept: LeftWork['containers']): string {
  const takes = keptTakes(kept)
  return takes === '' ? sentence : `${sentence}.${takes.slice(0, -1)}`
}
