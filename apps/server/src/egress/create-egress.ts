import { parseRules } from '@beadloom/core/egress/allow-rule.ts'
import type { Egress, EgressDoor } from '../ports/egress.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { Clock } from '../process/clock.ts'
import { EgressLedger } from './egress-ledger.ts'
import { defaultEgressBounds, type EgressBounds } from './egress-bounds.ts'
import { isElsewhere } from './public-address.ts'
import { resolveByDns, type ResolveName } from './resolve-name.ts'
import { SessionDoor } from './session-door.ts'

export type EgressOptions = {
  store: Pick<PatientStore, 'noteEgress'>
  clock: Clock
  /** Called with an error that nothing waits for: a ledger could not be stored. */
  report: (error: unknown) => void
  /** For tests only: names and addresses of their own, and bounds that they can reach. */
  resolve?: ResolveName
  isPublic?: (address: string) => boolean
  bounds?: Partial<EgressBounds>
}

export function createEgress({ store, clock, report, ...given }: EgressOptions): Egress {
  const { resolve = resolveByDns, isPublic = isElsewhere } = given
  const bounds = { ...defaultEgressBounds, ...given.bounds }
  const places = { taken: 0 }
  const doors = new Set<EgressDoor>()
  const storing = new Set<Promise<void>>()
  return {
    open: ({ project, owner, allow }) => {
      const ledger = new EgressLedger(async (notes) => {
        try {
          await store.noteEgress(project, owner, notes)
        } catch (error) {
          report(error)
        }
      }, clock)
      const closed = (): Promise<void> => {
        doors.delete(door)
        const stored = ledger.close().finally(() => storing.delete(stored))
        storing.add(stored)
        return stored
      }
      const rules = parseRules(allow)
      const door = new SessionDoor({ rules, resolve, isPublic, bounds, clock, ledger, places, closed })
      doors.add(door)
      return door
    },
    close: async () => {
      for (const door of doors) door.close()
      await Promise.all(storing)
    },
  }
}
