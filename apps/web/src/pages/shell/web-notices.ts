import { createStore } from 'zustand/vanilla'
import type { Notice } from '../../components/inbox/notices.ts'
import { shown } from '../../ui/hostile-text.ts'

const KEY = 'beadloom.notify'
/** More at once are one: nobody reads a wall of them. */
const MOST_AT_ONCE = 3

const stored = (): boolean => {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

/** Off until a person turns it on; `refused` when the browser said no. */
export const webNotices = createStore<{ on: boolean; refused: boolean }>(() => ({ on: stored(), refused: false }))

/** Asks the browser for its permission, and only from here. */
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

export type WebNotice = { title: string; body: string; tag: string; of: Notice | null }

/** The notifications to show: each by itself, or one for many. Tabs that show the same project share the tags. */
export function webNoticesOf(project: string, added: readonly Notice[]): WebNotice[] {
  if (added.length > MOST_AT_ONCE)
    return [{ title: `${project}: ${added.length} new notices`, body: '', tag: `${project} many`, of: null }]
  return added.map((notice) => ({
    title: shown(`${notice.about} ${notice.word}`),
    body: shown(notice.text),
    tag: `${project} ${notice.id}`,
    of: notice,
  }))
}

/** Shown while nobody looks at the page. `open` runs when one is pressed. */
export function showWebNotices(project: string, added: readonly Notice[], open: (of: Notice | null) => void): void {
  if (!webNotices.getState().on || !document.hidden || Notification.permission !== 'granted') return
  for (const { title, body, tag, of } of webNoticesOf(project, added)) {
    try {
      const notice = new Notification(title, { body, tag, icon: '/favicon.svg' })
      notice.addEventListener('click', () => {
        globalThis.focus()
        notice.close()
        open(of)
      })
    } catch {
      return // phones allow them to service workers only; the inbox has them
    }
  }
}
