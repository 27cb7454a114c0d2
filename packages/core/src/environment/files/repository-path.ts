/** The folder that a path is in; `''` is the root. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * The path from the repository's root (`''`) for a path that a file in `folder` contains. Null: it leaves the
 * repository, or depends on something that only the machine knows.
 */
export function pathFrom(folder: string, written: string): string | null {
  if (written.startsWith('/') || /^[A-Za-z]:|[\\$~]|\p{Cc}/u.test(written)) return null
  const parts: string[] = folder === '' ? [] : folder.split('/')
  for (const part of written.split('/')) {
    if (part === '..') {
      if (parts.length === 0) return null
      parts.pop()
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
