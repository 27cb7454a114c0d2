import type { ChangeOutcome, EditedIssues, TrackerChange } from '../../ports/tracker.ts'
import { ACTOR } from '@beadloom/core/bead/tracker-marks.ts'
import { wordOf } from '../../ports/tracker.ts'
import { encode, TOO_LONG } from '@beadloom/core/bead/tracker-line.ts'
import { KEYS, isTooLong, lineOf } from './bead-text.ts'
import { IssueLines } from './issue-lines.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'
import { appendTo } from '@beadloom/core/text/json-members.ts'
import { editFields } from './edit-fields.ts'
import { describeLine, setStatus, touched } from './edit-line.ts'

/**
 * The file's text with these changes made. Each changes only its own fields of its own line in its current state, so
 * that other people's changes are kept; every other line is kept byte for byte. `now`: milliseconds UTC. `comments`:
 * the highest comment number, if the text is only a part of the file.
 */
export function editIssues(
  text: string,
  changes: readonly TrackerChange[],
  now: number,
  comments: number | null = null,
): EditedIssues {
  const lines = new IssueLines(text, comments)
  const outcomes = changes.map((change) => {
    if (lines.conflict > 0)
      return later(`line ${lines.conflict} of the file is a git conflict marker: resolve the conflict first`)
    return applyOne(lines, change, now)
  })
  const changed = [...new Set(changes.map(({ bead }) => bead))].map((id) => ({ id, line: lines.whole(id) }))
  return { text: lines.text(), outcomes, changed }
}

const later = (text: string): ChangeOutcome => ({ result: 'later', text })

function applyOne(lines: IssueLines, change: TrackerChange, now: number): ChangeOutcome {
  const found = lines.find(change.bead)
  if (change.kind === 'create') {
    if (found === null) {
      lines.insert([{ id: change.bead, line: lineOf(change.content) }])
      return { result: 'written' }
    }
    if (found.object['status'] === 'tombstone')
      return { result: 'refused', text: `${change.bead} was deleted in the tracker, so it is not filed again` }
    return { result: 'written' }
  }
  if (found === null) return later(`${change.bead} is not in the file, or its line cannot be read`)
  const tooLong = `the line of ${change.bead} ${TOO_LONG}`
  const edited = change.kind === 'edit' ? editFields(found.line, found.object, change.edits, now) : null
  if (change.kind === 'edit' && edited === null) return { result: 'refused', text: tooLong }
  const done = change.kind === 'edit' ? (edited?.line ?? found.line) : editLine(lines, found, change, now)
  if (typeof done !== 'string') return done
  if (isTooLong(done, found.line)) return { result: 'refused', text: tooLong }
  if (done !== found.line) lines.replace(change.bead, done)
  if (change.kind === 'status') return { result: 'written', word: wordOf(change.status) }
  return { result: 'written', ...(edited && { overruled: edited.overruled }) }
}

/** The changed line, or why it stays as it is. */
function editLine(
  lines: IssueLines,
  { line, object }: { line: string; object: JsonObject },
  change: Exclude<TrackerChange, { kind: 'create' | 'edit' }>,
  now: number,
): string | ChangeOutcome {
  switch (change.kind) {
    case 'status':
      return setStatus(line, object, change, now)
    case 'describe':
      return describeLine(line, object, change, now)
    case 'comment': {
      const comments = Array.isArray(object['comments']) ? object['comments'].filter(isObject) : []
      // A server that died right after writing tries again: its comment is recognised by the execution in it.
      if (comments.some(({ author, text }) => author === ACTOR && String(text).includes(change.execution))) return line
      const at = new Date(change.at).toISOString()
      const comment = { id: lines.nextCommentId(), issue_id: change.bead, author: ACTOR, text: change.text }
      return touched(appendTo(line, 'comments', encode({ ...comment, created_at: at }), KEYS), object, now)
    }
    default:
      return later('an unknown change')
  }
}
