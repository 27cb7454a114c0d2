import { expect, test } from 'vitest'
import { matchKeys, pressedKey } from './keys.ts'

const binding = (...keys: string[]) => ({ keys, does: keys.join(), run: () => undefined })
const everywhere = { name: 'Everywhere', depth: 1, bindings: [binding('g b'), binding('?'), binding('Escape')] }
const output = { name: 'Output', depth: 2, bindings: [binding('g g', 'Home'), binding('Escape')] }

test('a sequence is a prefix until its last key', () => {
  expect(matchKeys([everywhere], ['g'])).toBe('prefix')
  expect(matchKeys([everywhere], ['g', 'b'])).toBe(everywhere.bindings[0])
})
test('sequences of different scopes may begin alike', () => {
  expect(matchKeys([everywhere, output], ['g', 'g'])).toBe(output.bindings[0])
  expect(matchKeys([everywhere, output], ['g', 'b'])).toBe(everywhere.bindings[0])
})
test('the innermost scope gets the key', () => {
  expect(matchKeys([everywhere, output], ['Escape'])).toBe(output.bindings[1])
})
test('an unbound key is left to the browser', () => {
  expect(matchKeys([everywhere, output], ['x'])).toBeNull()
})

const pressed = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey')[]) =>
  pressedKey({
    key,
    ctrlKey: held.includes('ctrlKey'),
    metaKey: held.includes('metaKey'),
    altKey: held.includes('altKey'),
  })

test('a sign that a keyboard has only with AltGr or Option is that sign', () => {
  expect(pressed('[')).toBe('[')
  expect(pressed('[', 'altKey')).toBe('[')
  expect(pressed('{', 'ctrlKey', 'altKey')).toBe('{')
})
test('letters, digits and named keys with Alt are left to the browser', () => {
  for (const key of ['d', '1', ' ', 'ArrowLeft', 'Enter']) {
    expect(pressed(key, 'altKey')).toBeNull()
    expect(pressed(key, 'ctrlKey', 'altKey')).toBeNull()
  }
})
test('Ctrl and ⌘ are the same', () => {
  expect(pressed('Enter', 'ctrlKey')).toBe('Mod+Enter')
  expect(pressed('Enter', 'metaKey')).toBe('Mod+Enter')
})
