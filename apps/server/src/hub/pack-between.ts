import { HubError } from '../ports/hub.ts'
import type { StartsGit } from './git/git-process.ts'

/** Many times the need of a small difference. Larger ones are asked for in the usual way. */
const TIMEOUT_MS = 1_000

/** As in `Hub.pack`. */
export async function packBetween(
  { git, gitDir }: { git: StartsGit; gitDir: string },
  commit: string,
  has: string,
  limitBytes: number,
): Promise<Buffer | null> {
  const args = ['pack-objects', '--quiet', '--revs', '--thin', '--stdout', '--delta-base-offset']
  try {
    const input = `${commit}\n^${has}\n`
    return (await git.run({ gitDir, args, input, limitBytes, timeoutMs: TIMEOUT_MS })).stdout
  } catch (error) {
    if (error instanceof HubError) return null
    throw error
  }
}
