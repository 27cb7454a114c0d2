/*
 * The files that a subtask announces to touch. They decide which subtasks may run at the same time, so two paths that
 * might be the same count as the same: a folder is everything in it, and a pattern is the folder in which it begins.
 */

/**
 * A path with `*` for every variable part of a pattern. Square brackets stay: they also occur in names of files,
 * `app/[id]/page.tsx`.
 */
export const withStars = (path: string): string => path.replaceAll(/\?|\{[^{}]*\}/g, '*')

/**
 * The path without `./`, and with a pattern (`src/*.ts`) shortened to its folder. A folder ends with "/"; '' is the
 * whole repository.
 */
export function plainPath(path: string): string {
  const plain = withStars(path.replace(/^(?:\.\/)+/, '').replace(/\/{2,}/g, '/'))
  const star = plain.indexOf('*')
  if (star >= 0) return plain.slice(0, plain.lastIndexOf('/', star) + 1)
  return plain === '.' ? '' : plain
}

/** A path without "/" at its end may be a file or a folder. */
function isIn(path: string, other: string): boolean {
  const folder = other.endsWith('/') ? other : `${other}/`
  return other === '' || path === other || path.startsWith(folder) || `${path}/` === other
}

type Touching = { filesTouched: readonly string[] }

/** Whether two subtasks may touch the same file. */
export function overlap(one: Touching, other: Touching): boolean {
  const theirs = other.filesTouched.map(plainPath)
  return one.filesTouched.map(plainPath).some((path) => theirs.some((their) => isIn(path, their) || isIn(their, path)))
}

/** The paths that a subtask did not announce to touch. */
export function outside(paths: readonly string[], { filesTouched }: Touching): string[] {
  const said = filesTouched.map(plainPath)
  return paths.filter((path) => !said.some((one) => isIn(path, one)))
}
