import { HubError, type TrackerText } from '../ports/hub.ts'
import type { BeadsAdapter, BranchPlace, ChangeOutcome, TrackerChange, TrackerInfo } from '../ports/tracker.ts'
import { ISSUES_FILE, TrackerError, wordOf } from '../ports/tracker.ts'
import type { Clock } from '../process/clock.ts'
import { editIssues } from './jsonl/edit-issues.ts'

/** A message is read by people; the commit itself has all of it. */
const MOST_LINES = 100

/**
 * `.beads/issues.jsonl` of the branches of a project that has no working tree here: base is read, with what the work
 * branch says on top of it, and changes are one commit on the work branch.
 */
export async function branchAdapter(place: BranchPlace, clock: Clock): Promise<BeadsAdapter> {
  const { hub, project, branches } = place
  let seen: TrackerText | null = await look(place)
  const info = infoOf(place, seen)
  return {
    info,
    stamp: () => Promise.resolve(null),
    async read() {
      const now = seen ?? (await look(place))
      seen = null // what is asked again is to be as it is then
      if ('problem' in now) throw new TrackerError('broken', now.problem)
      return now.text
    },
    async write(changes) {
      const all = (outcome: ChangeOutcome) => changes.map(() => outcome)
      if (!info.writable) return all({ result: 'later', text: info.text })
      const at = clock.now()
      let outcomes: ChangeOutcome[] = []
      const done = await hub.writeTracker(project, branches, (text) => {
        const edited = editIssues(text, changes, at)
        ;({ outcomes } = edited)
        return { text: edited.text, message: messageOf(changes, outcomes) }
      })
      if (done.result === 'written') return outcomes
      const later: ChangeOutcome = { result: 'later', text: done.text }
      return changes.map((_, place) => {
        const outcome = outcomes[place] ?? later
        return outcome.result === 'written' ? later : outcome
      })
    },
  }
}

async function look({ hub, project, branches }: BranchPlace): Promise<TrackerText> {
  try {
    return await hub.trackerFile(project, branches)
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    return { problem: error.message }
  }
}

function infoOf({ branches, write }: BranchPlace, seen: TrackerText): TrackerInfo {
  const { baseBranch, workBranch } = branches
  const version = null
  if ('text' in seen && seen.text === null) {
    const text = `no tracker: commit an empty ${ISSUES_FILE} to ${baseBranch}, and Beadloom keeps its beads in it`
    return { kind: 'none', version, writable: false, text }
  }
  const where = `${ISSUES_FILE} of ${baseBranch}`
  const text = write
    ? `${where}; what happens to a bead here is a commit on ${workBranch}, and is on ${baseBranch} once that is merged`
    : `${where}, which is only read: "tracker.write" in beadloom.json is false`
  return { kind: 'branch', version, writable: write, text }
}

/** Ids and words of ours only: titles are other people's text. */
function messageOf(changes: readonly TrackerChange[], outcomes: readonly ChangeOutcome[]): string {
  const lines = new Set<string>()
  for (const [at, change] of changes.entries())
    if (outcomes[at]?.result === 'written') lines.add(`${change.bead}: ${whatOf(change)}`)
  const [first = 'nothing'] = lines
  const more = lines.size > MOST_LINES ? [`and ${lines.size - MOST_LINES} more`] : []
  const body = [...[...lines].slice(0, MOST_LINES), ...more].join('\n')
  return lines.size === 1 ? `Beads: ${first}` : `Beads: ${lines.size} changes\n\n${body}`
}

function whatOf(change: TrackerChange): string {
  switch (change.kind) {
    case 'create':
      return 'filed'
    case 'status':
      return wordOf(change.status)
    case 'describe':
      return 'another entry'
    case 'comment':
      return `how ${change.execution} ended`
    default:
      return 'changed'
  }
}
