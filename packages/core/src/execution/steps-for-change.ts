import { TRACKER_FILE } from '../records/tracker-file.ts'
import type { VerifyStep } from '../records/verification.ts'

/**
 * The checks that a change has to pass: those for the paths that it touches. A file outside of all checks' paths may
 * concern every check (shared code, a tool's settings), so all checks run for it. Never an empty list. An agent decides
 * how many files there are, so each is looked up by its folders and not compared with every path.
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

/** The paths of a file, of its folders, and '' for the root, without those longer than `longest`. */
function around(file: string, longest: number): string[] {
  const found = file.length <= longest ? ['', file] : ['']
  for (let at = file.indexOf('/'); at > 0 && at <= longest; at = file.indexOf('/', at + 1))
    found.push(file.slice(0, at))
  return found
}
