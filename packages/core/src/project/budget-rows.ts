import { DEFAULT_WARN_AT, settingsOfBudgets, onLimits, type BudgetSettings } from '../budget/budget-settings.ts'
import { LEAST_MONEY } from '../budget/scopes.ts'
import { onBlocked } from '../records/pause.ts'
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

/** The limits, the reaction to a reached one, and to an agent's question. */
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
    key: 'onBlocked',
    section: 'limits',
    label: 'When an agent asks (BLOCKED)',
    kind: 'choice',
    choices: onBlocked,
    of: ({ onBlocked: chosen }) => chosen ?? 'end',
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
