import type { UseGroup, UseTable } from '../api/budgets/project-budget-api.ts'
import { useKeys, type TokenUseRow, type UseAmounts, type UseKey } from '../api/budgets/token-use-api.ts'

export const noUse: UseAmounts = {
  calls: 0,
  estimated: 0,
  input: 0,
  output: 0,
  cached: null,
  reasoning: null,
  costMicros: null,
  unpriced: 0,
}

export const tokensOf = ({ input, output }: Pick<UseAmounts, 'input' | 'output'>): number => input + output

/** A sum is known as soon as a part of it is; the tokens without a price are counted beside it. */
export const addUse = (a: UseAmounts, b: UseAmounts): UseAmounts => addTo({ ...a }, b)

/** The same in place: a year of a project is a hundred thousand sums. */
function addTo(sum: UseAmounts, more: UseAmounts): UseAmounts {
  sum.calls += more.calls
  sum.estimated += more.estimated
  sum.input += more.input
  sum.output += more.output
  sum.unpriced += more.unpriced
  sum.cached = addKnown(sum.cached, more.cached)
  sum.reasoning = addKnown(sum.reasoning, more.reasoning)
  sum.costMicros = addKnown(sum.costMicros, more.costMicros)
  return sum
}

const addKnown = (sum: number | null, more: number | null): number | null => (more === null ? sum : (sum ?? 0) + more)

/** A share of use, as far as the numbers can be divided. */
export function partOfUse(use: UseAmounts, share: number): UseAmounts {
  const part = (value: number) => Math.round(value * share)
  const known = (value: number | null) => (value === null ? null : part(value))
  return {
    calls: part(use.calls),
    estimated: part(use.estimated),
    input: part(use.input),
    output: part(use.output),
    cached: known(use.cached),
    reasoning: known(use.reasoning),
    costMicros: known(use.costMicros),
    unpriced: part(use.unpriced),
  }
}

/** `openai/docs-agent` for a sub-agent: its name alone could be another agent's. '' if not known. */
export const useName = (row: TokenUseRow, key: UseKey): string =>
  key === 'agent' && row.agent !== null ? `${row.preset ?? ''}/${row.agent}` : String(row[nameIn[key]] ?? '')

const nameIn = {
  day: 'day',
  bead: 'bead',
  model: 'model',
  kind: 'kind',
  agent: 'preset',
  phase: 'phase',
} as const satisfies Record<UseKey, keyof TokenUseRow>

/** The longest table that anybody reads; further rows are added up. */
export const MOST_GROUPS = 100

type Sum = { use: UseAmounts; retries: UseAmounts }
const empty = (): Sum => ({ use: { ...noUse }, retries: { ...noUse } })

/** Adds up rows by all keys at once, as they come. */
export class UseTables {
  readonly #all = empty()
  readonly #by = new Map<UseKey, Map<string, Sum>>(useKeys.map((key) => [key, new Map<string, Sum>()]))

  add(row: TokenUseRow): void {
    count(this.#all, row)
    for (const [key, sums] of this.#by) {
      const name = useName(row, key)
      const known = sums.get(name)
      if (known) count(known, row)
      else sums.set(name, count(empty(), row))
    }
  }

  get all(): UseAmounts {
    return this.#all.use
  }

  get retries(): UseAmounts {
    return this.#all.retries
  }

  /** The most used first; days in their order, the newest first. */
  table(key: UseKey, most = MOST_GROUPS): UseTable {
    const groups = [...(this.#by.get(key) ?? [])].map(([name, sum]): UseGroup => ({ name, ...sum }))
    const sorted =
      key === 'day'
        ? groups.toSorted((a, b) => (a.name < b.name ? 1 : -1))
        : groups.toSorted((a, b) => tokensOf(b.use) - tokensOf(a.use))
    const below = sorted.slice(most)
    if (below.length === 0) return { items: sorted, rest: null }
    const rest = empty()
    for (const group of below) {
      addTo(rest.use, group.use)
      addTo(rest.retries, group.retries)
    }
    return { items: sorted.slice(0, most), rest: { count: below.length, ...rest } }
  }
}

function count(sum: Sum, row: TokenUseRow): Sum {
  addTo(sum.use, row)
  if (row.kind === 'retry') addTo(sum.retries, row)
  return sum
}
