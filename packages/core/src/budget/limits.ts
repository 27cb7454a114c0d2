import { z } from 'zod/mini'
import {
  budgetScopes,
  budgetUnits,
  LEAST_MONEY,
  MOST_MONEY,
  MOST_TOKENS,
  scopeOf,
  type BudgetScope,
  type BudgetUnit,
  type scopes,
} from './scopes.ts'

/** At a limit an execution either ends, or waits and asks a person. */
export const onLimits = ['stop', 'ask'] as const
export type OnLimit = (typeof onLimits)[number]

/** Percent of a limit at which people are warned. */
export const DEFAULT_WARN_AT = 75
/** A person who has gone home answers the next morning. */
export const DEFAULT_ANSWER_MS = 24 * 3_600_000

/** Null: no limit. Money is in millionths of the server's currency. */
export type BudgetLimits = Record<BudgetScope, Record<BudgetUnit, number | null>>

type LimitFile = (typeof scopes)[BudgetScope]['file']
/** The keys of limits in a file. */
type LimitKey<File extends LimitFile> = Extract<(typeof scopes)[BudgetScope], { file: File }>[BudgetUnit]['key']
/** The limits of a file; null: no limit. Money is in units of the server's currency. */
export type LimitsIn<File extends LimitFile> = Record<LimitKey<File>, number | null>

type LimitSetting = { scope: BudgetScope; unit: BudgetUnit; key: string; label: string; words: string; most: number }

/** The settings of a file, those for tokens first. */
export const limitSettings = (file: LimitFile): LimitSetting[] =>
  budgetUnits.flatMap((unit) =>
    budgetScopes.flatMap((scope) => {
      const { file: its, label, [unit]: setting } = scopeOf(scope)
      const most = unit === 'tokens' ? MOST_TOKENS : MOST_MONEY
      const said = { label: `${unit === 'tokens' ? 'Tokens' : 'Money'} per ${label}` }
      return its === file
        ? [{ most, ...setting, ...said, scope, unit, words: `${setting.words} Default: no limit.` }]
        : []
    }),
  )

const byKey = <File extends LimitFile, Value>(file: File, of: (setting: LimitSetting) => Value) =>
  Object.fromEntries(limitSettings(file).map((one) => [one.key, of(one)])) as Record<LimitKey<File>, Value>

/** The part of a file's schema that validates its limits. */
export const limitShape = <File extends LimitFile>(file: File) =>
  byKey<File, z.ZodMiniOptional<z.ZodMiniNumber<number>>>(file, ({ unit, most }) =>
    z.optional(
      unit === 'tokens'
        ? z.int().check(z.positive(), z.maximum(most))
        : z.number().check(z.minimum(LEAST_MONEY), z.maximum(most)),
    ),
  )

/** The limits that a file sets. */
export const limitsIn = <File extends LimitFile>(
  file: File,
  given: { [Key in LimitKey<File>]?: number | null | undefined },
): LimitsIn<File> => byKey(file, ({ key }) => given[key as LimitKey<File>] ?? null)

export const noServerBudget = limitsIn('config.json', {})

/** Settings that an older server stored do not have the newer limits. */
export function budgetLimits(given: Partial<LimitsIn<'beadloom.json'>>, server: LimitsIn<'config.json'>): BudgetLimits {
  const limits = {} as BudgetLimits
  for (const scope of budgetScopes) {
    const { file, tokens, money } = scopeOf(scope)
    const set: Record<string, number | null | undefined> = file === 'beadloom.json' ? given : server
    const cost = set[money.key] ?? null
    limits[scope] = { tokens: set[tokens.key] ?? null, money: cost === null ? null : Math.round(cost * 1e6) }
  }
  return limits
}

export const hasMoneyLimit = (limits: BudgetLimits): boolean =>
  budgetScopes.some((scope) => limits[scope].money !== null)
