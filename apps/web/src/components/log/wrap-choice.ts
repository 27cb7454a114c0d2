const KEY = 'beadloom.wrap'

/** Whether long lines are wrapped: one choice for all logs, kept over a reload. */
export function wrapChoice(): boolean {
  try {
    return localStorage.getItem(KEY) === 'on'
  } catch {
    return false
  }
}

export function rememberWrap(on: boolean): void {
  try {
    if (on) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the choice lasts as long as the pane.
  }
}
