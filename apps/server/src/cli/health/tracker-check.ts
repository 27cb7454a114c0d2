import type { Check } from '@beadloom/core/api/api.ts'
import { systemClock } from '../../process/clock.ts'
import type { Environment } from '../../process/settings.ts'

/** What keeps the beads of this folder, or, where there are none, which `bd` would. Nothing here is ever wrong. */
export async function checkTracker(folder: string, env: Environment): Promise<Check> {
  const { createTracker } = await import('../../beads/find-tracker.ts')
  const { Versions } = await import('../../beads/bd/bd-version.ts')
  const settings = { clock: systemClock, env }
  const { info } = await createTracker(settings).find(folder)
  if (info.kind !== 'none') return { name: 'tracker', ok: true, text: `here: ${info.text}` }
  const { bd } = await new Versions(settings).known()
  const text = bd === null ? 'no bd: beads are kept in .beads/issues.jsonl, which needs no program' : `bd ${bd}`
  return { name: 'tracker', ok: true, text }
}
