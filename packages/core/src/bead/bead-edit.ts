import type { BeadDependency } from '../records/bead.ts'

/** The fields of a bead that a person can change here. `acceptance` is the tracker's field for acceptance criteria. */
export const editedFields = [
  'title',
  'description',
  'acceptance',
  'type',
  'priority',
  'labels',
  'dependencies',
] as const
export type EditedField = (typeof editedFields)[number]

/** Changes that a tracker may refuse: such a field, or the status that a person has given the bead. */
export const refusedFields = [...editedFields, 'status'] as const
export type RefusedField = (typeof refusedFields)[number]

/** Text for title, description, acceptance and type; 0 to 4 for the priority; whole lists for the other two. */
export type EditedValue = string | number | readonly string[] | readonly BeadDependency[]

/**
 * A field that a person has changed and that the tracker may not have yet. `was`: the values that the change replaces,
 * oldest first: the tracker's value at the last look, then every value asked for since, which may have been written.
 */
export type BeadEdit = { field: EditedField; was: readonly EditedValue[]; value: EditedValue }

/**
 * Merges an edit with the tracker's present value. `there`: the tracker has it already. `theirs`: somebody else has
 * changed the text, the type or the priority meanwhile, and that change is kept. Lists never conflict: the edit's
 * additions are in, its removals are out, and everything else stays.
 */
export function mergeEdit(edit: BeadEdit, theirs: EditedValue): 'there' | 'theirs' | { value: EditedValue } {
  if (Array.isArray(theirs)) return mergeList(edit, theirs as Items)
  if (same(edit.value, theirs)) return 'there'
  return edit.was.some((value) => same(value, theirs)) ? { value: edit.value } : 'theirs'
}

type Items = readonly (string | BeadDependency)[]

function mergeList({ was, value }: BeadEdit, theirs: Items): 'there' | { value: EditedValue } {
  const wanted = value as Items
  const { added, removed } = listChange(was as readonly Items[], wanted)
  const there = new Set(theirs.map(nameOf))
  const missing = added.filter((item) => !there.has(nameOf(item)))
  const left = theirs.filter((item) => !removed.has(nameOf(item)))
  if (missing.length === 0 && left.length === theirs.length) return 'there'
  return { value: [...left, ...missing] as EditedValue }
}

/** The items that an edit adds to its list, and the names of those that it removes. */
function listChange(was: readonly Items[], wanted: Items): { added: Items; removed: Set<string> } {
  const names = new Set(wanted.map(nameOf))
  const formers = was.map((items) => new Set(items.map(nameOf)))
  const added = wanted.filter((item) => !formers.every((former) => former.has(nameOf(item))))
  const removed = new Set(formers.flatMap((former) => [...former].filter((name) => !names.has(name))))
  return { added, removed }
}

/** The identity of a list's item: a label, or an edge by its type and target. */
export const nameOf = (item: string | BeadDependency): string =>
  typeof item === 'string' ? item : `${item.type} ${item.dependsOn}`

/** Programs differ in line endings and in white space around a text. */
function same(one: EditedValue, other: EditedValue): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return one === other
  return plain(one) === plain(other)
}

const plain = (text: string): string => text.replaceAll('\r\n', '\n').trim()
