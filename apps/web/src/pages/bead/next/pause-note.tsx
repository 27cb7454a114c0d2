import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { pauseText } from '@beadloom/core/records/pause.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import { CirclePause } from 'lucide-react'
import banner from './end-banner.module.css'
import { ApiFailure } from '../../../api/client.ts'
import { pressKey } from '../../../api/endpoints.ts'
import { resumeExecution } from '../../../api/steering.ts'
import tones from '../../../components/bead/tones.module.css'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { agoText, inText, wallClockText } from '../../../ui/text/time-text.ts'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

/** An execution that a person has paused: since when, until when, and the way on. Nothing if it is not paused, or waits for an answer. */
export function PauseNote({ execution: { id, paused, cancelRequestedAt } }: { execution: ExecutionView }) {
  const now = useServerNow()
  // Somebody else was faster, or it has ended.
  const { busy, send } = useSending((error) => {
    if (!(error instanceof ApiFailure && error.code === 'not_now')) toastError(error)
  })
  if (paused === undefined || cancelRequestedAt !== null) return null
  const { since, until, atEnd, resumed, question } = paused
  if (question !== undefined && !resumed) return null
  const press = () => send(() => resumeExecution(id, pressKey()))
  return (
    <div className={`${banner['banner']} ${tones[resumed ? 'queued' : 'blocked']}`} role="note">
      <CirclePause size={16} strokeWidth={1.75} aria-hidden />
      <div>
        {resumed ? (
          <p>{capital(pauseText(paused))}.</p>
        ) : (
          <>
            <p className="live-number">
              {shown(capital(pauseText(paused)))}, for {agoText(now - since)}. If nobody resumes it by{' '}
              {wallClockText(until)} ({inText(until - now)}), it{' '}
              {atEnd === 'resume' ? 'continues by itself' : 'is stopped, and its work is saved'}.
            </p>
            <Button needs="runner" look="primary" busy={busy} onClick={() => void press()}>
              Resume
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
