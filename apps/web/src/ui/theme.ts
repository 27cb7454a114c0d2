/** The same key is read by public/theme.js before the first paint. */
const KEY = 'beadloom.theme'

export type Theme = 'system' | 'light' | 'dark'
const order: Theme[] = ['system', 'light', 'dark']

export function currentTheme(): Theme {
  const stored = document.documentElement.dataset['theme']
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

export function nextTheme(): Theme {
  const next = order[(order.indexOf(currentTheme()) + 1) % order.length] ?? 'system'
  setTheme(next)
  return next
}
