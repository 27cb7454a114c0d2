import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { CloudUpload, TimerReset } from 'lucide-react'
import { useState } from 'react'
import banner from './end-banner.module.css'
import { retriesText } from '../../components/bead/end-words.ts'
import tones from '../../components/bead/tones.module.css'
import { pushText, retryWhen } from '../../components/bead/waits.ts'
import { ApiFailure } from '../../api/client.ts'
import { pressKey, retryNow } from '../../api/endpoints.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { toastError } from '../../ui/toast.tsx'

/** What an execution is waiting for: its next retry, or the project's remote. */
export function ExecutionNotices({ execution }: { execution: ExecutionView }) {
  const now = useServerNow()
  const retry = execution.endedAt === null ? retryWhen(execution, now) : null
  const retries = retriesText(execution)
  return (
    <>
      {retry !== null && (
        <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
          <TimerReset size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <p className="live-number">
              It failed and will be retried at {retry}
              {retries === null ? '' : `, ${retries}`}. {shown(execution.activity ?? '')}
            </p>
            <RetryNow execution={execution} />
          </div>
        </div>
      )}
      {execution.pendingPush && (
        <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
          <CloudUpload size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <p className="live-number">{shown(pushText(execution.pendingPush, now))}</p>
          </div>
        </div>
      )}
    </>
  )
}

/** Somebody who has fixed the cause need not wait. */
function RetryNow({ execution: { id, retryAt, cancelRequestedAt } }: { execution: ExecutionView }) {
  const [busy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    try {
      await retryNow(id, pressKey())
    } catch (error) {
      // It has just started by itself, which is what was wanted.
      if (!(error instanceof ApiFailure && error.code === 'not_now')) toastError(error)
    } finally {
      setBusy(false)
    }
  }
  if (retryAt === null || cancelRequestedAt !== null) return null
  return (
    <Button busy={busy} onClick={() => void press()}>
      Retry now
    </Button>
  )
}
