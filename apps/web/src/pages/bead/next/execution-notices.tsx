import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { asSentence } from '@beadloom/core/text/sentence.ts'
import type { PhaseWait } from '@beadloom/core/records/wait.ts'
import { CirclePause, CloudUpload, OctagonAlert, Package, TimerReset } from 'lucide-react'
import banner from './end-banner.module.css'
import { retriesText } from '../../../components/bead/end-words.ts'
import tones from '../../../components/bead/tones.module.css'
import { pushText, whenText } from '../../../components/bead/waits.ts'
import { ApiFailure } from '../../../api/client.ts'
import { PauseNote } from './pause-note.tsx'
import { QuestionNote } from './question-note.tsx'
import { KeptContainerNote } from '../../../components/bead/kept-container.tsx'
import { abandonExecution, pressKey, retryNow } from '../../../api/endpoints.ts'
import { resumeExecution } from '../../../api/steering.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { agoText, sinceText } from '../../../ui/text/time-text.ts'
import { toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

/**
 * Notices of an execution: what it waits for (its next retry, the project's remote, its own stop), and unsaved work.
 */
export function ExecutionNotices({ execution }: { execution: ExecutionView }) {
  const now = useServerNow()
  return (
    <>
      <QuestionNote execution={execution} />
      <PauseNote execution={execution} />
      <WaitNote execution={execution} />
      {execution.stopPending && (
        <div className={`${banner['banner']} ${tones['failed']}`} role="note">
          <OctagonAlert size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <p className="live-number">
              It should have stopped {sinceText(now - execution.stopPending.since)}, but its container could not be
              stopped in {counted(execution.stopPending.tries, 'try', 'tries')}.{' '}
              {shown(asSentence(execution.stopPending.why))}
            </p>
            <GiveBack execution={execution} />
          </div>
        </div>
      )}
      {execution.kept.map((kept) => (
        <div key={kept.name} className={`${banner['banner']} ${tones['blocked']}`} role="note">
          <Package size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <KeptContainerNote kept={kept} />
          </div>
        </div>
      ))}
    </>
  )
}

/** A limit, a pause and a question have notes of their own. */
function WaitNote({ execution }: { execution: ExecutionView }) {
  const now = useServerNow()
  const { waits, activity } = execution
  switch (waits?.kind) {
    case 'retry': {
      const retries = retriesText(execution)
      return (
        <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
          <TimerReset size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <p className="live-number">
              It failed and will be retried at {whenText(waits.at, now)}
              {retries === null ? '' : `, ${retries}`}. {shown(activity ?? '')}
            </p>
            {execution.cancelRequestedAt === null && <RetryNow execution={execution} />}
          </div>
        </div>
      )
    }
    case 'phase':
      return <PhaseWaitNote execution={execution} wait={waits} />
    case 'push':
      return (
        <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
          <CloudUpload size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <p className="live-number">{shown(pushText(waits, now))}</p>
          </div>
        </div>
      )
    case 'budget':
    case 'pause':
    case undefined:
      return null
  }
}

/** The wanted change has already happened: by itself, or somebody else made it. */
const unlessFaster = (error: unknown): void => {
  if (!(error instanceof ApiFailure && error.code === 'not_now')) toastError(error)
}

/** It has neither container nor slot in the meantime, so nothing is urgent. */
function PhaseWaitNote({ execution: { id }, wait }: { execution: ExecutionView; wait: PhaseWait }) {
  const now = useServerNow()
  const { busy, send } = useSending(unlessFaster)
  const press = () => send(() => resumeExecution(id, pressKey()))
  return (
    <div className={`${banner['banner']} ${tones[wait.continued ? 'queued' : 'blocked']}`} role="note">
      <CirclePause size={16} strokeWidth={1.75} aria-hidden />
      <div>
        {wait.continued ? (
          <p>Phase {wait.after} is done. The next one begins as soon as a slot is free.</p>
        ) : (
          <>
            <p className="live-number">
              Phase {wait.after} is done, and the next one has been waiting for you for {agoText(now - wait.since)}. Its
              commit is in the tab Plan.
            </p>
            <Button needs="runner" busy={busy} onClick={() => void press()}>
              Continue
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

/** Frees the slot for another bead; leaves the container and its contents to the engine. */
function GiveBack({ execution: { id } }: { execution: ExecutionView }) {
  const { busy, send } = useSending(unlessFaster)
  const press = () => send(() => abandonExecution(id, pressKey()))
  return (
    <Button needs="runner" busy={busy} onClick={() => void press()}>
      Give the slot back
    </Button>
  )
}

/** A person who has fixed the cause need not wait. */
function RetryNow({ execution: { id } }: { execution: ExecutionView }) {
  const { busy, send } = useSending(unlessFaster)
  const press = () => send(() => retryNow(id, pressKey()))
  return (
    <Button needs="runner" busy={busy} onClick={() => void press()}>
      Retry now
    </Button>
  )
}
