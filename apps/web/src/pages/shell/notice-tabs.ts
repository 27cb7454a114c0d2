/*
 * Several tabs of one browser may show the same project. The browser's own locks tell them apart: all tabs of this
 * address share them, and they end with the tab, however it ends. They exist wherever notifications do.
 */
const TELLS = 'beadloom tells '
const LOOKS = 'beadloom looks at '

/** Whether this tab shows the project's notifications. Without locks every tab does. */
let isTeller = true

/**
 * Joins the tabs of a project until the returned function is called. One of them shows notifications, and all of them
 * know whether a person looks at any.
 */
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

/** Whether this tab should show a notification: nobody looks at the project, and no other tab shows it. */
export async function isToTell(project: string): Promise<boolean> {
  if (!document.hidden) return false
  if (navigator.locks === undefined) return true
  const { held = [] } = await navigator.locks.query()
  return isTeller && !held.some(({ name }) => name === `${LOOKS}${project}`)
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

function hold(name: string, options: LockOptions, held: () => Promise<void>): void {
  navigator.locks.request(name, options, held).catch(() => {}) // cancelled before it was granted
}
