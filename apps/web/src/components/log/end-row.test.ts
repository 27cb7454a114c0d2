import { expect, test } from 'vitest'
import { endRowText } from './end-row.ts'

const running = { state: 'running', startedAt: 1000, endedAt: null, exitCode: null } as const
const ended = { state: 'ended', startedAt: 1000, endedAt: 193_000, exitCode: 1 } as const
const log = { complete: false, lines: 12, exit: null, silentMs: 0 }

test('a complete log says how it ended, how long it took and how long it is', () => {
  expect(endRowText({ ...log, session: ended, complete: true, lines: 104_233 })).toBe(
    '■ ended · exit 1 · 3 min 12 s · 104,233 lines · complete ✓',
  )
  expect(endRowText({ ...log, session: ended, lines: 104_233 })).toBeNull()
  expect(endRowText({ ...log, session: running, complete: true, lines: 1, exit: 0 })).toBe(
    '■ ended · exit 0 · 1 line · complete ✓',
  )
})

test('after a minute without output a log says that its process is alive', () => {
  expect(endRowText({ ...log, session: running, silentMs: 59_000 })).toBeNull()
  expect(endRowText({ ...log, session: running, silentMs: 80_400 })).toBe(
    '… no output for 1 min 20 s; the process is still running',
  )
  expect(endRowText({ ...log, session: running, silentMs: 80_000, lines: 0 })).toBeNull() // the notice above it says so
})
