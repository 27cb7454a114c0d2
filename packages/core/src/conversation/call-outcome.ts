import { counted, countText } from '../text/count-text.ts'
import { stripAnsi } from '../text/ansi.ts'
import type { CallResult } from './step.ts'

export type CallKind = 'edit' | 'run' | 'search' | 'list' | 'read' | 'write' | 'web' | 'ask' | 'other'

/** "12345", and "12,345" as the built-in agent and some runners print it. */
const COUNT = String.raw`(\d{1,3}(?:,\d{3}){1,2}|\d{1,9})`
const FAILED = [
  new RegExp(String.raw`^\s*(?:#|ℹ) fail ${COUNT}\s*$`),
  new RegExp(String.raw`\b${COUNT} (?:tests? |examples?, \d+ )?(?:failed|failing|failures?)\b`),
  new RegExp(String.raw`\bfail(?:ed|ures?)?[:=]\s*${COUNT}\b`, 'i'),
]
const PASSED = [
  new RegExp(String.raw`^\s*(?:#|ℹ) pass ${COUNT}\s*$`),
  new RegExp(String.raw`\b${COUNT} (?:tests? )?(?:passed|passing)\b`),
]
const EXIT = /^(?:\[exit code (-?\d{1,10})\]|Exit code (-?\d{1,10})|Command exited with code (-?\d{1,10}))$/
const MATCHES = new RegExp(String.raw`\b${COUNT} match(?:es|ing lines?)?\b`)

const numberOf = (count: string): number => Number(count.replaceAll(',', ''))

/** The outcome of a call in a few words: "2 failed", "12 hits", "exit 1". Empty if there is nothing to say. */
export function outcomeOf(kind: CallKind, { ok, body }: CallResult, byCommand = false): string {
  const tail = [...(body.lines > body.tail.length ? [body.head] : []), ...body.tail].map((line) => stripAnsi(line))
  if (kind === 'run') {
    const [bad, good] = [lastCount(tail, FAILED), lastCount(tail, PASSED)]
    if (!ok && bad !== null && bad > 0) return `${countText(bad)} failed`
    if (ok && good !== null && good > 0) return `${countText(good)} passed`
    if (ok) return ''
    const exit = tail.map((line) => EXIT.exec(line)?.slice(1).find(Boolean)).findLast((one) => one !== undefined)
    return exit === undefined ? 'failed' : `exit ${exit}`
  }
  // A search command "fails" if it finds nothing.
  if (!ok && byCommand && kind === 'search') return isBare(tail) ? 'no hits' : 'failed'
  if (!ok) return kind === 'edit' || kind === 'write' || kind === 'read' || kind === 'list' ? '' : 'failed'
  if (kind !== 'search') return ''
  const told = tail.map((line) => MATCHES.exec(line)?.[1]).findLast((one) => one !== undefined)
  const hits = told === undefined ? hitLines(body.lines, tail) : numberOf(told)
  return hits === null ? '' : hits === 0 ? 'no hits' : counted(hits, 'hit')
}

const isBare = (tail: string[]): boolean => tail.every((line) => line.trim() === '' || EXIT.test(line))

/** Every line is a hit, except a note at the end. */
function hitLines(lines: number, tail: string[]): number | null {
  if (tail.some((line) => /^(?:\[.*\]|no (?:files|matches)\b.*)$/i.test(line))) return lines <= 1 ? 0 : null
  return lines
}

function lastCount(lines: string[], patterns: readonly RegExp[]): number | null {
  for (const line of lines.toReversed())
    for (const pattern of patterns) {
      const found = pattern.exec(line)?.[1]
      if (found !== undefined) return numberOf(found)
    }
  return null
}
