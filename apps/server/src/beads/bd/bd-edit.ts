import { nameOf } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadDependency } from '@beadloom/core/records/bead.ts'
import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { TrackerError, type ChangeOutcome, type OverruledField } from '../../ports/tracker.ts'
import { planEdits, type FieldWrite } from '../edit-plan.ts'
import type { BdCommands } from './bd-commands.ts'

/**
 * Writes people's changes from here to the bead as `bd` has it now: all fields but dependencies by one command, or one
 * by one if `bd` refuses that. Throws `TrackerError`.
 */
export async function editBead(
  bd: BdCommands,
  id: string,
  edits: readonly BeadEdit[],
  issue: JsonObject,
): Promise<ChangeOutcome> {
  const { writes, overruled } = planEdits(edits, issue)
  const fields = writes.filter(({ field }) => field !== 'dependencies')
  if (fields.length > 0) overruled.push(...(await writeFields(bd, id, fields)))
  for (const write of writes) if (write.field === 'dependencies') overruled.push(...(await writeEdges(bd, id, write)))
  return { result: 'written', overruled }
}

/**
 * A refused command may have written nothing, or some fields. So each field is sent by itself; those that `bd` still
 * refuses keep the tracker's value, with the sentence of `bd`. If it takes none, the problem may be temporary and its
 * own: nothing is given up.
 */
async function writeFields(bd: BdCommands, id: string, writes: readonly FieldWrite[]): Promise<OverruledField[]> {
  try {
    await update(bd, id, writes)
    return []
  } catch (error) {
    if (!isRefusal(error) || writes.length === 1) throw error
    const refused: OverruledField[] = []
    for (const write of writes)
      try {
        await update(bd, id, [write])
      } catch (why) {
        if (!isRefusal(why)) throw why
        refused.push({ field: write.field, text: why.message })
      }
    if (refused.length === writes.length) throw error
    return refused
  }
}

const isRefusal = (error: unknown): error is TrackerError => error instanceof TrackerError && error.kind === 'broken'

async function update(bd: BdCommands, id: string, writes: readonly FieldWrite[]): Promise<void> {
  const body = writes.find(({ field }) => field === 'description')
  await bd.change('update', [id, ...writes.flatMap(argumentsOf)], body === undefined ? undefined : String(body.to))
}

/** Joins values to their flags, so that none is taken for a flag. */
function argumentsOf({ field, from, to }: FieldWrite): string[] {
  switch (field) {
    case 'title':
      return [`--title=${String(to)}`]
    case 'description':
      return ['--body-file=-', ...(to === '' ? ['--allow-empty-description'] : [])]
    case 'acceptance':
      return [`--acceptance=${String(to)}`]
    case 'type':
      return [`--type=${String(to)}`]
    case 'priority':
      return [`--priority=${String(to)}`]
    case 'labels': {
      const [theirs, wanted] = [from as readonly string[], to as readonly string[]]
      return [
        ...wanted.filter((label) => !theirs.includes(label)).map((label) => `--add-label=${label}`),
        ...theirs.filter((label) => !wanted.includes(label)).map((label) => `--remove-label=${label}`),
      ]
    }
    case 'dependencies':
      return []
  }
}

/**
 * Writes the edges. `bd` refuses one that closes a cycle, which the database may have got meanwhile; that edge is given
 * up.
 */
async function writeEdges(bd: BdCommands, id: string, { field, from, to }: FieldWrite): Promise<OverruledField[]> {
  const [theirs, wanted] = [from as readonly BeadDependency[], to as readonly BeadDependency[]]
  const [there, names] = [new Set(theirs.map(nameOf)), new Set(wanted.map(nameOf))]
  const refused: OverruledField[] = []
  for (const edge of theirs.filter((one) => !names.has(nameOf(one))))
    await bd.change('dep', ['remove', id, edge.dependsOn])
  for (const edge of wanted.filter((one) => !there.has(nameOf(one))))
    try {
      await bd.change('dep', ['add', id, edge.dependsOn, `--type=${edge.type}`])
    } catch (error) {
      if (!isRefusal(error) || !/cycle|already exists|not found/i.test(error.message)) throw error
      refused.push({ field, text: `it cannot wait for ${edge.dependsOn}: ${error.message}` })
    }
  return refused
}
