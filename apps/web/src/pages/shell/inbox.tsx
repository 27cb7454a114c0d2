import { useNavigate } from '@tanstack/react-router'
import { Bell } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { dismiss, inboxStore, markRead, restore, unreadOf } from './inbox-store.ts'
import css from './inbox.module.css'
import { placeOf } from './notice-place.ts'
import { changeInbox } from '../../api/endpoints.ts'
import type { Notice } from '../../components/inbox/notices.ts'
import { InboxList } from '../../components/inbox/inbox-list.tsx'
import { grouped } from '../../components/inbox/notices.ts'
import { isRead } from '../../components/inbox/read-marks.ts'
import { useServerNow } from '../../feed/feed-context.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { toast, toastError } from '../../ui/toast.tsx'
import { focusPage } from '../../ui/focus-page.ts'

/** The bell, with the number of unread notices. */
export function InboxBell({ onOpen }: { onOpen: () => void }) {
  const count = useStore(inboxStore, (state) => unreadOf(state).length)
  const shown = count > 99 ? '99+' : String(count)
  return (
    <IconButton label={count === 0 ? 'Inbox' : `Inbox, ${shown} new`} keys="g n" onClick={onOpen}>
      <span className={css['bell']}>
        <Bell size={16} strokeWidth={1.5} aria-hidden />
        {count > 0 && <span className={css['count']}>{shown}</span>}
      </span>
    </IconButton>
  )
}

/** Dismisses for every browser; can be undone while its message is shown. */
function dismissAll(project: string, notices: readonly Notice[]): void {
  const names = notices.map(({ id }) => id)
  dismiss(notices)
  const undo = () => {
    restore(notices)
    changeInbox(project, { restore: names }).catch(toastError)
  }
  changeInbox(project, { dismiss: names }).then(
    () => toast('Dismissed', { action: { label: 'Undo', run: undo } }),
    (error) => {
      restore(notices)
      toastError(error)
    },
  )
}

export function InboxDialog({ project, onClose }: { project: string; onClose: () => void }) {
  const navigate = useNavigate()
  const now = useServerNow()
  const state = useStore(inboxStore)
  const groups = useMemo(() => (state.project === project ? grouped(state.notices) : []), [state, project])
  const unread = unreadOf(state)
  return (
    <Dialog title="Inbox" onClose={onClose} wide>
      {groups.length === 0 ? (
        <p>
          Nothing here needs you. Beads that fail or need you, reviews, pull requests and tracker problems appear here.
        </p>
      ) : (
        <InboxList
          project={project}
          groups={groups}
          now={now}
          onDismiss={({ newest, older }) => dismissAll(project, [newest, ...older])}
          isNew={(one) => !isRead(state.marks, one)}
          onOpen={({ newest, older }) => {
            markRead([newest, ...older])
            onClose()
            focusPage()
            void navigate(placeOf(project, newest.place))
          }}
        />
      )}
      <DialogActions>
        <Button blockedBy={unread.length === 0 ? 'nothing is unread' : null} onClick={() => markRead(unread)}>
          Mark all as read
        </Button>
        <Button data-first onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}
