/*
 * Several tabs of one browser may show the same project. The browser's own locks tell them apart: they are shared by the
 * tabs of this address and end with the tab, however it ends. They are there wherever notifications are.
 */
const TELLS = 'beadloom tells '
const LOOKS = 'beadloom looks at '

/** Whether this tab is the one that tells what happens in a project. Without locks every tab does. */
let isTeller = true

/** Takes part until what is returned is called: one of the tabs tells, and all know whether a person looks at any. */
export function shareNotices(project: string): () => void {
  const { locks } = navigator
  if (locks === undefined) return () => {}
  const left = new AbortController()
  const over = untilAborted(left.signal)
  isTeller = false
  hold(`${TELLS}${project}`, { signal: left.signal }, () => {
    isTeller = true
    return over
  })
  let hidden = new AbortController()
  const look = () => {
    hidden.abort()
    if (document.hidden || left.signal.aborted) return
    hidden = new AbortController()
    const { signal } = hidden
    hold(`${LOOKS}${project}`, { mode: 'shared', signal }, () => untilAborted(signal))
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    left.abort()
    hidden.abort()
    isTeller = false
  }
}

/** Whether a notification is to be shown from here: nobody looks at the project, and no other tab shows it. */
export async function isToTell(project: string): Promise<boolean> {
  if (!document.hidden) return false
  if (navigator.locks === undefined) return true
  const { held = [] } = await navigator.locks.query()
  return isTeller && !held.some(({ name }) => name === `${LOOKS}${project}`)
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

function hold(name: string, options: LockOptions, held: () => Promise<void>): void {
  navigator.locks.request(name, options, held).catch(() => {}) // given up before it was had
}
