import { createHash } from 'node:crypto'
import { ChainCheck, type ChainEnd } from '@beadloom/core/audit/check-chain.ts'
import { CliError } from '../exit-code.ts'

/** Pieces of one export, with its name for people. */
export type Source = { name: string; pieces: AsyncIterable<string> }

/** `holds`: whether one of its entries, or the one before its first, has the wanted hash. */
export type Chain = { entries: number; first: ChainEnd & { before: string }; last: ChainEnd; holds: boolean }

/** No entry comes near this length: names and ids are short. */
const LONGEST_LINE = 65_536

/**
 * Checks that these exports, one after the other, form one chain; null if they are empty. Throws `CliError` with the
 * first line that does not follow.
 */
export async function followChain(sources: readonly Source[], wanted: string | null = null): Promise<Chain | null> {
  const check = new ChainCheck((text) => createHash('sha256').update(text).digest('hex'))
  let entries = 0
  let holds = false
  for (const { name, pieces } of sources) {
    let line = 0
    for await (const text of linesOf(pieces)) {
      line++
      const problem = check.add(text)
      if (problem !== null) throw new CliError(`${name}, line ${line}: ${problem}.`)
      entries++
      holds ||= wanted !== null && (check.last?.hash === wanted || check.first?.before === wanted)
    }
  }
  return check.first === null || check.last === null ? null : { entries, first: check.first, last: check.last, holds }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > LONGEST_LINE) break // too long for an entry; its cut end does not follow
  }
  // Half a line: the file was cut off.
  if (rest !== '') yield rest.slice(0, LONGEST_LINE)
}
