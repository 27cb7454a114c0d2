import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { evidenceMarkdown, evidenceOf } from '@beadloom/core/review/evidence.ts'
import { CircleCheck, CircleHelp, Copy } from 'lucide-react'
import css from './evidence-card.module.css'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/clipboard.ts'
import { shown } from '../../ui/hostile-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Props = { execution: ExecutionView; onSession: (session: string) => void }

/** What was shown about the work and what was not, each with the log that says so. */
export function EvidenceCard({ execution, onSession }: Props) {
  const copy = async () => {
    try {
      await copyText(Promise.resolve(evidenceMarkdown(execution)))
      toast('Copied as Markdown')
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <section className={css['card']} aria-label="What was shown">
      <header>
        <h3>What was shown</h3>
        <Button look="quiet" onClick={() => void copy()} icon={<Copy size={14} strokeWidth={1.5} aria-hidden />}>
          Copy as Markdown
        </Button>
      </header>
      <ul>
        {evidenceOf(execution).map(({ is, text, session }) => (
          <li key={text} className={css[is]}>
            {is === 'shown' ? (
              <CircleCheck size={16} strokeWidth={1.5} aria-hidden />
            ) : (
              <CircleHelp size={16} strokeWidth={1.5} aria-hidden />
            )}
            <span>{shown(text)}</span>
            {session !== null && (
              <button type="button" aria-label={`Log: ${shown(text)}`} onClick={() => onSession(session)}>
                Log
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
