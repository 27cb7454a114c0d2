import { bytesText } from '../text/bytes-text.ts'

/** Work that no branch has: refs of the hub that hold it, and containers that are kept because it could not be saved. */
export type LeftWork = { refs: readonly string[]; containers: readonly { name: string; bytes: number | null }[] }

/** More are in the list of the hub's refs; nobody reads a sentence of ten. */
const SHOWN = 3

/**
 * Where a person finds it and how to have it, in sentences that begin with a space; empty: nothing is left.
 *
 * @param fetch the command that brings a ref into a clone on the server's machine
 */
export function leftText({ refs, containers }: LeftWork, fetch: (ref: string) => string): string {
  const shown = refs.slice(-SHOWN)
  const saved =
    shown.length === 0
      ? ''
      : ` Its unsaved work is saved on ${shown.join(' and ')}. To see it in a clone on the server's machine: ${shown.map(fetch).join('; ')}, then look at FETCH_HEAD.`
  const kept = containers.map(
    ({ name, bytes }) =>
      ` Unsaved work is in the container ${name}, which is kept${bytes === null ? '' : ` and takes ${bytesText(bytes)}`}. To save it: beadloom containers save ${name}.`,
  )
  return `${saved}${kept.join('')}`
}
