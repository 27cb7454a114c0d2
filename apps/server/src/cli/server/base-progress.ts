import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import type { Clock } from '../../process/clock.ts'
import { cutText, oneLiner } from '../terminal/terminal-text.ts'

const LOOK_MS = 1_000
const COLUMNS = 600

/** A project, and the known state of its base. */
export type SeenBase = { project: string; workBranch: string; base: Pick<ProofView, 'state' | 'text'> | null }

/**
 * Shows the person at the server's terminal each step of checking whether beads may start, and the result.
 *
 * @param seq the number of the newest change: nothing is read without a change
 */
export async function showBases(
  seq: () => number,
  bases: () => readonly SeenBase[],
  write: (line: string) => void,
  clock: Clock,
  stop: AbortSignal,
): Promise<void> {
  const told = new Map<string, string>()
  let seen = -1
  while (!stop.aborted) {
    const newest = seq()
    for (const one of newest === seen ? [] : bases()) {
      const line = lineOf(one, told.has(one.project))
      if (line === null || told.get(one.project) === line) continue
      told.set(one.project, line)
      write(line)
    }
    seen = newest
    await clock.sleep(LOOK_MS, stop)
  }
}

/** @param followed the person saw its beginning, so an end without a problem is news, too */
function lineOf({ project, workBranch, base }: SeenBase, followed: boolean): string | null {
  if (base === null || (base.state === 'green' && !followed)) return null
  const say = (mark: string, text: string) =>
    `${mark} ${oneLiner(project).padEnd(10)} ${cutText(oneLiner(text), COLUMNS)}`
  switch (base.state) {
    case 'proving':
      return say(' ', `checking ${workBranch}: ${base.text}`)
    case 'green':
      return say('✓', `${workBranch} is ready for beads${base.text === '' ? '' : `. ${base.text}`}`)
    case 'red':
      return say('!', base.text)
    default:
      return say('✕', `nothing starts. ${base.text}`)
  }
}
