import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

test('a bug is logged with its place; a problem that a person can solve is a sentence', () => {
  const lines: string[] = []
  const log = createLogger('warn', (json) => (lines.push(json), ''))
  log.error({ error: new TypeError('x is not a function') }, 'it failed')
  log.error({ error: Object.assign(new Error('the disk is full'), { kind: 'no-space' }) }, 'it failed')
  log.error(
    { error: Object.assign(new Error('ENOENT: no such file'), { syscall: 'open', code: 'ENOENT' }) },
    'it failed',
  )
  expect(lines.map((line) => /"stack":/.test(line))).toEqual([true, false, false])
  expect(lines[2]).toContain('ENOENT: no such file')
})
