import { nameOf } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadEdit } from '@beadloom/core/bead/bead-edit.ts'
import type { BeadDependency } from '@beadloom/core/bead/bead.ts'
import type { JsonObject } from '@beadloom/core/text/json-object.ts'
import { TrackerError, type ChangeOutcome, type OverruledField } from '../../ports/tracker.ts'
import { planEdits, type FieldWrite } from '../edit-plan.ts'
import type { BdCommands } from './bd-commands.ts'

/**
 * Writes what people have changed here to the bead as `bd` has it now: everything but dependencies by one command.
 * Throws `TrackerError`.
 */
export async function editBead(
  bd: BdCommands,
  id: string,
  edits: readonly BeadEdit[],
  issue: JsonObject,
): Promise<ChangeOutcome> {
  const { writes, overruled } = planEdits(edits, issue)
  const body = writes.find(({ field }) => field === 'description')
  const args = writes.flatMap(argumentsOf)
  if (args.length > 0) await bd.change('update', [id, ...args], body === undefined ? undefined : String(body.to))
  for (const write of writes) if (write.field === 'dependencies') overruled.push(...(await writeEdges(bd, id, write)))
  return { result: 'written', overruled }
}

/** Values are joined to their flags, so that none is taken for a flag itself. */
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

/** `bd` refuses an edge that closes a circle, which the database may have got meanwhile; that edge is given up. */
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
      if (!(error instanceof TrackerError) || !/cycle|already exists|not found/i.test(error.message)) throw error
      refused.push({ field, text: `it cannot wait for ${edge.dependsOn}: ${error.message}` })
    }
  return refused
}
