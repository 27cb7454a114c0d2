import { expect, test } from 'vitest'
import { inert } from './inert-markdown.ts'

test('a command of GitLab is disarmed, however far from the edge it is', () => {
  expect(inert('/merge')).not.toMatch(/^\/merge/)
  expect(inert('a\r\n \t/merge')).not.toMatch(/^\s*\/merge/m)
})

test('a megabyte of empty lines is read in one look', () => {
  const text = '\n'.repeat(1024 * 1024)
  expect(inert(text)).toBe(text)
}, 10_000)
