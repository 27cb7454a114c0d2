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
export type Budgets = Record<BudgetScope, Record<BudgetUnit, number | null>>

type BudgetFile = (typeof scopes)[BudgetScope]['file']
/** The keys of limits in a file. */
type BudgetKey<File extends BudgetFile> = Extract<(typeof scopes)[BudgetScope], { file: File }>[BudgetUnit]['key']
/** The limits of a file; null: no limit. Money is in units of the server's currency. */
export type BudgetSettings<File extends BudgetFile> = Record<BudgetKey<File>, number | null>

type BudgetSetting = { scope: BudgetScope; unit: BudgetUnit; key: string; label: string; words: string; most: number }

/** The settings of a file, those for tokens first. */
export const settingsOfBudgets = (file: BudgetFile): BudgetSetting[] =>
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

const byKey = <File extends BudgetFile, Value>(file: File, of: (setting: BudgetSetting) => Value) =>
  Object.fromEntries(settingsOfBudgets(file).map((one) => [one.key, of(one)])) as Record<BudgetKey<File>, Value>

/** The part of a file's schema that validates its limits. */
export const budgetShape = <File extends BudgetFile>(file: File) =>
  byKey<File, z.ZodMiniOptional<z.ZodMiniNumber<number>>>(file, ({ unit, most }) =>
    z.optional(
      unit === 'tokens'
        ? z.int().check(z.positive(), z.maximum(most))
        : z.number().check(z.minimum(LEAST_MONEY), z.maximum(most)),
    ),
  )

/** The limits that a file sets. */
export const budgetSettings = <File extends BudgetFile>(
  file: File,
  given: { [Key in BudgetKey<File>]?: number | null | undefined },
): BudgetSettings<File> => byKey(file, ({ key }) => given[key as BudgetKey<File>] ?? null)

export const noServerBudget = budgetSettings('config.json', {})

/** Settings that an older server stored do not have the newer limits. */
export function budgetsOf(
  given: Partial<BudgetSettings<'beadloom.json'>>,
  server: BudgetSettings<'config.json'>,
): Budgets {
  const budgets = {} as Budgets
  for (const scope of budgetScopes) {
    const { file, tokens, money } = scopeOf(scope)
    const set: Record<string, number | null | undefined> = file === 'beadloom.json' ? given : server
    const cost = set[money.key] ?? null
    budgets[scope] = { tokens: set[tokens.key] ?? null, money: cost === null ? null : Math.round(cost * 1e6) }
  }
  return budgets
}

export const hasMoneyBudget = (budgets: Budgets): boolean => budgetScopes.some((scope) => budgets[scope].money !== null)
