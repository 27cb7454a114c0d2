import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { pipelineOf, stageWords } from '@beadloom/core/execution/pipeline.ts'
import type { Stage } from '@beadloom/core/execution/pipeline.ts'
import type { Session } from '@beadloom/core/execution/session.ts'
import { ChevronRight } from 'lucide-react'
import { attemptTitle } from './attempts.ts'
import css from './pipeline-strip.module.css'
import { SessionChip } from './session-chip.tsx'
import { StateMark } from '../../components/bead/state-mark.tsx'
import { stageMarks } from '../../components/bead/states.ts'

type Props = { execution: ExecutionView; chosen: string; onChoose: (session: Session) => void }

/** The way of an execution from agent to published, a row an attempt; what has a session opens its log. */
export function PipelineStrip({ execution, chosen, onChoose }: Props) {
  const sessions = new Map(execution.sessions.map((one) => [one.id, one]))
  return (
    <ol className={css['strip']} aria-label="Pipeline">
      {pipelineOf(execution).map(({ attempt, stages }) => {
        const own = stages.flatMap(({ session }) => (session === null ? [] : (sessions.get(session) ?? [])))
        const title = attemptTitle({ number: attempt, sessions: own }, execution.inPhases)
        return (
          <li key={attempt} className={css['row']}>
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
                        inRow
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
  )
}

/** Without a log: still to come, or done by the server itself. */
function Ahead({ stage: { name, state } }: { stage: Stage }) {
  const word = name === 'published' && state === 'done' ? 'published' : stageWords[name]
  return (
    <span className={css[state === 'todo' ? 'todo' : 'ahead']}>
      <StateMark mark={stageMarks[state]} bare live={state === 'running'} />
      {`${word.slice(0, 1).toUpperCase()}${word.slice(1)}`}
      <span className="visually-hidden">: {stageMarks[state].word}</span>
    </span>
  )
}
