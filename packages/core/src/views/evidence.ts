import { counted } from '../text/count-text.ts'
import type { ExecutionView } from '../api/executions/execution-api.ts'
import { isTerminal } from '../records/execution.ts'
import type { Verification } from '../records/verification.ts'
import { provesNothing } from '../records/verification.ts'
import type { Session } from '../records/session.ts'
import type { SessionId } from '../records/ids.ts'
import type { ReviewVerdict } from '../review/review.ts'
import { codeSpan } from '../text/fenced.ts'
import { inert } from '../text/inert-markdown.ts'

/*
 * Evidence for an execution's work, and open doubts: the same sentences on the dashboard and in a pull request. A
 * model's claim never counts as shown.
 */

/**
 * `shown`: a record proves it. `open`: a doubt, or not proved; the sentence says which. `session`: the one whose log is
 * the record; null: none.
 */
export type Evidence = { is: 'shown' | 'open'; text: string; session: SessionId | null }

/** The review of this work's last commit. `model` null: not known, because a command line chose it. */
export type ReviewedBy = { model: string | null; verdict: ReviewVerdict }

export type EvidenceFacts = Pick<ExecutionView, 'state' | 'commit' | 'redGreen' | 'verifications' | 'course'> & {
  /** The sessions, with the models that did the work. */
  sessions?: readonly Pick<Session, 'kind' | 'model'>[]
  /** Left out or null: this commit was not reviewed. */
  reviewed?: ReviewedBy | null
}

/** The quoting of a stranger's name in a sentence. */
type Quote = (text: string) => string
const asItIs: Quote = (text) => text

/** The evidence in the order of a reader's questions: checks, merge, new tests, opinions. At most a handful. */
export function evidenceOf(facts: EvidenceFacts, quote: Quote = asItIs): Evidence[] {
  const rows = facts.verifications.filter(({ commit }) => commit !== '')
  const attempt = lastRound(rows, 'attempt')
  const merge = lastRound(rows, 'merge')
  const found: Evidence[] = []
  if (attempt.length === 0) found.push(open('No check has run on this work'))
  else found.push(...ranOn(attempt, 'in a clean checkout', quote))
  if (merge.length > 0) found.push(...ranOn(merge, 'after the merge', quote))
  if (isTerminal(facts.state) || facts.redGreen) found.push(newTests(facts, quote))
  for (const { opinion } of attempt)
    if (opinion) found.push(open(`${quote(opinion.model)} was asked and said ${opinion.answer}: an opinion, not proof`))
  if (facts.reviewed && facts.reviewed.verdict !== 'unparseable') found.push(reviewOf(facts, facts.reviewed, quote))
  return found
}

/** The last commit of this work that was checked by itself: a review of its bead looks at this one. */
export const workCommit = ({ verifications, commit }: Pick<EvidenceFacts, 'verifications' | 'commit'>): string | null =>
  verifications.findLast((row) => row.purpose === 'attempt' && row.commit !== '')?.commit ?? commit

const verdictWords = { ready: 'ready', not_ready: 'not ready' } as const

/**
 * A look by another model is on record; its judgement of the work is an opinion, and the same model's is worth less.
 */
function reviewOf({ sessions = [], course }: EvidenceFacts, { model, verdict }: ReviewedBy, quote: Quote): Evidence {
  const says = verdict === 'unparseable' ? 'no answer' : verdictWords[verdict]
  const begun = sessions.flatMap((one) => (one.kind === 'work' ? (one.model ?? []) : []))
  // A session keeps the model that it began with on record, and a person may have changed that.
  const own = new Set([...begun, ...(course?.model === undefined ? [] : [course.model])])
  if (model === null || own.size === 0) return open(`Reviewed${model === null ? '' : ` by ${quote(model)}`}: ${says}`)
  return own.has(model)
    ? open(`Reviewed by the model that did the work (${quote(model)}): ${says}`)
    : shown(`Reviewed by another model (${quote(model)}): ${says}`)
}

/** A pull request has room for this many rows of each bead. */
const MOST_ROWS = 6
const MOST_QUOTED = 60
const asCode: Quote = (text) => codeSpan(text, MOST_QUOTED)

/**
 * As a list for a pull request or the clipboard; names are code, and nothing in it triggers an action of a forge. At
 * most 2,500 characters.
 */
export function evidenceMarkdown(facts: EvidenceFacts, indent = ''): string {
  const rows = evidenceOf(facts, asCode).map(({ text }) => inert(text))
  const more = rows.length - MOST_ROWS
  return [...rows.slice(0, MOST_ROWS), ...(more > 0 ? [`… and ${more} more`] : [])]
    .map((row) => `${indent}- ${row}`)
    .join('\n')
}

/** The steps of the last run with this purpose, all on one commit. */
function lastRound(rows: readonly Verification[], purpose: Verification['purpose']): Verification[] {
  const last = rows.findLast((row) => row.purpose === purpose)
  return last === undefined
    ? []
    : rows.filter(
        (row) =>
          row.purpose === purpose && row.attempt === last.attempt && row.run === last.run && row.commit === last.commit,
      )
}

function ranOn(round: readonly Verification[], where: string, quote: Quote): Evidence[] {
  const steps = round.filter((row) => row.opinion === undefined && !provesNothing(row))
  const [first] = steps
  if (first === undefined) return [open(`No check has run ${where}`)]
  const failed = steps.filter(({ passed }) => !passed)
  if (failed.length > 0) return [open(`${names(failed, quote)} failed ${where}`, failed[0]?.session)]
  const tests = steps.filter(({ type, collected }) => type === 'test' && collected !== null)
  const count = tests.reduce((sum, { collected }) => sum + (collected ?? 0), 0)
  const found: Evidence[] = [
    count > 0
      ? shown(`${counted(count, 'test')} passed ${where}`, tests[0]?.session ?? first.session)
      : shown(`${names(steps, quote)} passed ${where}, by exit code alone`, first.session),
  ]
  if (count === 0)
    found.push(open(tests.length > 0 ? `No tests were found ${where}` : `Not known: how many tests ran ${where}`))
  const made = steps.filter((row) => row.made === true)
  if (made.length > 0) found.push(open(`${names(made, quote)} was made by the work itself`, made[0]?.session))
  const base = steps.filter((row) => row.onBase === true)
  if (base.length > 0) found.push(open(`${names(base, quote)} fails without this work, too`, base[0]?.session))
  return found
}

function newTests({ redGreen }: EvidenceFacts, quote: Quote): Evidence {
  if (redGreen === undefined) return open('Not known: whether new tests fail without the change')
  if (redGreen.is === 'running') return open('Not known: whether new tests fail without the change: they are running')
  // The counts are our own words; only the reason for "unknown" may be a stranger's.
  const text = redGreen.is === 'unknown' ? quote(redGreen.text) : redGreen.text
  return redGreen.is === 'red' ? shown(text, redGreen.session) : open(text, redGreen.session)
}

const MOST_NAMES = 2

function names(steps: readonly Verification[], quote: Quote): string {
  const all = [...new Set(steps.map(({ name }) => name))]
  const more = all.length - MOST_NAMES
  return `${all.slice(0, MOST_NAMES).map(quote).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const shown = (text: string, session: SessionId | null = null): Evidence => ({ is: 'shown', text, session })
const open = (text: string, session: SessionId | null = null): Evidence => ({ is: 'open', text, session })
