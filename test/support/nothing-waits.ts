import type { WarmSandboxes } from '@beadloom/server/src/execution/warm-sandboxes.ts'

/** Opens every sandbox only when it is needed. */
export const nothingWaits: WarmSandboxes = { take: async () => null, learn: () => {} }
