import { MessageCircleQuestion } from 'lucide-react'
import css from './inbox-list.module.css'
import type { Notice, NoticeGroup } from './notices.ts'
import { marks, type Tone } from '../bead/states.ts'
import tones from '../bead/tones.module.css'
import { ScanSearch } from 'lucide-react'
import { shown } from '../../ui/hostile-text.ts'
import { exactText, sinceText } from '../../ui/time-text.ts'

const icons: Record<Tone, typeof ScanSearch> = {
  queued: marks.queued.icon,
  running: marks.running.icon,
  completed: marks.completed.icon,
  failed: marks.failed.icon,
  timeout: marks.timeout.icon,
  blocked: MessageCircleQuestion,
  review: ScanSearch,
}

type Props = {
  groups: readonly NoticeGroup[]
  now: number
  isNew: (notice: Notice) => boolean
  onOpen: (group: NoticeGroup) => void
}

/** Rows of what happened, newest first; each opens what it is about. */
export function InboxList({ groups, now, isNew, onOpen }: Props) {
  return (
    <ol className={css['list']}>
      {groups.map((group) => {
        const { newest, older } = group
        const fresh = [newest, ...older].some(isNew)
        const Icon = icons[newest.tone]
        return (
          <li key={newest.id}>
            <button type="button" className={`${css['row']} ${fresh ? css['new'] : ''}`} onClick={() => onOpen(group)}>
              <span className={`${css['glyph']} ${tones[newest.tone]}`}>
                <Icon size={16} strokeWidth={1.75} aria-hidden />
              </span>
              <span className={css['what']}>
                <span className={css['about']}>{shown(newest.about)}</span> {newest.word}
                {older.length > 0 && <span className={css['more']}> and {older.length} earlier</span>}
                {fresh && <span className={css['mark']}>new</span>}
              </span>
              <time className={css['when']} dateTime={new Date(newest.at).toISOString()} title={exactText(newest.at)}>
                {sinceText(now - newest.at)}
              </time>
              {newest.text !== '' && <span className={css['text']}>{shown(newest.text)}</span>}
            </button>
          </li>
        )
      })}
    </ol>
  )
}
