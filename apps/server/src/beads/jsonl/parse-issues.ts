import type { ProjectId } from '@beadloom/core/ids.ts'
import type { TrackedBead } from '../../ports/store/beads.ts'
import type { Tracked } from '../../ports/tracker.ts'
import { readBead, unreadableBead } from './bead-line.ts'
import { edgeWarnings, statusWarnings } from './graph-warnings.ts'
import { readJsonObject } from './json-object.ts'

/** More problems than a person would read are only counted. */
export const MAX_WARNINGS = 100

/** Lines that are not JSON, in one file. */
const MOST_BROKEN = 10_000

/** `begin` is told the number of each line, and how long it is, before it is read. Lines `without` are not read. */
export type ReadOptions = { begin?: (line: number, length: number) => void; without?: ReadonlySet<number> }

/** Git's conflict markers: at the start of a line, alone or followed by a space and a name. */
export const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/

/**
 * Reads `.beads/issues.jsonl` of any `bd` (and `br`), one JSON object a line. Everything readable is read; each problem
 * is a sentence with its line number and what to do.
 *
 * - A file with conflict markers is refused as a whole: either side of a conflict alone would be wrong.
 * - Of two lines with one id the last counts, as when `bd` imports the file.
 * - Memories (`"_type":"memory"`) are private notes and are skipped silently.
 * - A file of nearly nothing but broken lines is no tracker, and each of them is dear: it is refused as a whole, too.
 */
export function parseIssues(project: ProjectId, text: string, { begin, without }: ReadOptions = {}): Tracked {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  const conflict = lines.findIndex((line) => CONFLICT.test(line))
  if (conflict >= 0) return { beads: [], warnings: [conflictWarning(conflict + 1)] }

  const found = new Map<string, Numbered>()
  const broken: Numbered[] = []
  const warnings: string[] = []
  let bad = 0
  for (const [at, raw] of lines.entries()) {
    const line = at + 1
    begin?.(line, raw.length)
    const read = without?.has(line) ? tooDear(project, raw, line) : readLine(project, raw.trimEnd(), line)
    warnings.push(...read.warnings)
    if (read.broken && (bad += 1) > MOST_BROKEN) return { beads: [], warnings: [brokenWarning(line)] }
    if (read.bead === null) continue
    if (read.broken) {
      broken.push({ bead: read.bead, line })
      continue
    }
    const former = found.get(read.bead.id)
    if (former)
      warnings.push(
        `line ${line}: ${read.bead.id} is already on line ${former.line}; the later line counts. Remove the wrong one.`,
      )
    found.set(read.bead.id, { bead: read.bead, line })
  }
  for (const stand of broken) if (!found.has(stand.bead.id)) found.set(stand.bead.id, stand)

  const all = [...found.values()]
  warnings.push(...statusWarnings(all), ...edgeWarnings(all))
  return { beads: all.map(({ bead }) => bead), warnings: bounded(warnings) }
}

type Numbered = { bead: TrackedBead; line: number }

type Read = { bead: TrackedBead | null; broken: boolean; warnings: string[] }

const nothing: Read = { bead: null, broken: false, warnings: [] }

function readLine(project: ProjectId, raw: string, line: number): Read {
  if (raw.trim() === '') return nothing
  const json = readJsonObject(raw)
  if ('problem' in json) {
    return unread(project, raw, line, `is not JSON (${json.problem})`)
  }
  const { object, mended } = json
  const kind = object['_type'] ?? 'issue'
  if (kind === 'memory' || ('_schema' in object && !('id' in object))) return nothing
  if (kind !== 'issue')
    return { ...nothing, warnings: [`line ${line} holds a ${JSON.stringify(kind)}; it was left out.`] }

  const read = readBead(project, object, raw)
  if ('refused' in read) {
    return {
      ...nothing,
      warnings: [`line ${line} holds no bead: ${read.refused}; it was left out. Fix or remove it.`],
    }
  }
  const warnings = read.problems.map(
    (problem) => `line ${line}: ${read.bead.id} was read, but ${problem}. Fix the line.`,
  )
  if (mended) {
    warnings.push(
      `line ${line}: ${read.bead.id} was read, but a backslash or control character in it is not valid JSON. Fix the line; bd cannot parse it.`,
    )
  }
  return { bead: read.bead, broken: false, warnings }
}

const tooDear = (project: ProjectId, raw: string, line: number): Read =>
  unread(project, raw, line, 'takes too much work to read')

function unread(project: ProjectId, raw: string, line: number, why: string): Read {
  const bead = unreadableBead(project, raw, `Line ${line} of the tracker's file cannot be read`)
  const left =
    bead === null ? 'it was left out' : `${bead.id} is shown as unreadable, and beads that wait for it keep waiting`
  return { bead, broken: true, warnings: [`line ${line} ${why}; ${left}. Fix the line.`] }
}

const brokenWarning = (line: number): string =>
  `line ${line} is broken like ${MOST_BROKEN} before it: no bead was read. Restore the file, then sync again.`

const conflictWarning = (line: number): string =>
  `line ${line} is a git conflict marker: no bead was read. Resolve the conflict in the file (keep both sides' lines, remove the markers), then sync again.`

function bounded(warnings: string[]): string[] {
  if (warnings.length <= MAX_WARNINGS) return warnings
  const shown = warnings.slice(0, MAX_WARNINGS - 1)
  return [...shown, `and ${warnings.length - shown.length} more problems. Fix these first, then sync again.`]
}
