import { DEFAULT_WARN_AT, settingsOfBudgets, onLimits, type BudgetSettings } from '../budget/budget-settings.ts'
import { LEAST_MONEY } from '../budget/scopes.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** Limits of tokens, and of money in the server's currency, which a row cannot know. An older server's settings lack some. */
const limitRows = settingsOfBudgets('beadloom.json').map(({ key, unit, label, most }): ProjectSettingRow => ({
  key: `limits.${key}`,
  section: 'limits',
  label,
  kind: 'number',
  most,
  ...(unit === 'tokens' ? { least: 1, unit } : { least: LEAST_MONEY, unit: '', fraction: true }),
  of: ({ limits }) => limits[key as keyof BudgetSettings<'beadloom.json'>] ?? null,
}))

/** The limits, and the reaction to a reached limit. */
export const budgetRows: readonly ProjectSettingRow[] = [
  ...limitRows,
  {
    key: 'limits.warnAtPercent',
    section: 'limits',
    label: 'Warn at',
    kind: 'number',
    least: 1,
    most: 100,
    unit: '%',
    of: ({ limits }) => limits.warnAtPercent ?? DEFAULT_WARN_AT,
  },
  {
    key: 'onLimit',
    section: 'limits',
    label: 'At a limit of tokens or money',
    kind: 'choice',
    choices: onLimits,
    of: ({ onLimit }) => onLimit,
  },
  {
    key: 'limits.answerTimeoutSeconds',
    section: 'limits',
    label: 'Wait for an answer',
    kind: 'number',
    least: 1,
    most: 7 * 24 * 3600,
    unit: 's',
    of: ({ limits }) => (limits.answerTimeoutMs === undefined ? null : limits.answerTimeoutMs / 1000),
  },
]
