import type { Egress } from '@beadloom/server/src/ports/egress.ts'

/** Lets nobody reach anything outside. */
export const noEgress: Egress = {
  open: () => {
    throw new Error('a session without an allow-list asked for a way out')
  },
  close: async () => {},
}
