import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import type { DiffSize, FailureReason, TimeoutReason } from '@beadloom/core/records/execution.ts'
import type { Reason } from '@beadloom/core/dispatch/reason.ts'
import { progressText } from '@beadloom/core/views/progress-text.ts'
import { untilLine, waitLine } from './waits.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { agoText, elapsedText, sinceText } from '../../ui/text/time-text.ts'

/** The one line of a card that answers "what now?"; `figures` are at its right and never shrink. */
export type StateLine = {
  text: string
  figures: string
  /** Left out on a narrow card. */ extra?: string
  change?: DiffSize
  /** Nothing works on it now; it continues by itself or when a person acts. */
  waits?: true
}

/** Reasons that keep all beads of a project from running are shown once, above the board; cards show only their own. */
const short: Partial<Record<Reason['code'], string>> = {
  no_docker: '',
  project_broken: '',
  odd_status: 'unknown status',
  plan_waits: 'its plan waits for approval',
}
const reasonText = (reason: Reason | null): string | undefined => {
  if (reason?.code === 'needs_human' && reason.beads === undefined) return 'needs you'
  return reason === null ? undefined : (short[reason.code] ?? reason.text)
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? ''
const tokensOf = (tokens: { input: number; output: number }): number => tokens.input + tokens.output

const byChecks: readonly (FailureReason | TimeoutReason)[] = [
  'tests_failed',
  'verification_exhausted',
  'tests_weakened',
  'not_checked',
  'secrets_found',
  'runs_elsewhere',
  'no_progress',
]

/** The first failure in the last check's report; null if something else ended it. */
function firstFailure({ reason, verifications }: ExecutionView): string | null {
  if (reason === null || !byChecks.includes(reason)) return null
  const step = verifications.findLast(({ passed, digest }) => !passed && digest.trim() !== '')
  if (step === undefined) return null
  const lines = step.digest.split('\n', 20).map((line) => line.replace(/^[\s●✕-]+/, '').trim())
  const said = lines.map((line) => line.replace(/^\[[A-Z]+\]\s+/, '')).filter((line) => line !== '')
  // A digest begins with its summary ("3 tests failed"), which says less than the failure below it.
  const [head, failure] = said
  return (head !== undefined && step.summary.startsWith(head.replace(/:$/, '')) ? failure : undefined) ?? head ?? null
}

/** Its place in its plan says more than the activity of one of several agents. */
function doingOf({ kind, progress, activity }: ExecutionView): string {
  if (progress && progress.activity !== null) return progressText(progress)
  return `${kind === 'plan' ? 'planning: ' : ''}${activity ?? 'starting'}`
}

/** "node2", rather than the engine, which is the project's and is named on the bead's page. */
const placeWords = ({ place }: ExecutionView): string[] => (place === undefined ? [] : [place.node ?? place.engine])

export function stateLine({ card, execution, lane, position }: BoardCard, now: number): StateLine {
  switch (lane) {
    case 'queued': {
      if (execution?.waitsForPlace !== undefined)
        return { text: `waiting for room: ${execution.waitsForPlace}`, figures: '', waits: true }
      const until = untilLine(card.reason, now)
      if (until) return until
      return {
        text: reasonText(card.reason) ?? 'starting next',
        figures: position === null ? '' : `#${position}`,
      }
    }
    case 'running': {
      if (!execution) return { text: 'running', figures: '' }
      const waits = execution.cancelRequestedAt === null ? waitLine(execution, now) : null
      if (waits) return { ...waits, waits: true }
      const tokens = tokensOf(execution.tokens)
      const age = elapsedText(now - (execution.startedAt ?? execution.queuedAt))
      const text = execution.cancelRequestedAt === null ? doingOf(execution) : 'stopping'
      const extra = [...(tokens > 0 ? [`${shortCount(tokens)} tok`] : []), ...placeWords(execution)].join(' · ')
      return extra === '' ? { text, figures: age } : { text, figures: age, extra }
    }
    case 'blocked':
      return { text: firstLine(execution?.blockedReason ?? card.reason?.text ?? 'blocked in the tracker'), figures: '' }
    case 'failed':
    case 'timeout': {
      const attempts = execution?.progress
        ? `phase ${execution.progress.phase}/${execution.progress.of}`
        : execution && execution.maxAttempts > 1 && execution.attempt > 0
          ? `${execution.attempt}/${execution.maxAttempts}`
          : ''
      const failure = lane === 'failed' && execution ? firstFailure(execution) : null
      return {
        text:
          failure ??
          firstLine(execution?.detail || card.reason?.text || (card.failed ? 'its last execution failed' : lane)),
        figures: attempts,
      }
    }
    case 'open': {
      const until = untilLine(card.reason, now)
      if (until) return until
      if (card.ready) return { text: reasonText(card.reason) ?? 'ready', figures: agoText(now - card.createdAt) }
      return { text: reasonText(card.reason) ?? 'not ready', figures: '' }
    }
    case 'completed': {
      const waits = execution && waitLine(execution, now)
      if (waits) return waits
      const took = execution && lasted(execution)
      if (!execution || execution.endedAt === null || took === null)
        return { text: 'closed in the tracker', figures: sinceText(now - card.updatedAt) }
      return {
        text: `took ${elapsedText(took)}`,
        figures: '',
        extra: sinceText(now - execution.endedAt),
        ...(execution.diffSize ? { change: execution.diffSize } : {}),
      }
    }
  }
}
