import { DEFAULT_WARN_AT, LEAST_MONEY, MOST_MONEY, MOST_TOKENS, onLimits } from '../budget/limits.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

const tokens = { section: 'limits', kind: 'number', least: 1, most: MOST_TOKENS, unit: 'tokens' } as const
/** In the server's currency, which a row cannot know. */
const money = {
  section: 'limits',
  kind: 'number',
  least: LEAST_MONEY,
  most: MOST_MONEY,
  unit: '',
  fraction: true,
} as const

/**
 * The newer limits of tokens and money, and the reaction to a reached limit. An older server's settings do not have
 * them.
 */
export const budgetRows: readonly ProjectSettingRow[] = [
  {
    key: 'limits.maxTokensPerBead',
    label: 'Tokens per bead',
    ...tokens,
    of: ({ limits }) => limits.maxTokensPerBead ?? null,
  },
  {
    key: 'limits.maxTokensPerWeek',
    label: 'Tokens per week',
    ...tokens,
    of: ({ limits }) => limits.maxTokensPerWeek ?? null,
  },
  { key: 'limits.maxCost', label: 'Money per execution', ...money, of: ({ limits }) => limits.maxCost ?? null },
  {
    key: 'limits.maxCostPerSession',
    label: 'Money per session',
    ...money,
    of: ({ limits }) => limits.maxCostPerSession ?? null,
  },
  {
    key: 'limits.maxCostPerBead',
    label: 'Money per bead',
    ...money,
    of: ({ limits }) => limits.maxCostPerBead ?? null,
  },
  { key: 'limits.maxCostPerDay', label: 'Money per day', ...money, of: ({ limits }) => limits.maxCostPerDay ?? null },
  {
    key: 'limits.maxCostPerWeek',
    label: 'Money per week',
    ...money,
    of: ({ limits }) => limits.maxCostPerWeek ?? null,
  },
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
