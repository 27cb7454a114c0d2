import { MOST_SLOTS, MOST_WEIGHT } from '../dispatch/shares.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** Settings for sharing slots with other projects. */
export const slotRows: readonly ProjectSettingRow[] = [
  {
    key: 'slots.limit',
    section: 'runner',
    label: 'Most slots at once',
    kind: 'number',
    least: 1,
    most: MOST_SLOTS,
    unit: '',
    of: ({ slots }) => slots.limit,
  },
  {
    key: 'slots.weight',
    section: 'runner',
    label: 'Weight beside other projects',
    kind: 'number',
    least: 1,
    most: MOST_WEIGHT,
    unit: '',
    of: ({ slots }) => slots.weight,
  },
]
