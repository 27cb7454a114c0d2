import { TRACKER_FILE } from '../bead/tracker-file.ts'
import type { VerifyStep } from './verification.ts'

/**
 * The checks that a change has to pass: those of what it touches. A file that belongs to nobody's paths may be everybody's
 * (shared code, a tool's settings), so all checks run for it. Never none.
 *
 * @param changed paths of files
 */
export function stepsForChange<T extends Pick<VerifyStep, 'paths'>>(
  steps: readonly T[],
  changed: readonly string[],
): readonly T[] {
  const files = changed.filter((file) => file !== TRACKER_FILE)
  const isShared = (file: string) => !steps.some(({ paths }) => paths !== undefined && isIn(paths, file))
  if (files.length === 0 || files.some(isShared)) return steps
  const needed = steps.filter(({ paths }) => paths === undefined || files.some((file) => isIn(paths, file)))
  return needed.length === 0 ? steps : needed
}

const isIn = (paths: readonly string[], file: string): boolean =>
  paths.some((path) => path === '' || file === path || file.startsWith(`${path}/`))
