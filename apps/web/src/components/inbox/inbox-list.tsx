import { MessageCircleQuestion, X } from 'lucide-react'
import css from './inbox-list.module.css'
import type { Notice, NoticeGroup } from './notices.ts'
import { marks, type Tone } from '../bead/states.ts'
import tones from '../bead/tones.module.css'
import { ScanSearch } from 'lucide-react'
import { shown } from '../../ui/text/hostile-text.ts'
import { AnswerBox } from '../bead/answer-box.tsx'
import { IconButton } from '../../ui/button.tsx'
import { exactText, sinceText } from '../../ui/text/time-text.ts'

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
  project: string
  groups: readonly NoticeGroup[]
  now: number
  isNew: (notice: Notice) => boolean
  onOpen: (group: NoticeGroup) => void
  onDismiss: (group: NoticeGroup) => void
}

/** Rows of what happened, newest first; each opens its subject. */
export function InboxList({ project, groups, now, isNew, onOpen, onDismiss }: Props) {
  return (
    <ol className={css['list']}>
      {groups.map((group) => {
        const { newest, older } = group
        const fresh = [newest, ...older].some(isNew)
        const Icon = icons[newest.tone]
        return (
          <li key={newest.id} className={css['one']}>
            <button type="button" className={`${css['row']} ${fresh ? css['new'] : ''}`} onClick={() => onOpen(group)}>
              <span className={`${css['glyph']} ${tones[newest.tone]}`}>
                <Icon size={16} strokeWidth={1.75} aria-hidden />
              </span>
              <span className={css['what']}>
                <span className={css['about']}>{shown(newest.about)}</span> {newest.word}
                {older.length > 0 && <span className={css['more']}> and {older.length} earlier</span>}
              </span>
              <span className={css['when']}>
                <time dateTime={new Date(newest.at).toISOString()} title={exactText(newest.at)}>
                  {sinceText(now - newest.at)}
                </time>
                {fresh && (
                  <span className={css['mark']} title="New">
                    <span className="visually-hidden">new</span>
                  </span>
                )}
              </span>
              {newest.text !== '' && (
                <span className={`${css['text']} ${newest.waits?.answer ? css['whole'] : ''}`}>
                  {shown(newest.text)}
                </span>
              )}
            </button>
            <IconButton
              needs="runner"
              label={`Dismiss ${shown(newest.about)}: ${newest.word}`}
              className={css['dismiss']}
              onClick={(event) => {
                focusBeside(event.currentTarget)
                onDismiss(group)
              }}
            >
              <X size={16} strokeWidth={1.5} aria-hidden />
            </IconButton>
            {newest.waits?.answer && (
              <div className={css['answer']}>
                <AnswerBox
                  project={project}
                  bead={newest.waits.bead}
                  execution={newest.waits.execution}
                  question={newest.waits.since}
                />
              </div>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Moves the focus to the next row before this one goes, so that the keyboard can dismiss several in turn. */
function focusBeside(button: HTMLElement): void {
  const row = button.closest('li')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const next =
    beside?.querySelector<HTMLElement>('button') ?? button.closest('dialog')?.querySelector<HTMLElement>('[data-first]')
  next?.focus({ preventScroll: true })
}
