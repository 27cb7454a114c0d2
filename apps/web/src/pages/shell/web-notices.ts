import { createStore } from 'zustand/vanilla'
import { isToTell } from './notice-tabs.ts'
import { kindOf, noticeKinds, type Notice, type NoticeKind } from '../../components/inbox/notices.ts'
import { shown } from '../../ui/text/hostile-text.ts'

const KEY = 'beadloom.notify'
/** More notices at once become one: nobody reads a wall of them. */
const MOST_AT_ONCE = 3

const stored = (): boolean => {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

const KINDS = 'beadloom.notify.kinds'
/** Good news does not interrupt unless a person wants it. */
const usualKinds: readonly NoticeKind[] = noticeKinds.filter((kind) => kind !== 'merged')

/** Null or nonsense: the default kinds. */
export function parseKinds(text: string | null): readonly NoticeKind[] {
  try {
    const given: unknown = text === null ? null : JSON.parse(text)
    return Array.isArray(given) ? noticeKinds.filter((kind) => given.includes(kind)) : usualKinds
  } catch {
    return usualKinds
  }
}

const storedKinds = (): readonly NoticeKind[] => {
  try {
    return parseKinds(localStorage.getItem(KINDS))
  } catch {
    return usualKinds
  }
}

/** Off until a person turns it on; `refused` if the browser said no. */
export const webNotices = createStore<{ on: boolean; refused: boolean; kinds: readonly NoticeKind[] }>(() => ({
  on: stored(),
  refused: false,
  kinds: storedKinds(),
}))

/** A choice in one tab counts in all of them. */
if (typeof window !== 'undefined')
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === KEY || key === KINDS) webNotices.setState({ on: stored(), kinds: storedKinds() })
  })

/** Asks for the browser's permission; nothing else does. */
export async function setWebNotices(on: boolean): Promise<void> {
  const may = !on || (typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted')
  webNotices.setState({ on: on && may, refused: !may })
  try {
    if (on && may) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export function setWebNoticeKind(kind: NoticeKind, on: boolean): void {
  const { kinds: before } = webNotices.getState()
  const kinds = noticeKinds.filter((one) => (one === kind ? on : before.includes(one)))
  webNotices.setState({ kinds })
  try {
    localStorage.setItem(KINDS, JSON.stringify(kinds))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** The page shows a whole question; the system cuts a notification somewhere anyway. */
const LONGEST_BODY = 300

export type WebNotice = { title: string; body: string; tag: string; of: Notice | null }

/** The notifications to show: one each, or one for many. Tabs with the same project share the tags. */
export function webNoticesOf(project: string, added: readonly Notice[]): WebNotice[] {
  if (added.length > MOST_AT_ONCE)
    return [{ title: `${project}: ${added.length} new notices`, body: '', tag: `${project} many`, of: null }]
  return added.map((notice) => ({
    title: shown(`${notice.about} ${notice.word}`),
    body: shown(notice.text.slice(0, LONGEST_BODY)),
    tag: `${project} ${notice.id}`,
    of: notice,
  }))
}

/** Shows them while nobody looks at the project, in one of its tabs. `open` runs when a person presses one. */
export async function showWebNotices(
  project: string,
  added: readonly Notice[],
  open: (of: Notice | null) => void,
): Promise<void> {
  const { on, kinds } = webNotices.getState()
  if (!on || Notification.permission !== 'granted' || !(await isToTell(project))) return
  const wanted = added.filter((one) => kinds.includes(kindOf(one)))
  for (const { title, body, tag, of } of webNoticesOf(project, wanted)) {
    try {
      const notice = new Notification(title, { body, tag, icon: '/favicon.svg' })
      notice.addEventListener('click', () => {
        globalThis.focus()
        notice.close()
        open(of)
      })
    } catch {
      return // phones allow them only to service workers; the inbox has them
    }
  }
}
