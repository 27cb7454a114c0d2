import { expect, test } from 'vitest'
import { keyText } from './key-text.ts'

test('keys have their familiar names, with the command key where there is one', () => {
  expect(['g b', 'Mod+k', 'Mod+Enter', ' ', '[ [', 'Escape'].map((keys) => keyText(keys, false))).toEqual([
    'g b',
    'Ctrl K',
    'Ctrl ⏎',
    'Space',
    '[ [',
    'Esc',
  ])
  expect(keyText('Mod+k', true)).toBe('⌘K')
})
