import type { WarmSandboxes } from '@beadloom/server/src/execution/warm-sandboxes.ts'

/** Every sandbox is opened when it is needed. */
export const nothingWaits: WarmSandboxes = { take: async () => null, learn: () => {} }
