import { namesOf } from '../execution/fresh-starts/retry-condition.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** Settings of fresh starts: the built-in agent that has failed begins again in its session. */
export const freshStartRows: readonly ProjectSettingRow[] = [
  {
    key: 'freshStarts.retryOnFailure',
    section: 'retries',
    label: 'Fresh starts of the built-in agent',
    kind: 'boolean',
    of: ({ freshStarts }) => freshStarts.retryOnFailure,
  },
  {
    key: 'freshStarts.maxRetries',
    section: 'retries',
    label: 'Fresh starts per session',
    kind: 'number',
    least: 0,
    most: 10,
    unit: '',
    of: ({ freshStarts }) => freshStarts.maxRetries,
  },
  {
    key: 'freshStarts.retryCondition',
    section: 'retries',
    label: 'Fresh starts after',
    kind: 'list',
    of: ({ freshStarts }) => namesOf(freshStarts.retryCondition),
    fixed: true,
  },
]
