import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseProgress } from '@beadloom/core/api/plans/phase-api.ts'
import type { ExecutionFlag } from '@beadloom/core/records/execution.ts'
import { tellFlags } from '@beadloom/core/execution/tell-flags.ts'
import { progressText } from '@beadloom/core/views/progress-text.ts'
import { refusedTests, type RefusedFor } from '@beadloom/core/execution/allowed.ts'
import { pauseText } from '@beadloom/core/records/pause.ts'
import { questionIn } from '@beadloom/core/records/wait.ts'
import { waitText as budgetText } from '@beadloom/core/budget/wait.ts'
import { provesNothing, type Verification } from '@beadloom/core/records/verification.ts'
import { duration, glyph } from '../terminal/output.ts'
import { cutText, oneLiner, plainText } from '../terminal/terminal-text.ts'

const WHY_COLUMNS = 200
const SUMMARY_COLUMNS = 160

type Waiting = Pick<ExecutionView, 'waits' | 'retryAttempt' | 'retryCount'> &
  Partial<Pick<ExecutionView, 'bead' | 'id'>>

type AtWork = Pick<ExecutionView, 'attempt' | 'maxAttempts'> & {
  kind: string
  progress?: PhaseProgress | null | undefined
}

/** The stage of an execution: the phase of its plan, a review, or one of its attempts. */
export const stageText = ({ kind, attempt, maxAttempts, progress }: AtWork): string => {
  if (progress) return progressText(progress)
  return kind === 'review' ? 'review' : `attempt ${Math.max(1, attempt)} of ${maxAttempts}`
}

/** The reason why an execution waits on its own, or null: "retry 1 of 3 at 14:05:10 (in 12 s)". */
export function waitText({ waits, retryAttempt, retryCount, bead, id }: Waiting, now: number): string | null {
  switch (waits?.kind) {
    case 'retry': {
      // After a stop from outside it is not one of the policy's retries.
      const which = retryAttempt > 0 ? `retry ${retryAttempt} of ${retryCount}` : 'retry'
      return `${which} at ${whenText(waits.at, now)}`
    }
    case 'budget': {
      if (waits.granted) return budgetText(waits)
      const much = waits.unit === 'money' ? '--money AMOUNT' : '--tokens N'
      return `${budgetText(waits)} (beadloom budget grant ${oneLiner(id ?? bead ?? '')} ${much})`
    }
    case 'pause': {
      const question = questionIn(waits)
      if (question !== null)
        return `${pauseText(waits)}: ${cutText(oneLiner(question), WHY_COLUMNS)} (${tellCommand(bead ?? id ?? '')})`
      return waits.resumed ? pauseText(waits) : `${pauseText(waits)} (beadloom resume ${oneLiner(bead ?? id ?? '')})`
    }
    case 'phase':
      return waits.continued
        ? 'continues as soon as a slot is free'
        : `phase ${waits.after} is done: waits for you (beadloom plan ${oneLiner(bead ?? '')} --continue)`
    case 'push': {
      const why = cutText(oneLiner(waits.why), WHY_COLUMNS)
      return `push pending, next try at ${whenText(waits.nextAt, now)}${why === '' ? '' : `: ${why}`}`
    }
    case undefined:
      return null
  }
}

/** Why a queued execution has not started yet, or null: "queued: 3 of 3 slots in use". */
export const whyQueued = ({ state, whyQueued: why }: Pick<ExecutionView, 'state' | 'whyQueued'>): string | null =>
  state === 'QUEUED' ? `queued${why === undefined ? '' : `: ${oneLiner(why.text)}`}` : null

/** Reports why an execution waits, whenever the reason changes; a countdown alone is not a change. */
export function waitNews(): (view: ExecutionView, now: number) => string | null {
  let known = ''
  return (view, now) => {
    const queued = whyQueued(view)
    const reason = queued ?? JSON.stringify(view.waits)
    const isNew = reason !== known
    known = reason
    return isNew ? (queued ?? waitText(view, now)) : null
  }
}

/** Reports the position of an execution in its plan whenever it changes; null without a change or a plan. */
export function progressNews(): (view: ExecutionView) => string | null {
  let known = ''
  return ({ progress }) => {
    const text = progress ? progressText(progress) : ''
    const isNew = text !== known && text !== ''
    known = text
    return isNew ? text : null
  }
}

/** A time in this machine's time zone. */
function whenText(at: number, now: number): string {
  const clock = new Date(at).toLocaleTimeString('en-GB', { hour12: false })
  return `${clock} (${at <= now ? 'now' : `in ${duration(Math.max(1000, at - now))}`})`
}

const flagWords: Record<ExecutionFlag['kind'], string> = {
  flaky: 'flaky',
  base_red: 'fails on the base too',
  not_checked: 'not checked',
  secrets: 'looks like a secret',
  tampered: 'tests weakened',
  no_progress: 'no progress',
  adopted: 'survived a restart',
  outdated: 'bead changed since',
  unverified: 'not verified',
  checks_made: 'checks made by this bead',
  opinion: 'a judge has doubts',
  tests_changed: 'tests changed',
  runs_elsewhere: 'changes files that run elsewhere',
}

