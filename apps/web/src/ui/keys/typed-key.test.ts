import type { KeyboardEvent } from 'react'
import { expect, test } from 'vitest'
import { typedKey } from './typed-key.ts'

const press = (key: string, nativeEvent: { isComposing: boolean; keyCode: number }): string =>
  typedKey({ key, nativeEvent } as KeyboardEvent)

test('a key that is pressed while an input method composes belongs to that', () => {
  expect(press('Enter', { isComposing: true, keyCode: 229 })).toBe('')
  expect(press('Escape', { isComposing: true, keyCode: 27 })).toBe('')
})

test('the Enter that ended a composition in Safari belongs to it too; the next one counts', () => {
  expect(press('Enter', { isComposing: false, keyCode: 229 })).toBe('')
  expect(press('Enter', { isComposing: false, keyCode: 13 })).toBe('Enter')
})
