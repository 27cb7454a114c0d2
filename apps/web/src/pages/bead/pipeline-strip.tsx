import { capital } from '@beadloom/core/text/sentence.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { pipelineOf, stageWords } from '@beadloom/core/views/pipeline.ts'
import type { Stage } from '@beadloom/core/views/pipeline.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { attemptTitle } from './attempts/attempts.ts'
import css from './pipeline-strip.module.css'
import { SessionChip } from './session-chip.tsx'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { stageMarks } from '../../components/bead/states.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { sinceText } from '../../ui/text/time-text.ts'

type Props = {
  execution: ExecutionView
  /** False for an earlier execution; then there is a button back to the newest. */
  newest: boolean
  /** The result in one line; null if a banner shows it. */
  result: string | null
  /** The session whose log is shown; null if none is. */
  chosen: string | null
  onChoose: (session: Session) => void
  onNewest: () => void
}

/** The most earlier attempts that show their marks. */
const MOST_SIGNS = 4

/** The stages of an execution from agent to published, a row per attempt; a stage with a session opens its log. */
export function PipelineStrip({ execution, newest, result, chosen, onChoose, onNewest }: Props) {
  const now = useServerNow()
  const sessions = new Map(execution.sessions.map((one) => [one.id, one]))
  const [opened, setOpened] = useState<string | null>(null)
  const rows = pipelineOf(execution)
  // Many rows take room from the content: only the last attempt is shown; a click shows the others.
  const isChosenEarlier = rows
    .slice(0, -1)
    .some(({ stages }) => stages.some(({ session }) => session !== null && session === chosen))
  const isOpen = opened === execution.id || isChosenEarlier
  const earlier = rows.slice(0, -1)
  const seen = isOpen ? rows : rows.slice(-1)
  if (rows.length === 0 && result === null) return null
  return (
    <div className={css['strip']}>
      {!newest && (
        <p className={css['earlier']}>
          An earlier execution, {sinceText(now - execution.queuedAt)}
          <Button look="quiet" onClick={onNewest}>
            Show the newest
          </Button>
        </p>
      )}
      <ol aria-label="Pipeline" tabIndex={sessions.size > 0 ? undefined : 0}>
        {seen.map(({ attempt, stages }, at) => {
          const own = stages.flatMap(({ session }) => (session === null ? [] : (sessions.get(session) ?? [])))
          const title = attemptTitle({ number: attempt, sessions: own }, execution.inPhases)
          return (
            <li key={attempt} className={css['row']}>
              {at === 0 && earlier.length > 0 && !isChosenEarlier && (
                <button
                  type="button"
                  className={css['others']}
                  aria-expanded={isOpen}
                  onClick={() => setOpened(isOpen ? null : execution.id)}
                >
                  {!isOpen &&
                    earlier.slice(-MOST_SIGNS).map((row) => {
                      const last = row.stages.at(-1)
                      return last && <StateMark key={row.attempt} mark={stageMarks[last.state]} bare />
                    })}
                  {isOpen ? 'Show less' : `${earlier.length} earlier`}
                  <ChevronDown size={12} strokeWidth={1.5} aria-hidden className={isOpen ? css['up'] : undefined} />
                </button>
              )}
              {execution.kind === 'work' && <span className={css['attempt']}>{title}</span>}
              <ol className={css['stages']} aria-label={title}>
                {stages.map((stage, index) => {
                  const session = stage.session === null ? undefined : sessions.get(stage.session)
                  return (
                    <li key={stage.session ?? `${stage.name}-${index}`} className={css['stage']}>
                      {index > 0 && <ChevronRight className={css['arrow']} size={12} strokeWidth={1.5} aria-hidden />}
                      {session ? (
                        <SessionChip
                          session={session}
                          of={execution}
                          chosen={session.id === chosen}
                          onChoose={() => onChoose(session)}
                        />
                      ) : (
                        <Ahead stage={stage} />
                      )}
                    </li>
                  )
                })}
              </ol>
            </li>
          )
        })}
      </ol>
      {result !== null && (
        <p className={css['result']} role="note" title={shown(result)}>
          {shown(result)}
        </p>
      )}
    </div>
  )
}

/** A stage without a log: still to come, or done by the server itself. */
function Ahead({ stage: { name, state } }: { stage: Stage }) {
  const word = name === 'published' && state === 'done' ? 'published' : stageWords[name]
  return (
    <span className={css[state === 'todo' ? 'todo' : 'ahead']}>
      <StateMark mark={stageMarks[state]} bare live={state === 'running'} />
      {capital(word)}
      <span className="visually-hidden">: {stageMarks[state].word}</span>
    </span>
  )
}