/** A step that proves nothing never gets the mark of a passed check. */
export const stepMark = (step: Verification): string => (provesNothing(step) ? '~' : step.passed ? '✓' : '✕')

/** "test: 3 tests failed (same failures)". */
export function stepText({ name, passed, summary, verdict, made, opinion }: Verification): string {
  const said = cutText(oneLiner(summary), SUMMARY_COLUMNS) || (passed ? 'passed' : 'failed')
  return `${oneLiner(name)}${made ? ' (made by this bead)' : ''}${opinion ? ' (an opinion)' : ''}: ${said}${verdict === null ? '' : ` (${verdict} failures)`}`
}

/** Check results by attempt, then flags, signs and follow-ups; empty if there are none. */
export const outcomeLines = (view: ExecutionView): string[] => [...checkLines(view), ...noteLines(view)]

const checkLines = ({ verifications }: ExecutionView): string[] =>
  verifications.map((step) => {
    const which = [
      `attempt ${step.attempt}`,
      ...(step.purpose === 'merge' ? ['merge check'] : []),
      ...(step.run > 1 ? ['re-check'] : []),
    ]
    return `${stepMark(step)} ${which.join(', ')}, ${stepText(step)}`
  })

/** Flags, signs and follow-ups, without the check results. */
export const noteLines = ({ flags, signs, followUps, redGreen, reached }: ExecutionView): string[] => [
  ...(reached === undefined ? [] : [`reached: ${oneLiner(reached)}`]),
  ...factLines(redGreen, signs),
  ...tellFlags(flags).map(({ kind, text }) => `! ${flagWords[kind]}: ${oneLiner(text)}`),
  // A flag may be a sign as well.
  ...signs.filter((sign) => !flags.some(({ text }) => text === sign)).map((sign) => `! ${oneLiner(sign)}`),
  ...followUps.map(({ bead, title }) => `→ filed ${oneLiner(bead)}: ${oneLiner(title)}`),
]

/** The result of its tests without the change, unless a sign already says it. */
const factLines = (redGreen: ExecutionView['redGreen'], signs: readonly string[]): string[] =>
  redGreen && redGreen.is !== 'running' && !signs.includes(redGreen.text) ? [`· ${oneLiner(redGreen.text)}`] : []

/** The next steps for a person, as commands. */
export const nextLines = (view: ExecutionView): string[] => [
  ...branchLines(view),
  ...answerLines(view),
  ...allowLines(view),
]

/** The commands with which a person allows refused weaker tests. */
export const allowLines = ({
  verifications,
  bead,
  endedAt,
}: Pick<ExecutionView, 'verifications' | 'bead' | 'endedAt'>): string[] =>
  endedAt === null ? [] : allowWords(refusedTests(verifications)).map((words) => `→ ${words}: ${allowCommand(bead)}`)

const allowWords = (refused: ReturnType<typeof refusedTests>): string[] =>
  refused === null ? [] : [mayBe[refused.because]]

const mayBe: Record<RefusedFor, string> = {
  weaker: 'if the tests may be weaker',
  unchecked: 'if it may be taken unchecked',
  secrets: 'if that is not a secret',
  elsewhere: 'if these files may change',
}

export const allowCommand = (bead: string): string => `beadloom allow ${oneLiner(bead)} --why "…"`

/** The place of a failed execution's work, for a person. */
const branchLines = ({ branch, fetch }: Pick<ExecutionView, 'branch' | 'fetch'>): string[] =>
  fetch === undefined ? [] : [`→ branch ${oneLiner(branch)}: ${oneLiner(fetch)}`]

/** The commands with which a person answers an agent's question. */
const answerLines = ({ state, bead }: Pick<ExecutionView, 'state' | 'bead'>): string[] =>
  state === 'BLOCKED' ? [`→ answer it: ${answerCommand(bead)}`] : []

export const tellCommand = (bead: string): string => `beadloom tell ${oneLiner(bead)} "…"`

export const answerCommand = (bead: string): string => `beadloom run ${oneLiner(bead)} --note "…" --wait`

/** The checks' output, shown below the sentence of an end. */
export const digestLines = ({ detail }: Pick<ExecutionView, 'detail'>): string[] =>
  linesOf(detail)
    .slice(1)
    .map((line) => `  ${line}`)

/** The lines of a foreign text, without empty ones. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => plainText(line).replaceAll('\t', '    ').trimEnd())
    .filter((line) => line !== '')

export const lastLine = ({ bead, state, detail }: ExecutionView): string =>
  [`${glyph[state] ?? ''} ${bead} ${state}`, ...linesOf(detail).slice(0, 1)].join(': ')
