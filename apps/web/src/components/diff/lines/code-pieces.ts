import { scopes, type Runs, type Scope } from '../syntax/runs.ts'
import type { Piece } from './word-marks.ts'

export type CodePiece = Piece & { scope: Scope | null }

/** A line cut wherever its words or its colours change. The runs may be shorter than the line, but never shift it. */
export function codePieces(words: readonly Piece[], runs: Runs | null): CodePiece[] {
  const found: CodePiece[] = []
  let [run, left] = [0, runs?.[0] ?? Infinity]
  const scope = (): Scope | null => scopes[runs?.[run + 1] ?? -1] ?? null
  for (const { text, marked } of words)
    for (let at = 0; at < text.length;) {
      const length = Math.min(left, text.length - at)
      const last = found.at(-1)
      const piece = { text: text.slice(at, at + length), marked, scope: scope() }
      if (last?.marked === marked && last.scope === piece.scope) last.text += piece.text
      else found.push(piece)
      at += length
      left -= length
      if (left > 0) continue
      run += 2
      left = runs?.[run] ?? Infinity
    }
  return found
}
