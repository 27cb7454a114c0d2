import { HubError } from '../ports/hub.ts'
import type { TrackerText } from '../ports/hub/merges.ts'
import type { BeadsAdapter, BranchPlace, ChangeOutcome, TrackerChange, TrackerInfo } from '../ports/tracker.ts'
import { ISSUES_FILE, TrackerError, wordOf } from '../ports/tracker.ts'
import { piecesOf } from '../process/text-pieces.ts'
import type { JsonlDeps } from './jsonl/jsonl-adapter.ts'

/** The most lines of a message, which is for people; the commit itself has everything. */
const MOST_LINES = 100

/**
 * `.beads/issues.jsonl` on the branches of a project without a working tree here: we read the base branch with the work
 * branch's changes on top, and write our changes as one commit on the work branch.
 */
export async function branchAdapter(place: BranchPlace, { clock, issues }: JsonlDeps): Promise<BeadsAdapter> {
  const { hub, project, branches } = place
  let seen: TrackerText | null = await look(place)
  const info = infoOf(place, seen)
  return {
    info,
    stamp: () => Promise.resolve(null),
    async read() {
      const now = seen ?? (await look(place))
      seen = null // the next call reads again
      if ('problem' in now) throw new TrackerError('broken', now.problem)
      const { text } = now
      return text === null ? null : { pieces: () => piecesOf(text) }
    },
    async write(changes) {
      const all = (outcome: ChangeOutcome) => changes.map(() => outcome)
      if (!info.writable) return all({ result: 'later', text: info.text })
      const at = clock.now()
      let outcomes: ChangeOutcome[] = []
      const done = await hub.writeTracker(project, branches, async (text) => {
        const edited = await issues.edit(text, changes, at)
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
    const text = `no tracker: commit an empty ${ISSUES_FILE} to ${baseBranch}, and Beadloom will keep its beads there`
    return { kind: 'none', version, writable: false, text }
  }
  const where = `${ISSUES_FILE} on ${baseBranch}`
  const text = write
    ? `${where}; changes to beads are committed to ${workBranch}, and reach ${baseBranch} when that is merged`
    : `${where}, read-only: "tracker.write" is false in beadloom.json`
  return { kind: 'branch', version, writable: write, text }
}

/** The message has only ids and our own words: titles are other people's text. */
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
      return 'new entry'
    case 'edit':
      return `changed ${change.edits.map(({ field }) => field).join(', ')}`
    case 'comment':
      return `how ${change.execution} ended`
    default:
      return 'changed'
  }
}
