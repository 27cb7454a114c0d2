import css from './board-card.module.css'
import type { ShownCard } from './held-columns.ts'
import { BeadMentions } from '../../components/bead/bead-mentions.tsx'
import { stateLine } from '../../components/bead/state-line.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { shortCount } from '../../ui/time-text.ts'

/** The line of a card that says what is now. */
export function CardLine({ item, project, tabIndex }: { item: ShownCard; project: string; tabIndex: number }) {
  const { text, figures, extra, change } = stateLine(item, useServerNow())
  const { reason } = item.card
  return (
    <p className={`${css['line']} ${css[item.lane]}`} title={text}>
      <span className={css['what']}>
        {reason?.beads && text === reason.text ? (
          <BeadMentions reason={reason} project={project} tabIndex={tabIndex} />
        ) : (
          shown(text)
        )}
      </span>
      {change !== undefined && (
        <span className={css['figures']} title={`${change.files} ${change.files === 1 ? 'file' : 'files'} changed`}>
          <span className={css['plus']}>+{shortCount(change.added)}</span>{' '}
          <span className={css['minus']}>−{shortCount(change.removed)}</span>
        </span>
      )}
      {extra !== undefined && item.lane !== 'running' && (
        <span className={`${css['figures']} ${css['extra']} live-number`}>{extra}</span>
      )}
      {figures !== '' && <span className={`${css['figures']} live-number`}>{figures}</span>}
    </p>
  )
}
