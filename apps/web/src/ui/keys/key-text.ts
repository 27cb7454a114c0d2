const names: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '⏎',
  Escape: 'Esc',
  ' ': 'Space',
}

const apple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** A binding's keys as people write them: "g b", "Ctrl K" or "⌘K", "Space". */
export function keyText(keys: string, mac = apple): string {
  if (names[keys] !== undefined) return names[keys]
  return keys
    .split(' ')
    .map((key) => {
      const plain = key.startsWith('Mod+') ? key.slice(4) : null
      if (plain === null) return names[key] ?? key
      const name = names[plain] ?? plain.toUpperCase()
      return mac ? `⌘${name}` : `Ctrl ${name}`
    })
    .join(' ')
}
