import { TRACKER_FILE } from '../bead/tracker-file.ts'
import type { VerifyStep } from './verification.ts'

/**
 * The checks that a change has to pass: those of what it touches. A file that belongs to nobody's paths may be everybody's
 * (shared code, a tool's settings), so all checks run for it. Never none. An agent decides how many files there are: each is
 * looked up by the names of its folders, and compared with no path.
 *
 * @param changed paths of files
 */
export function stepsForChange<T extends Pick<VerifyStep, 'paths'>>(
  steps: readonly T[],
  changed: readonly string[],
): readonly T[] {
  const named = new Set(steps.flatMap(({ paths = [] }) => paths))
  const longest = Math.max(0, ...[...named].map((path) => path.length))
  const touched = new Set<string>()
  for (const file of changed) {
    if (file === TRACKER_FILE) continue
    const own = around(file, longest).filter((path) => named.has(path))
    if (own.length === 0) return steps
    for (const path of own) touched.add(path)
  }
  if (touched.size === 0) return steps
  return steps.filter(({ paths }) => paths === undefined || paths.some((path) => touched.has(path)))
}

/** A file's own path, those of the folders that it is in, and '' for the root; none that is longer than the longest asked for. */
function around(file: string, longest: number): string[] {
  const found = file.length <= longest ? ['', file] : ['']
  for (let at = file.indexOf('/'); at > 0 && at <= longest; at = file.indexOf('/', at + 1))
    found.push(file.slice(0, at))
  return found
}
