import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { PRICES_OF } from '@beadloom/core/budget/model-prices.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { CircleCheckBig, CircleStop, Pause, Play, SlidersHorizontal, RotateCcw, X } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './bead-header.module.css'
import { Editable, type EditProps } from './edit/editable.tsx'
import { ATTEMPTS_AND_RETRIES } from '../../components/bead/end-words.ts'
import { ContextFigure } from '../../components/bead/context-figure.tsx'
import { contextNow, contextPeak } from '../../components/bead/context-words.ts'
import { LimitMeter } from '../../components/bead/limit-meter.tsx'
import { moneyText, tokensInFull, tokensText } from '../../components/bead/token-words.ts'
import { cancelRefusal, pauseRefusal, sayRefusal } from '../../components/bead/bead-actions.ts'
import type { BeadCommands } from '../../components/bead/bead-commands.tsx'
import { closeBead, reopenBead } from '../../components/bead/close-bead.ts'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { executionMark, marks } from '../../components/bead/states.ts'
import { ReviewButton } from '../../components/review/review-button.tsx'
import type { ReviewCommands } from '../../components/review/review-commands.tsx'
import { useServerNow } from '../../feed/feed-context.tsx'
import type { BoardCard, Lane } from '@beadloom/core/board/board-card.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { elapsedText, spanText } from '../../ui/text/time-text.ts'

type Props = {
  bead: BeadView
  lane: Lane
  /** A follow-up with an agent at work, now or soon: the bead continues there. */
  worker: BoardCard | undefined
  execution: ExecutionView | null
  commands: BeadCommands
  review: ReviewCommands
  /** The reason why it cannot run now. */
  refusal: string | null
  /** `elsewhere`: the suggested actions below include it; `quiet`: something else is recommended. */
  run: 'primary' | 'quiet' | 'elsewhere'
} & EditProps

export function BeadHeader({ bead, lane, worker, execution, commands, review, refusal, run, ...edit }: Props) {
  const live = lane === 'queued' || lane === 'running'
  const cancelling = cancelRefusal(execution)
  return (
    <header className={css['head']}>
      <Name id={bead.id} lane={lane} execution={execution} worker={live ? undefined : worker}>
        <Editable bead={bead} field="title" now={bead.title} live={live} {...edit}>
          {(button) => (
            <h1>
              {shown(bead.title)} {button}
            </h1>
          )}
        </Editable>
      </Name>
      {execution && execution.startedAt !== null && <Figures execution={execution} />}
      <div className={css['actions']}>
        <ReviewButton commands={review} what={bead.id} project={bead.project} bead={bead.id} />
        {lane === 'running' && <WhileItRuns bead={bead} execution={execution} commands={commands} />}
        {live ? (
          <Button
            needs="runner"
            look={lane === 'running' ? 'danger' : 'plain'}
            blockedBy={cancelling}
            onClick={() => commands.cancel(bead, execution)}
            icon={
              lane === 'running' ? (
                <CircleStop size={16} strokeWidth={1.5} aria-hidden />
              ) : (
                <X size={16} strokeWidth={1.5} aria-hidden />
              )
            }
          >
            {execution?.cancelRequestedAt ? 'Stopping…' : lane === 'running' ? 'Stop' : 'Remove from the queue'}
          </Button>
        ) : bead.status === 'done' ? (
          <Button
            needs="runner"
            title="Once reopened, it can run again from its branch."
            onClick={() => void reopenBead(bead.project, bead.id)}
            icon={<RotateCcw size={16} strokeWidth={1.5} aria-hidden />}
          >
            Reopen
          </Button>
        ) : run === 'elsewhere' ? null : (
          <>
            {lane === 'open' && bead.status === 'open' && (
              <IconButton
                needs="runner"
                label="Mark as done"
                onClick={() => void closeBead(bead.project, bead.id, bead.status)}
              >
                <CircleCheckBig size={16} strokeWidth={1.5} aria-hidden />
              </IconButton>
            )}
            {bead.reminderOf === undefined && (
              <>
                <Button
                  needs="runner"
                  look="quiet"
                  blockedBy={refusal}
                  onClick={() => commands.runWithOptions(bead, execution)}
                  aria-label="Run with options"
                  icon={<SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />}
                >
                  <span className={css['words']}>Run with options</span>
                </Button>
                <Button
                  needs="runner"
                  look={run === 'primary' ? 'primary' : 'plain'}
                  blockedBy={refusal}
                  busy={commands.busy(bead.id)}
                  onClick={() => commands.run(bead, execution)}
                  icon={<Play size={16} strokeWidth={1.5} aria-hidden />}
                >
                  {lane === 'failed' || lane === 'timeout' || lane === 'blocked' ? 'Run again' : 'Run'}
                </Button>
              </>
            )}
          </>
        )}
      </div>
    </header>
  )
}

