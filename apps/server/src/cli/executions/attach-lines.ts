import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { cameTo, checkOfSession, checkWords } from '@beadloom/core/execution/check-session.ts'
import type { Session, SessionKind } from '@beadloom/core/records/session.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import { phaseSessionText } from '@beadloom/core/views/progress-text.ts'
import { provesNothing, type Verification } from '@beadloom/core/records/verification.ts'
import { stepMark, stepText } from './execution-notes.ts'
import { duration } from '../terminal/output.ts'
import type { Paint } from '../terminal/paint.ts'
import { colouredText, cutText, oneLiner, plainText, RESET, textWidth } from '../terminal/terminal-text.ts'

const kindWords: Record<SessionKind, string> = {
  setup: 'building the image',
  work: 'agent',
  verify: 'checks',
  save: 'saving the workspace',
  service: 'service',
}
const MOST_RULE_COLUMNS = 100
const LEAST_RULE_COLUMNS = 40

type Known = Pick<ExecutionView, 'sessions' | 'verifications' | 'redGreen' | 'inPhases'>

/** "━━ attempt 2 of 3, agent ━━━━━━ 14:05:10 ━━", and by a plan "━━ Phase 2 · 2a, agent ━━━━━━ 14:05:10 ━━" */
export function sessionHead(
  session: Session,
  { maxAttempts, kind: what, ...known }: Pick<ExecutionView, 'maxAttempts' | 'kind'> & Known,
  columns: number,
  paint: Paint,
): string {
  const { kind, attempt, startedAt } = session
  const which = checkWords(session, known)
  const named = session.service === undefined ? '' : ` ${oneLiner(session.service)}`
  const words = `${kindWords[kind] ?? oneLiner(kind)}${named}${which === '' ? '' : `, ${which}`}`
  const inPhase = known.inPhases?.find(({ id }) => id === session.id)
  const title =
    kind === 'setup'
      ? words
      : inPhase
        ? oneLiner(`${phaseSessionText(inPhase)}, ${words}`)
        : what === 'review'
          ? `review, ${words}`
          : `attempt ${Math.max(1, attempt)} of ${maxAttempts}, ${words}`
  const time = new Date(startedAt).toLocaleTimeString('en-GB', { hour12: false })
  const width = Math.min(columns, MOST_RULE_COLUMNS)
  const left = `━━ ${title} `
  const right = ` ${time} ━━`
  if (width < LEAST_RULE_COLUMNS) return paint.bold(cutText(left.trimEnd(), width))
  return paint.bold(`${left}${'━'.repeat(Math.max(0, width - textWidth(left) - textWidth(right)))}${right}`)
}

/** The end of a session: "✓ agent, 4 m 12 s" or "✕ agent: turn_limit, exit 2, 4 m 12 s: …". */
export function sessionEnd(session: Session, known: Known, columns: number, paint: Paint): string {
  const { kind, exitCode, detail } = session
  // New tests should fail without the change, and a phase may expect failing tests: a failed command alone is no
  // failure here.
  if (checkOfSession(session, known)?.purpose === 'start' || isUnjudged(session, known)) {
    const words = [kindWords[kind], checkWords(session, known)].filter((one) => one !== '')
    return paint.dim(cutText(`· ${words.join(', ')}: ended`, columns))
  }
  const ms = lasted(session)
  const outcome = cameTo(session, known)
  const ok = outcome === 'success'
  const facts = [
    ...(ok ? [] : [`${kindWords[kind] ?? oneLiner(kind)}: ${outcome ?? 'ended'}`]),
    ...(ok || exitCode === null || exitCode === 0 ? [] : [`exit ${exitCode}`]),
    ...(ms === null ? [] : [shortTime(ms)]),
  ]
  const said = ok || detail === '' ? '' : `: ${oneLiner(detail)}`
  const text = `${ok ? `✓ ${kindWords[kind] ?? oneLiner(kind)}, ` : '✕ '}${facts.join(', ')}${said}`
  return (ok ? paint.green : paint.red)(cutText(text, columns))
}

/** Checks of a phase whose commands failed, and that have not been compared with the phase's expectation yet. */
const isUnjudged = ({ id, outcome }: Session, { inPhases = [], verifications }: Known): boolean =>
  outcome === 'failed' &&
  inPhases.some((one) => one.id === id && one.role === 'check') &&
  !verifications.some((row) => row.session === id)

/** A check's result as the server knows it, not as the log claims it. */
export function checkLine(step: Verification, columns: number, paint: Paint): string {
  const which = [`attempt ${step.attempt}`, ...(step.purpose === 'merge' ? ['merge check'] : [])]
  if (step.run > 1) which.push('re-check')
  const text = `${stepMark(step)} ${which.join(', ')}, ${stepText(step)}, ${shortTime(step.durationMs)}`
  return (provesNothing(step) ? paint.yellow : step.passed ? paint.green : paint.red)(cutText(text, columns))
}

/** A duration in the log's own form, so that both can be compared. */
const shortTime = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms)

/** The server's own lines of the log (docs/log-format.md). Logs of earlier versions have `no exit code`. */
const SECTION_END = /^§ (.*): (?:exit (-?\d+)|ended|no exit code), ([\d.]+ m?s)$/

/**
 * One line of a log with its structure shown. A container can print a line that looks like any of these, so they are
 * only ever a picture; nothing is decided by them.
 */
export function logLine(raw: string, paint: Paint, colour: boolean): string {
  const mark = raw.slice(0, 2)
  if (mark === '§ ') return sectionLine(plainText(raw), paint)
  if (mark === '$ ' || mark === '· ' || mark === '# ') return paint.dim(plainText(raw))
  if (mark === '⚙ ') return paint.cyan(plainText(raw))
  if (mark === '✓ ') return paint.green(plainText(raw))
  if (mark === '✗ ') return paint.red(plainText(raw))
  if (mark === '! ') return paint.yellow(plainText(raw))
  if (mark === '= ') return paint.bold(plainText(raw))
  if (mark === '› ') return `${paint.blue('›')} ${plainText(raw.slice(2))}`
  // Foreign output keeps its own colours, which end with the line.
  const text = colour ? colouredText(raw) : plainText(raw)
  return text.includes('\x1b[') ? `${text}${RESET}` : text
}

function sectionLine(line: string, paint: Paint): string {
  const end = SECTION_END.exec(line)
  if (!end) return paint.bold(`▸ ${line.slice(2)}`)
  const [, title = '', exit, took = ''] = end
  const ok = exit === '0'
  if (exit === undefined) return paint.bold(`▸ ${title} ended, ${took}`)
  const how = ok ? '' : `, exit ${exit}`
  return (ok ? paint.green : paint.red)(`${ok ? '✓' : '✕'} ${title}${how}, ${took}`)
}
