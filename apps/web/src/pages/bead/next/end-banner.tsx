import { capital } from '@beadloom/core/text/sentence.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { leftIn } from '@beadloom/core/execution/left-text.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { getRouteApi } from '@tanstack/react-router'
import { firstLines, lastFailure } from '../attempts/attempts.ts'
import css from './end-banner.module.css'
import { AnswerBox } from '../../../components/bead/answer-box.tsx'
import { BeadMentions } from '../../../components/bead/bead-mentions.tsx'
import { marks } from '../../../components/bead/states.ts'
import tones from '../../../components/bead/tones.module.css'
import type { Lane } from '@beadloom/core/board/board-card.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

const route = getRouteApi('/p/$project/b/$bead')
/** Its attempt has the rest of the digest. */
const DIGEST_LINES = 5

/** The result, if one line says it all: that fits beside the pipeline. Null if it needs a banner. */
export function resultLine(bead: BeadView, lane: Lane, execution: ExecutionView | null): string | null {
  if (lane !== 'completed' || execution === null || execution.followUps.length > 0) return null
  const text = sentence(bead, lane, execution)
  return text === null || text.includes('\n') || bead.reason?.beads ? null : text
}

/** A sentence about what happened last, or why nothing is happening. */
export function EndBanner({
  bead,
  lane,
  execution,
  brief,
}: {
  bead: BeadView
  lane: Lane
  execution: ExecutionView | null
  /** Without the output: the attempts below show it. */
  brief: boolean
}) {
  const text = sentence(bead, lane, execution)
  if (text === null) return null
  const words = lane === 'blocked' ? (execution?.blockedReason ?? null) : null
  const [head = '', ...more] = text.split('\n')
  const failed =
    execution && execution.state === 'FAILED' && lane !== 'queued' ? lastFailure(execution.verifications) : null
  const digest = failed?.digest ? firstLines(withoutSummary(failed), DIGEST_LINES) : null
  const output = digest?.text ?? (words === null ? more.join('\n').trimEnd() : '')
  const mark = marks[lane]
  const Icon = mark.icon
  return (
    <div className={`${css['banner']} ${tones[mark.tone]} ${mark.tone === 'queued' ? css['quiet'] : ''}`} role="note">
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      <div className={output !== '' && !brief ? css['beside'] : undefined}>
        <div>
          {words !== null && <p className={css['words']}>“{shown(words)}”</p>}
          {/* If the detail only repeats the agent's words, advice is more useful. */}
          <p>
            {asksAPerson(lane, execution) || (words !== null && text.includes(words)) ? (
              shown(`${TO_CONTINUE} ${leftIn(head)}`.trimEnd())
            ) : bead.reason?.beads ? (
              <BeadMentions text={head} reason={bead.reason} project={bead.project} />
            ) : (
              shown(words === null ? head : text)
            )}
          </p>
          {execution && asksAPerson(lane, execution) && (
            <AnswerBox key={execution.id} project={bead.project} bead={bead.id} execution={execution.id} />
          )}
          {failed && !brief && (
            <p className={css['check']}>
              {shown(failed.name)}: {shown(failed.summary)} <MoreInAttempts left={digest?.more ?? 0} />
            </p>
          )}
        </div>
        {output !== '' && !brief && (
          <pre role="group" tabIndex={0} aria-label="Output of the failed check">
            {shown(output)}
          </pre>
        )}
      </div>
    </div>
  )
}

/** Its agent has a question, and nobody has decided about the bead since. */
export const asksAPerson = (lane: Lane, execution: ExecutionView | null): boolean =>
  lane === 'blocked' && execution?.kind === 'work' && execution.state === 'BLOCKED'

/** A digest begins with its summary, which is shown above it. */
const withoutSummary = ({ digest, summary }: Pick<Verification, 'digest' | 'summary'>): string => {
  const [head = '', ...rest] = digest.split('\n')
  return rest.length > 0 && head.trim().replace(/:$/, '') === summary.trim() ? rest.join('\n') : digest
}

function MoreInAttempts({ left }: { left: number }) {
  const navigate = route.useNavigate()
  return (
    <button
      type="button"
      className={css['more']}
      onClick={() => void navigate({ search: (old) => ({ ...old, tab: 'attempts' }), replace: true })}
    >
      {left > 0 ? `${left} more lines and all attempts` : 'All attempts'}
    </button>
  )
}

const TO_CONTINUE = 'Answer to continue: a new agent gets your answer and continues from its branch.'

/** The page has a button, unlike the terminal, which has a command. */
const PLAN_WAITS = 'Its plan waits for your approval, in the tab Plan.'

function sentence(bead: BeadView, lane: Lane, execution: ExecutionView | null): string | null {
  const why = bead.reason && asSentence(bead.reason.text)
  if (lane === 'running') return null
  if (bead.reason?.code === 'plan_waits') return PLAN_WAITS
  if (lane === 'queued') return why ?? 'Starts as soon as a slot is free.'
  if (lane === 'open') {
    if (execution && isTerminal(execution.state)) {
      const [first = '', ...below] = (execution.detail || 'It ended.').split('\n')
      return [`${first} ${why ?? ''}`, ...below].join('\n')
    }
    return why ?? (bead.ready ? 'Ready to run.' : null)
  }
  if (bead.reason?.code === 'odd_status') return why
  return execution?.detail || why || (lane === 'failed' ? 'Its last execution failed.' : null)
}

/**
 * Turns "waits for bl-1" into "Waits for bl-1."; a text that begins with a name (beadloom.json) keeps its first letter.
 */
const asSentence = (text: string): string =>
  `${/^[a-z]+[\s:,]/.test(text) ? capital(text) : text}`.replace(/[.!?]?$/, (end) => end || '.')
