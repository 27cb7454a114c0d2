import { Link } from '@tanstack/react-router'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { syncState } from './sync-state.ts'
import css from './top-bar.module.css'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Hint } from '../../ui/hint.tsx'
import { shown } from '../../ui/text/hostile-text.ts'

/** Opens the page with all details. */
export function SyncChip({ view }: { view: ProjectView }) {
  const { icon: Icon, text, tone, about } = syncState(view, useServerNow())
  const look = tone === 'calm' ? '' : tone === 'failed' ? css['broken'] : css['trouble']
  return (
    <Hint text={about === '' ? text : shown(about.slice(0, 300))} keys="g y">
      <Link to="/p/$project/sync" params={{ project: view.id }} className={`${css['chip']} ${css['sync']} ${look}`}>
        <Icon size={14} strokeWidth={1.75} aria-hidden className={css['glyph']} />
        <span className={`${css['connection']} live-number`}>{text}</span>
      </Link>
    </Hint>
  )
}
