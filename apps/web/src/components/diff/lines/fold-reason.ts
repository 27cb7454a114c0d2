import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

const MOST_LINES = 800
/** In diffs of this size, files are opened one at a time. */
export const LARGE_DIFF_LINES = 20_000

const LOCKS =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|deno\.lock|[Cc]argo\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|mix\.lock|flake\.lock|gradle\.lockfile|Podfile\.lock|pubspec\.lock)$/
const GENERATED =
  /(?:^|\/)(?:dist|vendor|node_modules|third_party|__snapshots__)\/|\.(?:min\.(?:js|css)|map|snap|pb\.go|g\.dart|designer\.cs)$|_pb2(?:_grpc)?\.py$/i

export const isBinary = ({ added, removed }: DiffFileView): boolean => added === null && removed === null
export const linesOf = ({ added, removed }: DiffFileView): number => (added ?? 0) + (removed ?? 0)

/** The reason why a file of a diff starts folded; null: it does not. */
export function foldReason(file: DiffFileView): string | null {
  if (isBinary(file)) return 'Binary file.'
  const lines = linesOf(file)
  if (lines === 0) {
    if (file.status === 'R' || file.status === 'C') return 'Renamed without changes.'
    return file.status === 'M' ? 'Only its mode or whitespace changed.' : 'Empty file.'
  }
  if (LOCKS.test(file.path)) return 'Lock file.'
  if (GENERATED.test(file.path)) return 'Looks generated or vendored.'
  return lines > MOST_LINES ? `${countText(lines)} changed lines.` : null
}
