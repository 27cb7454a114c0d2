import { expect, test } from 'vitest'
import { segment } from './api-client.ts'
import { CliError, exitCode } from './exit-code.ts'

const pathWith = (name: string): string =>
  new URL(`/api/projects/library/secrets/${segment(name)}`, 'http://127.0.0.1').pathname

test('a name is one segment of a path, whatever is in it', () => {
  expect(pathWith('a/../b')).toBe('/api/projects/library/secrets/a%2F..%2Fb')
  expect(pathWith('..a')).toBe('/api/projects/library/secrets/..a')
})

test.each(['', '.', '..'])('the name %j, which would make it another path, is a usage error', (name) => {
  expect(() => pathWith(name)).toThrow(CliError)
  expect(() => pathWith(name)).toThrow(expect.objectContaining({ exit: exitCode.usage }))
})
