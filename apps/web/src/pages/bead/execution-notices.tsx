import type { ExecutionView } from '@beadloom/core/api.ts'
import { CloudUpload, TimerReset } from 'lucide-react'
import banner from './end-banner.module.css'
import { runText } from '../../components/bead/end-words.ts'
import tones from '../../components/bead/tones.module.css'
import { pushText, retryText } from '../../components/bead/waits.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/hostile-text.ts'

/** What an execution waits for by itself: its next run, or the project's remote. */
export function ExecutionNotices({ execution }: { execution: ExecutionView }) {
  const now = useServerNow()
  const retry = execution.endedAt === null ? retryText(execution, now) : null
  const run = runText(execution)
  return (
    <>
      {retry !== null && (
        <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
          <TimerReset size={16} strokeWidth={1.75} aria-hidden />
          <div>
            <p className="live-number">
              The last run failed: {retry}
              {run === null ? '' : `, as ${run}`}. {shown(execution.activity ?? '')}
            </p>
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
