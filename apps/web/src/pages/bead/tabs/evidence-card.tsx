import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { evidenceImage } from '@beadloom/core/views/evidence-image.ts'
import { evidenceMarkdown, evidenceOf, workCommit } from '@beadloom/core/views/evidence.ts'
import { CircleCheck, CircleHelp, Copy, Download, Image as ImageIcon } from 'lucide-react'
import css from './evidence-card.module.css'
import { useTargetReview } from '../../../components/review/use-reviews.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { copyPicture, savePicture } from '../../../ui/picture.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'

type Props = { execution: ExecutionView; title: string; onSession: (session: string) => void }

/** The evidence about the work, and what is missing, each with a link to its log. */
export function EvidenceCard({ execution, title, onSession }: Props) {
  const { review } = useTargetReview(execution.project, execution.bead)
  const ofThis = review !== null && review.to === workCommit(execution) && review.verdict !== null
  const facts = {
    ...execution,
    title,
    reviewed: ofThis && review.verdict ? { model: review.model, verdict: review.verdict } : null,
  }
  const image = async (give: (svg: string) => Promise<void>, done: string) => {
    try {
      await give(evidenceImage(facts))
      toast(done)
    } catch (error) {
      toastError(error)
    }
  }
  const copy = async () => {
    try {
      await copyText(Promise.resolve(evidenceMarkdown(facts)))
      toast('Copied as Markdown')
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <section className={css['card']} aria-label="Evidence">
      <header>
        <h3>Evidence</h3>
        <div className={css['buttons']}>
          <Button look="quiet" onClick={() => void copy()} icon={<Copy size={14} strokeWidth={1.5} aria-hidden />}>
            Copy as Markdown
          </Button>
          <Button
            look="quiet"
            onClick={() => void image(copyPicture, 'Copied as an image')}
            icon={<ImageIcon size={14} strokeWidth={1.5} aria-hidden />}
          >
            Copy as image
          </Button>
          <IconButton
            label="Download as SVG"
            onClick={() =>
              void image((svg) => savePicture(svg, `${execution.bead}-${execution.id}.svg`), 'Picture saved')
            }
          >
            <Download size={14} strokeWidth={1.5} aria-hidden />
          </IconButton>
        </div>
      </header>
      <ul>
        {evidenceOf(facts).map(({ is, text, session }) => (
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
