import { expect, test } from 'vitest'
import { logLine } from './log-line.ts'
import { HOSTILE, OBEYED } from '../testing/views.ts'

const line = (fields: object) => logLine(JSON.stringify({ level: 40, time: 1, msg: 'Verification failed', ...fields }))

test('the server’s own log is in words for the person at its terminal', () => {
  expect(line({ execution: 'ex-1', attempt: 1 })).toBe('! Verification failed (execution ex-1, attempt 1)\n')
  expect(line({ level: 50, msg: 'it broke', error: { message: 'no disk', stack: 's' } })).toBe('✕ it broke: no disk\n')
})

test('its text cannot control the terminal, and no line is endless', () => {
  const text = line({ [HOSTILE]: HOSTILE, error: { message: HOSTILE.repeat(100) } })
  expect(text).not.toMatch(OBEYED)
  expect(text.length).toBeLessThan(1000)
})
