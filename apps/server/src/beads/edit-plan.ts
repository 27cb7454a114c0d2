import { mergeEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadEdit, EditedField, EditedValue } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadDependency } from '@beadloom/core/records/bead.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'
import type { OverruledField } from '../ports/tracker.ts'

/** `from`: the tracker's value now; `to`: what it becomes. */
export type FieldWrite = { field: EditedField; from: EditedValue; to: EditedValue }
export type EditPlan = { writes: FieldWrite[]; overruled: OverruledField[] }

/** The parts of these edits that must be written to the bead as the tracker has it now. */
export function planEdits(edits: readonly BeadEdit[], issue: JsonObject): EditPlan {
  const plan: EditPlan = { writes: [], overruled: [] }
  for (const edit of edits) {
    const from = valueOf(issue, edit.field)
    const merged = mergeEdit(edit, from)
    if (merged === 'theirs')
      plan.overruled.push({
        field: edit.field,
        text: 'it was changed in the tracker meanwhile, and that is kept',
      })
    else if (merged !== 'there') plan.writes.push({ field: edit.field, from, to: merged.value })
  }
  return plan
}

const keys = {
  title: 'title',
  description: 'description',
  acceptance: 'acceptance_criteria',
  type: 'issue_type',
} as const

/** The member of a bead's object for this field. */
export const keyOf = (field: EditedField): string => (field in keys ? keys[field as keyof typeof keys] : field)

function valueOf(issue: JsonObject, field: EditedField): EditedValue {
  const value = issue[keyOf(field)]
  switch (field) {
    case 'priority':
      return typeof value === 'number' ? value : 0 // writers leave out zeros
    case 'labels':
      return Array.isArray(value) ? value.filter((label) => typeof label === 'string') : []
    case 'dependencies':
      return Array.isArray(value) ? value.filter(isObject).flatMap(edgeOf) : []
    case 'type':
      return typeof value === 'string' ? value : 'task'
    default:
      return typeof value === 'string' ? value : ''
  }
}

/** Reads an edge as lines have it (`depends_on_id`, `type`), or `bd show` (the other bead with a `dependency_type`). */
export function edgeOf(edge: JsonObject): BeadDependency[] {
  const target = edge['depends_on_id'] ?? edge['id']
  const type = ('depends_on_id' in edge ? edge['type'] : edge['dependency_type']) ?? 'blocks'
  return typeof target === 'string' && typeof type === 'string' ? [{ dependsOn: target, type }] : []
}
