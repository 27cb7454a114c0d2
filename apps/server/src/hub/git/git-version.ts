import { tmpdir } from 'node:os'
import { systemClock } from '../../process/clock.ts'
import { shortOf } from '../../process/start-process.ts'
import { Git } from './git.ts'

/** "2.39.5", or null when there is no git. Rejects when the machine may not start it now. */
export async function gitVersion(env: Readonly<Record<string, string | undefined>>): Promise<string | null> {
  const { PATH: searchPath = '/usr/local/bin:/usr/bin:/bin' } = env
  const git = new Git({ binary: 'git', home: tmpdir(), searchPath, cwd: tmpdir(), clock: systemClock })
  try {
    return /(\d+\.\d+(\.\d+)*)/.exec(await git.text({ args: ['version'] }))?.[1] ?? null
  } catch (error) {
    if (shortOf(error) !== null) throw error
    return null
  }
}
