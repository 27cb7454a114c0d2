import { join } from 'node:path'
import type { Clock } from '../../process/clock.ts'
import { seedRepository } from './seed-repository.ts'

type Place = { data: string; root: string; env: Record<string, string | undefined>; clock: Clock }

/** The place of the demo's repository in a data folder, and how it gets there from the sample in `root`. */
export function demoRepository({ data, root, env, clock }: Place): { remote: string; seed: () => Promise<void> } {
  const remote = join(data, 'demo', 'remote.git')
  const seed = () =>
    seedRepository({
      folder: join(root, 'test', 'samples', 'demo'),
      into: remote,
      gitHome: join(data, 'git-home'),
      searchPath: env['PATH'] ?? '/usr/bin:/bin',
      clock,
      rewritten: { [join('.beads', 'issues.jsonl')]: (text) => datedFromNow(text, clock.now()) },
    })
  return { remote, seed }
}

const HOUR_MS = 3_600_000
const STAMP = /("(?:created|updated|closed)_at":")([^"]+)(")/g

/** The sample's beads as if the newest had been filed an hour ago; the times between them stay. */
export function datedFromNow(text: string, now: number): string {
  const newest = Math.max(...[...text.matchAll(STAMP)].map(([, , at = '']) => Date.parse(at)))
  const later = now - HOUR_MS - newest
  return text.replace(STAMP, (_, before: string, at: string, after: string) => {
    const moved = new Date(Date.parse(at) + later).toISOString().replace(/\.\d+Z$/, 'Z')
    return `${before}${moved}${after}`
  })
}
