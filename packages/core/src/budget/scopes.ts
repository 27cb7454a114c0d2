import { budgetDay, periods, type Period } from './periods.ts'

export const budgetUnits = ['tokens', 'money'] as const
export type BudgetUnit = (typeof budgetUnits)[number]

/** A larger number is a typo. Sums of such amounts are still exact. */
export const MOST_TOKENS = 1e12
/** In units of the currency. */
export const MOST_MONEY = 1e6
/** Smaller amounts vanish in millionths. */
export const LEAST_MONEY = 0.0001

/** The ids of a spender, as texts. A limit does not cover a spender that lacks a part of its holder. */
export type Spender = Record<'session' | 'execution' | 'bead' | 'project', string | null>
/** Only the server's limits cover it. */
export const nobody: Spender = { session: null, execution: null, bead: null, project: null }

/** `words` for the reference; `most`: the largest valid number, if it is not the usual one. */
type Setting = { key: string; words: string; most?: number }
type Scope = {
  /** Use counts together if these parts of the spenders are equal; none: the use of all spenders. */
  holder: readonly (keyof Spender)[]
  /** The period (UTC) whose use counts. Null: the use of all time; such a limit covers the work on one bead alone. */
  period: Period | null
  /** The holder, for sentences. */
  name: string
  /** The end of the settings' labels: "Tokens per session". */
  label: string
  file: 'beadloom.json' | 'config.json'
  tokens: Setting
  money: Setting
}

/** The bound of keys that are older than `MOST_TOKENS`. */
const any = Number.MAX_SAFE_INTEGER

/**
 * The scopes of limits, the narrowest first. Keys, validation, sentences and counting follow from this table; only the
 * store has a query for each scope.
 */
export const scopes = {
  session: {
    holder: ['session'],
    period: null,
    name: 'this session',
    label: 'session',
    file: 'beadloom.json',
    tokens: {
      key: 'maxTokensPerSession',
      words: 'Tokens that one session may use, input and output together.',
      most: any,
    },
    money: { key: 'maxCostPerSession', words: 'What one session may cost.' },
  },
  execution: {
    holder: ['execution'],
    period: null,
    name: 'this execution',
    label: 'execution',
    file: 'beadloom.json',
    tokens: { key: 'maxTokens', words: 'Tokens that an execution may use, input and output together.', most: any },
    money: {
      key: 'maxCost',
      words:
        "What an execution may cost, in the server's currency. Calls whose model has no known price are not counted; people are told.",
    },
  },
  bead: {
    holder: ['project', 'bead'],
    period: null,
    name: 'this bead',
    label: 'bead',
    file: 'beadloom.json',
    tokens: {
      key: 'maxTokensPerBead',
      words: 'Tokens that all executions of one bead together may use, input and output together.',
    },
    money: { key: 'maxCostPerBead', words: 'What all executions of one bead together may cost.' },
  },
  day: {
    holder: ['project'],
    period: 'day',
    name: 'the project',
    label: 'day',
    file: 'beadloom.json',
    tokens: {
      key: 'maxTokensPerDay',
      words: 'Tokens that all executions of the project may use in one day (UTC), input and output together.',
      most: any,
    },
    money: { key: 'maxCostPerDay', words: 'What all executions of the project may cost on one day (UTC).' },
  },
  week: {
    holder: ['project'],
    period: 'week',
    name: 'the project',
    label: 'week',
    file: 'beadloom.json',
    tokens: {
      key: 'maxTokensPerWeek',
      words:
        'Tokens that all executions of the project may use in one week (UTC, from Monday), input and output together.',
    },
    money: {
      key: 'maxCostPerWeek',
      words: 'What all executions of the project may cost in one week (UTC, from Monday).',
    },
  },
  server: {
    holder: [],
    period: 'day',
    name: 'the server',
    label: 'day',
    file: 'config.json',
    tokens: { key: 'maxTokensPerDay', words: 'Tokens that all projects together may use in one day (UTC).' },
    money: { key: 'maxCostPerDay', words: 'What all projects together may cost in one day (UTC), in "currency".' },
  },
} as const satisfies Record<string, Scope>

export type BudgetScope = keyof typeof scopes
export const budgetScopes = Object.keys(scopes) as BudgetScope[]

/** Without the literal types of the table. */
export const scopeOf = (scope: BudgetScope): Scope => scopes[scope]

/** Whether the limits cover the work on one bead alone. */
export const isOwn = (scope: BudgetScope): boolean => scopes[scope].period === null

/** Whether each session has a limit of its own. */
export const isOfSession = (scope: BudgetScope): boolean => scopeOf(scope).holder.includes('session')

/** The user of a limit, for sentences: "this bead", "the project's day". */
export function holderText(scope: BudgetScope): string {
  const { name, period } = scopeOf(scope)
  return period === null ? name : `${name}'s ${period}`
}

/** The use that counts against a limit: the ids of its holder, and since when (milliseconds UTC; null: of all time). */
export type SpentBy = { scope: BudgetScope; ids: readonly string[]; since: number | null }

export const covers = (scope: BudgetScope, of: Spender): boolean =>
  scopeOf(scope).holder.every((part) => of[part] !== null)

/** The use that counts against the spender's limit now. */
export function spentBy(scope: BudgetScope, of: Spender, now: number): SpentBy {
  if (!covers(scope, of)) throw new Error('a limit is asked of somebody whom it does not cover')
  const { holder, period } = scopeOf(scope)
  return { scope, ids: holder.flatMap((part) => of[part] ?? []), since: period && periods[period].startOf(now) }
}

/** Whether the use of both counts against the same limit. */
export const countTogether = (scope: BudgetScope, one: Spender, other: Spender): boolean =>
  scopeOf(scope).holder.every((part) => one[part] === other[part])

/** The stored name of the holder of a grant, unique in its scope. */
export const holderName = ({ ids, since }: SpentBy): string =>
  [...ids, ...(since === null ? [] : [budgetDay(since)])].join('/')
