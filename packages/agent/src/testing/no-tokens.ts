import { TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import type { TokenView } from '../tools/tool.ts'

/** For tools that do not look at tokens. */
export const noTokens: TokenView = {
  context: () => ({ budget: 100_000, used: 0 }),
  spent: new TokenTracker(Infinity),
  canSpawn: () => false,
}
