import { HIDDEN_MARKS } from '@beadloom/core/text/hidden-marks.ts'
import { markName } from '../../../ui/text/hostile-text.ts'
import { plainStyle } from '@beadloom/core/text/sgr.ts'
import type { Style } from '@beadloom/core/text/sgr.ts'
import type { Link, StyledLine } from '../lines/ansi.ts'

/** Longer lines are cut on the screen; a dialog shows them whole. */
export const MOST_CELLS = 4096
/** A line may change its colour with every character; beyond this limit, it keeps the last one. */
const MOST_PIECES = 500

export type PieceKind = 'text' | 'mark' | 'hit' | 'current' | 'host' | 'more'
export type Piece = { text: string; style: Style; kind: PieceKind; link: Link | null }
export type Hit = { start: number; end: number; current: boolean }

/**
 * A row's content, in order: runs, cut where a hit begins or ends, with invisible marks by name. A hit is found in the
 * text without control sequences, so it may span runs. Pure, because this decides what hostile text can do.
 */
export function piecesOf(line: StyledLine, hits: readonly Hit[] = []): Piece[] {
  const shownLength = Math.min(line.text.length, MOST_CELLS)
  const pieces: Piece[] = []
  let run = 0
  let hit = 0
  for (let start = 0; start < shownLength;) {
    while ((line.runs[run]?.end ?? Number.POSITIVE_INFINITY) <= start) run++
    while ((hits[hit]?.end ?? Number.POSITIVE_INFINITY) <= start) hit++
    const inRun = covering(line.runs[run], start)
    const inHit = covering(hits[hit], start)
    const end =
      pieces.length < MOST_PIECES
        ? Math.min(shownLength, edgeAfter(line.runs[run], start), edgeAfter(hits[hit], start))
        : shownLength
    const kind = inHit ? (inHit.current ? 'current' : 'hit') : 'text'
    const link = inRun?.link ?? null
    pushMarked(pieces, line.text.slice(start, end), { style: inRun?.style ?? plainStyle, kind, link })
    if (link && line.runs[run]?.end === end && line.runs[run + 1]?.link !== link) {
      // A link's text may name another place, so its real host is shown, too.
      pieces.push({ text: ` (${link.host})`, style: plainStyle, kind: 'host', link: null })
    }
    start = end
  }
  const hidden = line.text.length - shownLength
  if (hidden > 0) {
    const text = ` … +${hidden.toLocaleString('en')} characters`
    pieces.push({ text, style: plainStyle, kind: 'more', link: null })
  }
  return pieces
}

type Span = { start: number; end: number }
const covering = <T extends Span>(span: T | undefined, at: number): T | null =>
  span && span.start <= at && span.end > at ? span : null
const edgeAfter = (span: Span | undefined, at: number): number =>
  span === undefined ? Number.POSITIVE_INFINITY : span.start > at ? span.start : span.end

function pushMarked(pieces: Piece[], text: string, like: Omit<Piece, 'text'>): void {
  let at = 0
  for (const match of text.matchAll(VISIBLE_MARKS)) {
    if (match.index > at) pieces.push({ ...like, text: text.slice(at, match.index) })
    pieces.push({ text: markName(match[0]), style: plainStyle, kind: 'mark', link: null })
    at = match.index + match[0].length
    if (pieces.length > MOST_PIECES) break
  }
  if (at < text.length) pieces.push({ ...like, text: text.slice(at).replaceAll(VISIBLE_MARKS, markName) })
}

const VISIBLE_MARKS = new RegExp(`${HIDDEN_MARKS.source}|\\r`, 'gu')

/** Every place of a literal text in a line; the expression has the global flag. `current` is a column in the text. */
export function hitsIn(text: string, pattern: RegExp | null, current: number | null): Hit[] {
  if (pattern === null) return []
  const hits: Hit[] = []
  for (const match of text.slice(0, MOST_CELLS).matchAll(pattern)) {
    if (match[0] === '') break
    hits.push({ start: match.index, end: match.index + match[0].length, current: match.index === current })
  }
  return hits
}
