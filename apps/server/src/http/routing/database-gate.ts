import type { Store } from '../../ports/store.ts'

/**
 * Milliseconds that a change waits for a locked database: most locks are gone by then, and a person still waits for the
 * button.
 */
export const DATABASE_WAIT_MS = 2_000

/** A change waits for a writable database before it, and for the disk before its answer, which has the store's `seq`. */
export type DatabaseGate = Pick<Store, 'writable' | 'beginChange' | 'onDisk' | 'trouble' | 'seq'>
