import { markName, REORDERING_MARKS } from '../../ui/hostile-text.ts'
import { plainStyle } from './ansi.ts'
import type { Run, Style, StyledLine } from './ansi.ts'

/** Longer lines are cut on the screen; the whole is behind "open as plain text". */
export const MOST_CELLS = 4096

export type Piece = { text: string; style: Style; kind: 'text' | 'mark' | 'hit' | 'current' | 'more' }
export type Hit = { start: number; end: number; current: boolean }

/**
 * What a row shows, in order: runs, cut where a hit begins or ends, and invisible marks by their names. A hit is found
 * in the text without its sequences, so it may span runs. Pure, because this decides what hostile text can do.
 */
export function piecesOf(line: StyledLine, hits: readonly Hit[] = []): Piece[] {
  const shownLength = Math.min(line.text.length, MOST_CELLS)
  const cuts = new Set([0, shownLength])
  for (const { start, end } of [...line.runs, ...hits]) {
    if (start < shownLength) cuts.add(start)
    if (end < shownLength) cuts.add(end)
  }
  const edges = [...cuts].toSorted((a, b) => a - b)
  const pieces: Piece[] = []
  for (const [index, start] of edges.entries()) {
    const end = edges[index + 1]
    if (end === undefined || end === start) continue
    const hit = hits.find((one) => one.start <= start && one.end >= end)
    const kind = hit ? (hit.current ? 'current' : 'hit') : 'text'
    pushMarked(pieces, line.text.slice(start, end), styleAt(line.runs, start), kind)
  }
  const hidden = line.text.length - shownLength
  if (hidden > 0)
    pieces.push({ text: ` … +${hidden.toLocaleString('en')} characters`, style: plainStyle, kind: 'more' })
  return pieces
}

const styleAt = (runs: readonly Run[], at: number): Style =>
  runs.find(({ start, end }) => start <= at && end > at)?.style ?? plainStyle

function pushMarked(pieces: Piece[], text: string, style: Style, kind: Piece['kind']): void {
  let at = 0
  for (const match of text.matchAll(REORDERING_MARKS)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), style, kind })
    pieces.push({ text: markName(match[0]), style: plainStyle, kind: 'mark' })
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at), style, kind })
}

/** Every place of a literal text in a line; the expression has the global flag. */
export function hitsIn(text: string, pattern: RegExp | null, currentColumn: number | null): Hit[] {
  if (pattern === null) return []
  const hits: Hit[] = []
  for (const match of text.slice(0, MOST_CELLS).matchAll(pattern)) {
    if (match[0] === '') break
    hits.push({ start: match.index, end: match.index + match[0].length, current: match.index === currentColumn })
  }
  return hits
}
