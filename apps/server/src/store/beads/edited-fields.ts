import { nameOf } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadEdit, EditedField, EditedValue, RefusedField } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadDependency } from '@beadloom/core/records/bead.ts'
import type { BeadRow } from './bead-rows.ts'

export type EditRow = { field: RefusedField; was: string; value: string; problem: string }
export type WaitingRow = EditRow & { field: EditedField }

/** A status never waits here: it has a row of its own in the queue. */
export const isWaiting = (row: EditRow): row is WaitingRow => row.problem === '' && row.field !== 'status'

export const toEdit = <F extends RefusedField>({
  field,
  was,
  value,
}: EditRow & { field: F }): Omit<BeadEdit, 'field'> & { field: F } => ({
  field,
  was: JSON.parse(was) as EditedValue[],
  value: JSON.parse(value) as EditedValue,
})

export const isList = (field: EditedField): field is 'labels' | 'dependencies' =>
  field === 'labels' || field === 'dependencies'

type Texts = Pick<BeadRow, 'title' | 'description' | 'type' | 'priority' | 'labels' | 'dependencies' | 'raw'>

/** A row's own value; the acceptance criteria are those of the tracker's text. */
export function valueIn(row: Texts, field: EditedField): EditedValue {
  if (field === 'acceptance') return textIn(row.raw, 'acceptance_criteria')
  if (field === 'labels') return JSON.parse(row.labels) as string[]
  if (field === 'dependencies') return JSON.parse(row.dependencies) as BeadDependency[]
  return row[field]
}

/** The row with this value in its column. Acceptance criteria have none. */
export function withValue<R extends Texts>(row: R, field: EditedField, value: EditedValue): R {
  if (field === 'acceptance') return row
  return { ...row, [field]: isList(field) ? JSON.stringify(value) : value }
}

/** Two lists are equal in any order. */
export function sameValue(one: EditedValue, other: EditedValue): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other
  const names = (list: EditedValue) => JSON.stringify((list as (string | BeadDependency)[]).map(nameOf).sort())
  return names(one) === names(other)
}

/** A text of the tracker's that has no column here. */
export function textIn(raw: string | null, key: 'acceptance_criteria' | 'design'): string {
  if (raw === null) return ''
  try {
    const value = JSON.parse(raw) as Partial<Record<typeof key, unknown>> | null
    const text = value?.[key]
    return typeof text === 'string' ? text : ''
  } catch {
    return ''
  }
}
