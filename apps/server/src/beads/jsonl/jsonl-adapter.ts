import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { Clock } from '../../process/clock.ts'
import type { BeadsAdapter, ChangeOutcome, Issues, TrackerInfo } from '../../ports/tracker.ts'
import { ISSUES_FILE, TrackerError } from '../../ports/tracker.ts'
import { editFile } from './edit-file.ts'
import { issuesStamp, readIssuesFile, rewriteIssues, type Place } from './issues-file.ts'

export type JsonlDeps = { clock: Clock; issues: Issues }

/** The file `.beads/issues.jsonl` of a working tree whose beads no database keeps. */
export function jsonlAdapter(place: Place, info: TrackerInfo, { clock, issues }: JsonlDeps): BeadsAdapter {
  return {
    info,
    read: (last = null) => readIssuesFile(place, clock, last),
    stamp: () => issuesStamp(place),
    async write(changes) {
      const all = (outcome: ChangeOutcome) => changes.map(() => outcome)
      if (!info.writable) return all({ result: 'later', text: info.text })
      let outcomes = all({ result: 'later', text: `there is no ${ISSUES_FILE}` })
      try {
        await rewriteIssues(place, clock, async (pieces) => {
          const edited = await editFile(issues, pieces, changes, clock.now())
          outcomes = edited.outcomes
          return edited.splices
        })
        return outcomes
      } catch (error) {
        if (error instanceof TrackerError) return all({ result: 'later', text: error.message })
        // A full disk or missing rights: the file is unchanged.
        const why = messageOf(error)
        return all({ result: 'later', text: `${ISSUES_FILE} could not be written: ${why}` })
      }
    },
  }
}
