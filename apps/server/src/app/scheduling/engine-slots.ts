import type { ExtraUse } from '@beadloom/core/dispatch/dispatch-snapshot.ts'
import { holdsSlot } from '@beadloom/core/records/execution.ts'
import type { LiveIndex } from './live-index.ts'
import type { SlotPlaces } from './slot-places.ts'

export type EngineSlotsDeps = {
  index: Pick<LiveIndex, 'refresh' | 'live'>
  places: Pick<SlotPlaces, 'of' | 'engineOf'>
  extraSlots: { uses(): ExtraUse[] }
}

/** The number of slots that an engine has now, and of those in use. */
export function slotsOf(
  { index, places, extraSlots }: EngineSlotsDeps,
  engine: string,
): { total: number; used: number } {
  index.refresh()
  const own = index
    .live()
    .filter((one) => one.state === 'RUNNING' && holdsSlot(one) && places.engineOf(one) === engine).length
  const extra = extraSlots.uses().reduce((sum, use) => sum + (use.engine === engine ? use.used : 0), 0)
  return { total: places.of(engine), used: own + extra }
}
