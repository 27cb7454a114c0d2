import type { TokenUseRow, UseAmounts } from '../api/token-use-api.ts'

/** By what use can be added up. */
export const useKeys = ['day', 'bead', 'model', 'kind', 'agent', 'phase'] as const
export type UseKey = (typeof useKeys)[number]

export const noUse: UseAmounts = {
  calls: 0,
  estimated: 0,
  input: 0,
  output: 0,
  cached: 0,
  reasoning: 0,
  costMicros: null,
  unpriced: 0,
}

/** A sum of money is known as soon as a part of it is; how much has none is beside it. */
export const addUse = (a: UseAmounts, b: UseAmounts): UseAmounts => ({
  calls: a.calls + b.calls,
  estimated: a.estimated + b.estimated,
  input: a.input + b.input,
  output: a.output + b.output,
  cached: a.cached + b.cached,
  reasoning: a.reasoning + b.reasoning,
  costMicros: a.costMicros === null && b.costMicros === null ? null : (a.costMicros ?? 0) + (b.costMicros ?? 0),
  unpriced: a.unpriced + b.unpriced,
})

/** Use by one key, the most first; days in their order, the newest first. */
export function sumUse(rows: readonly TokenUseRow[], key: UseKey): { name: string; use: UseAmounts }[] {
  const sums = new Map<string, UseAmounts>()
  for (const row of rows) {
    const name = String(row[key] ?? '')
    sums.set(name, addUse(sums.get(name) ?? noUse, row))
  }
  const all = [...sums].map(([name, use]) => ({ name, use }))
  const tokens = ({ use }: { use: UseAmounts }) => use.input + use.output
  return key === 'day'
    ? all.toSorted((a, b) => (a.name < b.name ? 1 : -1))
    : all.toSorted((a, b) => tokens(b) - tokens(a))
}
