import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createStore } from 'zustand/vanilla'

/** One row of the key sheet and the key it installs: one object, so that they cannot disagree. */
export type KeyBinding = {
  /**
   * `r`, `?`; `Shift+G` is written `G`; a sequence has spaces: `g b`; names as in KeyboardEvent.key. `Mod+Enter` is
   * Ctrl or ⌘ with Enter, for actions that must not happen by accident. Browsers use all other keys with Mod, except two
   * that we take: `Mod+f` in the log, because its text is not in the page, and `Mod+k` for the palette, as everywhere.
   */
  keys: string[]
  does: string
  run: (event: KeyboardEvent) => void
  /** Works while the person types, too; only for keys with `Mod`, which nobody types. */
  whileTyping?: boolean
}
export type KeyScope = { name: string; depth: number; bindings: readonly KeyBinding[] }

const SEQUENCE_MS = 1000
const OFF = 'beadloom.single-keys'

const storedOff = (): boolean => {
  try {
    return localStorage.getItem(OFF) === 'off'
  } catch {
    return false
  }
}

/** The scopes in effect, outermost first; the last one that has a key gets it. */
export const keyStore = createStore<{ scopes: readonly KeyScope[]; off: boolean }>(() => ({
  scopes: [],
  off: storedOff(),
}))

/** Single-key shortcuts can be switched off (WCAG 2.1.4). */
export function setKeysOff(off: boolean): void {
  keyStore.setState({ off })
  try {
    if (off) localStorage.setItem(OFF, 'off')
    else localStorage.removeItem(OFF)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

let rendered = 0

/**
 * Installs a scope while the component is mounted. The bindings may change with every render. A nested component has
 * the inner scope: parents render before their children, whichever effects run first.
 */
export function useKeys(name: string, bindings: readonly KeyBinding[]): void {
  const [depth] = useState(() => ++rendered)
  const latest = useRef(bindings)
  useLayoutEffect(() => {
    latest.current = bindings
  })
  useEffect(() => {
    const scope: KeyScope = {
      name,
      depth,
      get bindings() {
        return latest.current
      },
    }
    keyStore.setState(({ scopes: others }) => ({ scopes: [...others, scope].toSorted((a, b) => a.depth - b.depth) }))
    return () => keyStore.setState(({ scopes: all }) => ({ scopes: all.filter((one) => one !== scope) }))
  }, [name, depth])
}

export type KeyMatch = Pick<KeyBinding, 'run' | 'whileTyping'> | 'prefix' | null

/** The meaning of the keys typed so far: a binding, the start of one, or nothing. Innermost scope first. */
export function matchKeys(scopes: readonly KeyScope[], typed: readonly string[]): KeyMatch {
  const text = typed.join(' ')
  let prefix = false
  for (const scope of scopes.toReversed()) {
    for (const binding of scope.bindings) {
      if (binding.keys.includes(text)) return binding
      if (binding.keys.some((keys) => keys.startsWith(`${text} `))) prefix = true
    }
  }
  return prefix ? 'prefix' : null
}

/**
 * The name of a pressed key in the table; null: none with Alt is in it. Many keyboards have [ and { only with AltGr, which
 * Windows reports as Ctrl with Alt, or with Option: then the sign counts.
 */
export function pressedKey(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  const { key, altKey } = event
  if (altKey && !/^[^\w\s]$/.test(key)) return null
  return event.metaKey || (event.ctrlKey && !altKey) ? `Mod+${key}` : key
}

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
const ABOVE = 'dialog, [role="menu"]'

/** Whether the key belongs to the focused element: a field to type in, or a layer above the page. */
function busyWith(target: EventTarget | null): 'typing' | 'above' | null {
  if (!(target instanceof Element)) return null
  if (target.closest(ABOVE) !== null) return 'above'
  return target.closest(TYPING) === null ? null : 'typing'
}

/** Installs the page's only key listener; returns a function that removes it. */
export function installKeys(target: Document): () => void {
  let typed: string[] = []
  let lastAt = 0
  const onKey = (event: KeyboardEvent) => {
    const { scopes, off } = keyStore.getState()
    const key = pressedKey(event)
    if (key === null || event.defaultPrevented) return
    const modified = key.startsWith('Mod+')
    if (off && !modified) return
    const busy = busyWith(event.target)
    if (busy === 'above' || (busy === 'typing' && !modified)) return
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    // A focused button, link or box keeps its own Enter and Space; Space does nothing on a link.
    const own = key === 'Enter' ? 'button, a, input' : key === ' ' ? 'button, input, summary' : null
    if (own !== null && event.target instanceof Element && event.target.closest(own)) return
    if (event.timeStamp - lastAt > SEQUENCE_MS) typed = []
    lastAt = event.timeStamp
    const found = matchKeys(scopes, [...typed, key]) ?? matchKeys(scopes, [key])
    if (busy === 'typing' && (found === null || found === 'prefix' || found.whileTyping !== true)) return
    if (found === 'prefix') {
      typed = [...typed, key]
      return
    }
    typed = []
    if (found === null) return
    event.preventDefault()
    found.run(event)
  }
  target.addEventListener('keydown', onKey)
  return () => target.removeEventListener('keydown', onKey)
}
