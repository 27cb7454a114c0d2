import { nameOf } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadDependency } from '@beadloom/core/records/bead.ts'
import { appendTo, removeMember, setMember } from '@beadloom/core/text/json-members.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'
import { ACTOR } from '@beadloom/core/bead/tracker-marks.ts'
import type { OverruledField } from '../../ports/tracker.ts'
import { edgeOf, keyOf, planEdits, type FieldWrite } from '../edit-plan.ts'
import { encode, TOO_LONG } from '@beadloom/core/bead/tracker-line.ts'
import { KEYS, isTooLong } from './bead-text.ts'
import { touched } from './edit-line.ts'

/**
 * The line with people's changes from here; other people's changes there are kept. If several changes together make the
 * line longer than programs can read, the longest are left out; null if none is left.
 */
export function editFields(
  line: string,
  object: JsonObject,
  edits: readonly BeadEdit[],
  now: number,
): { line: string; overruled: OverruledField[] } | null {
  const { writes, overruled } = planEdits(edits, object)
  if (writes.length === 0) return { line, overruled }
  const made = (text: string, write: FieldWrite) => writeField(text, object, write, now)
  // Shortest first, because the longest change is the one to drop.
  const inOrder = writes.toSorted((a, b) => Buffer.byteLength(made(line, a)) - Buffer.byteLength(made(line, b)))
  let next = line
  for (const write of inOrder) {
    const longer = made(next, write)
    if (isTooLong(touched(longer, object, now), line))
      overruled.push({ field: write.field, text: `the line ${TOO_LONG}` })
    else next = longer
  }
  return next === line ? null : { line: touched(next, object, now), overruled }
}

function writeField(line: string, object: JsonObject, { field, from, to }: FieldWrite, now: number): string {
  if (field === 'dependencies') return writeEdges(line, object, from as Edges, to as Edges, now)
  const key = keyOf(field)
  const isEmpty = Array.isArray(to) ? to.length === 0 : to === ''
  return isEmpty ? removeMember(line, key) : setMember(line, key, encode(to), KEYS)
}

type Edges = readonly BeadDependency[]

/** Writes the edges. A remaining one keeps what other programs have noted in it. */
function writeEdges(line: string, object: JsonObject, from: Edges, to: Edges, now: number): string {
  const [there, wanted] = [new Set(from.map(nameOf)), new Set(to.map(nameOf))]
  const made = to
    .filter((edge) => !there.has(nameOf(edge)))
    .map(({ dependsOn, type }) => ({
      issue_id: object['id'],
      depends_on_id: dependsOn,
      type,
      created_at: new Date(now).toISOString(),
      created_by: ACTOR,
    }))
  const kept = itemsOf(object).filter((edge) => edgeOf(edge).every((one) => wanted.has(nameOf(one))))
  let next = line
  if (kept.length < itemsOf(object).length)
    next = kept.length === 0 ? removeMember(next, 'dependencies') : setMember(next, 'dependencies', encode(kept), KEYS)
  for (const edge of made) next = appendTo(next, 'dependencies', encode(edge), KEYS)
  return next
}

const itemsOf = ({ dependencies }: JsonObject): JsonObject[] =>
  Array.isArray(dependencies) ? dependencies.filter(isObject) : []
