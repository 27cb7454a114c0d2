import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import { readBead, unreadableBead } from './bead-line.ts'
import { readJsonObject } from './json-object.ts'

/** `broken`: the bead only replaces one whose line cannot be read. `notes` follow "line 7". */
export type LineRead = { bead: TrackedBead | null; broken: boolean; notes: string[] }

const nothing: LineRead = { bead: null, broken: false, notes: [] }

/** `line`: its number in the file. */
export function readLine(project: ProjectId, raw: string, line: number): LineRead {
  if (raw.trim() === '') return nothing
  const json = readJsonObject(raw)
  if ('problem' in json) return unreadLine(project, raw, line, `is not JSON (${json.problem})`)
  const { object, mended } = json
  const kind = object['_type'] ?? 'issue'
  if (kind === 'memory' || ('_schema' in object && !('id' in object))) return nothing
  if (kind !== 'issue') return { ...nothing, notes: [` holds a ${JSON.stringify(kind)}; it was left out.`] }

  const read = readBead(project, object, raw)
  if ('refused' in read)
    return { ...nothing, notes: [` holds no bead: ${read.refused}; it was left out. Fix or remove it.`] }
  const notes = read.problems.map((problem) => `: ${read.bead.id} was read, but ${problem}. Fix the line.`)
  if (mended)
    notes.push(
      `: ${read.bead.id} was read, but a backslash or control character in it is not valid JSON. Fix the line; bd cannot parse it.`,
    )
  return { bead: read.bead, broken: false, notes }
}

/** The result for a line that took too much work to read, or could not be read before. */
export const unreadableLine = (project: ProjectId, raw: string, line: number): LineRead =>
  unreadLine(project, raw, line, 'takes too much work to read')

function unreadLine(project: ProjectId, raw: string, line: number, why: string): LineRead {
  const bead = unreadableBead(project, raw, `Line ${line} of the tracker's file cannot be read`)
  const left =
    bead === null ? 'it was left out' : `${bead.id} is shown as unreadable, and beads that wait for it keep waiting`
  return { bead, broken: true, notes: [` ${why}; ${left}. Fix the line.`] }
}
