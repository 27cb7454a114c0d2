import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import css from './bead-peek.module.css'
import { Markdown } from '../../../components/markdown/markdown.tsx'
import { getBead } from '../../../api/endpoints.ts'
import { BeadMentions } from '../../../components/bead/bead-mentions.tsx'
import { stateLine } from '../../../components/bead/state-line.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks } from '../../../components/bead/states.ts'
import { useBoard, useServerNow } from '../../../feed/feed-context.tsx'
import { laneOf } from '@beadloom/core/board/board-card.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { exactText, sinceText } from '../../../ui/text/time-text.ts'

/** Enough to understand the bead; its page has the rest. */
const MOST_TEXT = 4000

/** A short view of a bead, over the board: its text, why it is in its state, and how it last ended. */
export function BeadPeek({ project, bead, onClose }: { project: string; bead: string; onClose: () => void }) {
  const now = useServerNow()
  const { view } = useBoard(project)
  const card = view?.beads.get(bead)
  const { data, error } = useQuery({
    queryKey: ['bead', project, bead, 'peek', card?.updatedAt],
    queryFn: ({ signal }) => getBead(project, bead, signal),
    placeholderData: (old) => (old?.id === bead ? old : undefined),
  })
  const known = card ?? data
  const newest = known?.execution ?? null
  const execution =
    newest === null ? null : (view?.executions.get(newest) ?? data?.executions.find(({ id }) => id === newest) ?? null)
  const lane = known ? laneOf(known, execution) : null
  const line = known && lane ? stateLine({ card: known, execution, lane, position: null }, now) : null
  const description = data?.description.trim() ?? ''
  return (
    <Dialog title={bead} onClose={onClose} wide>
      <div className={css['peek']} onKeyDown={(event) => event.key === ' ' && closes(event.target) && onClose()}>
        {known && <p className={css['title']}>{shown(known.title)}</p>}
        {known && lane && line && (
          <p className={css['state']}>
            <StateMark mark={marks[lane]} />
            <span>
              {known.reason?.beads && line.text === known.reason.text ? (
                <BeadMentions reason={known.reason} project={project} />
              ) : (
                shown(line.text)
              )}{' '}
              {line.figures}
            </span>
          </p>
        )}
        {known && (
          <p className={css['meta']}>
            P{known.priority} · {shown(known.type)}
            {known.labels.length > 0 && ` · ${shown(known.labels.join(', '))}`}
            {known.assignee !== undefined && ` · ${shown(known.assignee)}`}
            {known.parent !== undefined && ` · part of ${shown(known.parent)}`}
          </p>
        )}
        {execution !== null && execution.detail !== '' && execution.endedAt !== null && (
          <section aria-label="Last result">
            <h3>
              Last result <time title={exactText(execution.endedAt)}>{sinceText(now - execution.endedAt)}</time>
            </h3>
            <p className={css['text']}>{shown(execution.detail)}</p>
          </section>
        )}
        {data !== undefined && (
          <section aria-label="Description">
            <h3>Description</h3>
            {description === '' ? (
              <p className={css['meta']}>No description.</p>
            ) : (
              <Markdown text={description.length > MOST_TEXT ? `${description.slice(0, MOST_TEXT)} …` : description} />
            )}
          </section>
        )}
        {error && (
          <p className={css['meta']} role="alert">
            The description could not be loaded: {error.message}
          </p>
        )}
        <DialogActions>
          <Link data-first to="/p/$project/b/$bead" params={{ project, bead }} className={css['open']}>
            Open {bead}
          </Link>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** Space closes what it opened; on a button it presses the button. */
const closes = (target: EventTarget): boolean => !(target instanceof Element && target.closest('button'))
