import type { TokenUseRow } from '../api/budgets/token-use-api.ts'
import { noUse } from '../tokens/sum-use.ts'

/** A row of use in which only the given fields are known. */
export const useRow = (given: Partial<TokenUseRow>): TokenUseRow => ({
  ...noUse,
  day: '2026-11-23',
  bead: 'a-1',
  kind: 'work',
  phase: null,
  model: 'gpt-5',
  agent: null,
  preset: 'codex',
  ...given,
})
