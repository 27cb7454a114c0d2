import { writes, type PatientStore } from '../../ports/store/patient.ts'
import type { Store } from '../../ports/store.ts'
import type { Patience } from './patience.ts'
import type { ToDisk } from './to-disk.ts'

/** The same store, except that a write waits until the database can be written, and then until it is on disk. */
export function patientStore(store: Store, patience: Patience, disk: ToDisk): PatientStore {
  const waiting = writes.map((name) => {
    const method = store[name] as (...args: unknown[]) => unknown
    const write = (...args: unknown[]) => {
      const written = lasting(patience, disk, () => method(...args))
      written.catch(() => {}) // a caller that does not wait has nothing to decide
      return written
    }
    return [name, write]
  })
  return { ...store, ...(Object.fromEntries(waiting) as Partial<PatientStore>) } as PatientStore
}

async function lasting(patience: Patience, disk: ToDisk, work: () => unknown): Promise<unknown> {
  const { value, commit } = await patience.inTurn(() => {
    const before = disk.now
    return { value: work(), commit: disk.now > before ? disk.now : 0 }
  })
  await disk.reached(commit)
  return value
}
