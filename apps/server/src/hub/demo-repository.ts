import { join } from 'node:path'
import type { Clock } from '../process/clock.ts'
import { seedRepository } from './seed-repository.ts'

type Place = { data: string; root: string; env: Record<string, string | undefined>; clock: Clock }

/** Where the demo's repository lies in a data folder, and how it gets there from the sample in `root`. */
export function demoRepository({ data, root, env, clock }: Place): { remote: string; seed: () => Promise<void> } {
  const remote = join(data, 'demo', 'remote.git')
  const seed = () =>
    seedRepository({
      folder: join(root, 'test', 'samples', 'demo'),
      into: remote,
      gitHome: join(data, 'git-home'),
      searchPath: env['PATH'] ?? '/usr/bin:/bin',
      clock,
    })
  return { remote, seed }
}
