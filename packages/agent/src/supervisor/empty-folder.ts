import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes what is in a folder, as far as this user may: nobody waits for what somebody has made hard to remove. */
export function emptyFolder(folder: string): void {
  for (const name of namesIn(folder)) {
    try {
      rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // of another user, or without the rights that removing takes
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
