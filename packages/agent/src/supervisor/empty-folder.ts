import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Empties a folder as far as this user may. It skips what somebody has made hard to remove. */
export function emptyFolder(folder: string): void {
  for (const name of namesIn(folder)) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // belongs to another user, or may not be removed
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
