// Runs before the first paint. The same key is written by src/ui/theme.ts.
try {
  const theme = localStorage.getItem('beadloom.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // No storage (a private window): the system's theme applies.
}

// Chromium breaks off all requests when a network interface comes or goes (ERR_NETWORK_CHANGED), and Docker makes one
// for each container with a network. A page that misses its script or styles would stay blank: it is loaded once more.
addEventListener(
  'error',
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement) && !(target instanceof HTMLLinkElement && target.rel !== 'icon')) return
    if (document.querySelector('#root')?.hasChildNodes()) return
    try {
      const before = Number(sessionStorage.getItem('beadloom.reloaded') ?? 0)
      if (Date.now() - before < 10_000) return // it is not there, and would not be there the next time
      sessionStorage.setItem('beadloom.reloaded', String(Date.now()))
      location.reload()
    } catch {
      // Without storage a reload could go on for ever.
    }
  },
  true,
)
