import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import css from './attempt-theatre.module.css'
import { sceneOf } from './scene.ts'
import { SceneDiff } from './scene-diff.tsx'
import { SceneNotes } from './scene-notes.tsx'
import { TheatreBar, type TheatrePane } from './theatre-bar.tsx'
import { SessionOutput } from '../../../components/log/session-output.tsx'
import type { Lines } from '../../../components/log/lines/line-selection.ts'
import { useKeys } from '../../../ui/keys/keys.ts'
import { PanelMessage } from '../../../ui/panel-message.tsx'
import { useMedia } from '../../../ui/use-media.ts'

const route = getRouteApi('/p/$project/b/$bead')

type Props = { executions: readonly ExecutionView[]; number: number }

/** An execution attempt by attempt: log and changes side by side, always of the same attempt. */
export function AttemptTheatre({ executions, number }: Props) {
  const { session, line, to } = route.useSearch()
  const navigate = route.useNavigate()
  const roomy = useMedia('(min-width: 1000px)')
  const [pane, setPane] = useState<TheatrePane>('log')
  const scene = sceneOf(executions, { attempt: number, session })
  const goTo = (attempt: number | undefined) => {
    // Another attempt of the same execution: one of its sessions in the address keeps an earlier execution in view.
    const own = attempt === undefined ? undefined : scene?.execution.sessions.find((one) => one.attempt === attempt)
    void navigate({
      search: (old) => ({
        ...old,
        attempt,
        session: own && scene?.execution.id !== executions[0]?.id ? own.id : undefined,
        line: undefined,
        to: undefined,
        at: undefined,
      }),
      replace: true,
    })
  }
  useKeys('Attempts', [
    { keys: ['ArrowLeft'], does: 'Previous attempt', run: () => scene?.before && goTo(scene.before.number) },
    { keys: ['ArrowRight'], does: 'Next attempt', run: () => scene?.after && goTo(scene.after.number) },
    { keys: ['Escape'], does: 'Back to all attempts', run: () => goTo(undefined) },
  ])
  if (scene === null)
    return (
      <PanelMessage title="No attempts yet">
        <p>Attempts appear here once an agent has started.</p>
      </PanelMessage>
    )
  const { execution, attempt, before } = scene
  const linked = line === undefined || line < 1 ? null : { first: line - 1, last: Math.max(line, to ?? line) - 1 }
  const onLines = (lines: Lines | null) =>
    void navigate({
      search: (old) => ({
        ...old,
        session: scene.session?.id,
        line: lines === null ? undefined : lines.first + 1,
        to: lines === null || lines.last === lines.first ? undefined : lines.last + 1,
      }),
      replace: true,
    })
  const showsLog = roomy || pane === 'log'
  const showsDiff = roomy || pane === 'diff'
  return (
    <section className={css['theatre']} aria-label="Attempts, one by one">
      <TheatreBar {...{ scene, roomy, pane, goTo }} onPane={setPane} />
      <SceneNotes attempt={attempt} before={before} />
      <div className={css['stage']}>
        {showsLog && (
          <div className={css['pane']} role="group" aria-label={`Output of attempt ${attempt.number}`}>
            {scene.session === null ? (
              <PanelMessage title="No output">
                <p>This attempt has no session.</p>
              </PanelMessage>
            ) : (
              <SessionOutput
                key={scene.session.id}
                session={scene.session}
                activity={execution.activity}
                lines={linked}
                onLines={onLines}
                command={execution.chosen?.agent === 'command'}
              />
            )}
          </div>
        )}
        {showsDiff && (
          <div className={css['pane']} role="group" aria-label={`Change of attempt ${attempt.number}`}>
            <SceneDiff execution={execution} attempt={attempt} range={scene.range} />
          </div>
        )}
      </div>
    </section>
  )
}
