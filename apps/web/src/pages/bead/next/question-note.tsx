import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { MessageCircleQuestion } from 'lucide-react'
import banner from './end-banner.module.css'
import { AnswerBox } from '../../../components/bead/answer-box.tsx'
import tones from '../../../components/bead/tones.module.css'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { agoText, inText, wallClockText } from '../../../ui/text/time-text.ts'

/** The question of an agent whose execution waits for the answer. Nothing if it waits for none. */
export function QuestionNote({
  execution: { id, project, bead, paused, cancelRequestedAt },
}: {
  execution: ExecutionView
}) {
  const now = useServerNow()
  if (paused?.question === undefined || paused.resumed || cancelRequestedAt !== null) return null
  const { question, since, until } = paused
  return (
    <div className={`${banner['banner']} ${tones['blocked']}`} role="note">
      <MessageCircleQuestion size={16} strokeWidth={1.75} aria-hidden />
      <div>
        <p className={banner['words']}>“{shown(question)}”</p>
        <p className="live-number">
          It has been waiting for your answer for {agoText(now - since)}, and continues with it where it is. Without one
          by {wallClockText(until)} ({inText(until - now)}), it ends as BLOCKED.
        </p>
        <AnswerBox key={since} project={project} bead={bead} execution={id} question={since} />
      </div>
    </div>
  )
}
