import { ExtraSlots, type SlotsDeps } from './extra-slots.ts'

/** For tests: slots of one engine, on which all projects are, without limits. */
export const oneEngine = (
  total: number,
  store: SlotsDeps['store'],
  more: Partial<Omit<SlotsDeps, 'store' | 'capacity'>> = {},
): ExtraSlots =>
  new ExtraSlots({
    store,
    capacity: { of: () => total },
    place: () => ({ engine: 'local', limit: null }),
    engineOf: () => 'local',
    ...more,
  })