/** Change it and pause it. */
const WhileItRuns = ({ bead, execution, commands }: Pick<Props, 'bead' | 'execution' | 'commands'>) => (
  <>
    <IconButton
      needs="runner"
      label="Change model or time limit"
      blockedBy={sayRefusal(execution)}
      onClick={() => commands.change(bead, execution)}
    >
      <SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
    <IconButton
      needs="runner"
      label={execution?.paused ? 'Resume' : 'Pause'}
      blockedBy={pauseRefusal(execution)}
      onClick={() => commands.pause(bead, execution)}
    >
      {execution?.paused ? (
        <Play size={16} strokeWidth={1.5} aria-hidden />
      ) : (
        <Pause size={16} strokeWidth={1.5} aria-hidden />
      )}
    </IconButton>
  </>
)

const CONTEXT_NOW = 'How full the agent’s context is: its last question and answer, as a share of its model’s window'
const CONTEXT_PEAK = 'The fullest an agent’s context has been, as a share of its model’s window'

type NameProps = {
  id: string
  lane: Lane
  execution?: ExecutionView | null | undefined
  worker?: BoardCard | undefined
}

/** The board's facts about a bead, shown until the rest is loaded. */
export const BeadHeading = ({ title, ...name }: NameProps & { title: string }) => (
  <header className={css['head']}>
    <Name {...name}>
      <h1>{shown(title)}</h1>
    </Name>
  </header>
)

const Name = ({ id, lane, execution, worker, children }: NameProps & { children: ReactNode }) => (
  <>
    <div className={css['state']}>
      {worker === undefined ? (
        <StateMark
          {...(lane === 'running' && execution
            ? executionMark(execution)
            : { mark: marks[lane], live: lane === 'running' })}
        />
      ) : (
        <StateMark
          mark={{ ...marks[worker.lane], word: `Follow-up ${marks[worker.lane].word.toLowerCase()}` }}
          live={worker.lane === 'running'}
        />
      )}
    </div>
    <div className={css['name']}>
      <span className={css['id']}>{id}</span>
      {children}
    </div>
  </>
)

function Figures({ execution }: { execution: ExecutionView }) {
  const now = useServerNow()
  const { startedAt, endedAt, deadlineAt, tokens, limit } = execution
  if (startedAt === null) return null
  const context = endedAt === null ? contextNow(execution) : contextPeak(execution)
  return (
    <dl className={css['figures']}>
      {execution.progress && (
        <div>
          <dt>phase</dt>
          <dd>
            {execution.progress.phase} of {execution.progress.of}
          </dd>
        </div>
      )}
      {/* With a plan, that number would count its trees. */}
      {execution.progress === undefined &&
        execution.kind === 'work' &&
        execution.maxAttempts > 1 &&
        (execution.attempt > 0 || !isTerminal(execution.state)) && (
          <div title={ATTEMPTS_AND_RETRIES}>
            <dt>attempt</dt>
            <dd>
              {Math.max(1, execution.attempt)} of {execution.maxAttempts}
            </dd>
          </div>
        )}
      <div
        title={deadlineAt !== null && endedAt === null ? `Time limit: ${spanText(deadlineAt - startedAt)}` : undefined}
      >
        <dt>{endedAt === null ? 'running' : 'took'}</dt>
        <dd className={`live-number ${endedAt === null ? css['runs'] : ''}`}>
          {elapsedText(lastedBy(execution, now) ?? 0)}
        </dd>
      </div>
      <div title={tokensInFull(tokens, execution.currency)}>
        <dt>tokens</dt>
        <dd className="live-number">{tokensText(limit ? { tokens } : execution)}</dd>
      </div>
      {limit && (
        <div title={limit.text}>
          <dt>limit</dt>
          <dd>
            <LimitMeter limit={limit} />
          </dd>
        </div>
      )}
      {context && (
        <div className={css['context']} title={endedAt === null ? CONTEXT_NOW : CONTEXT_PEAK}>
          <dt>context</dt>
          <dd>
            {endedAt === null ? '' : 'up to '}
            <ContextFigure context={context} />
          </dd>
        </div>
      )}
      {tokens.costMicros !== undefined && (
        <div title={`At list prices of ${PRICES_OF}, or those of the server’s config.json`}>
          <dt>cost</dt>
          <dd className="live-number">{moneyText(tokens.costMicros, execution.currency ?? 'USD')}</dd>
        </div>
      )}
    </dl>
  )
}
