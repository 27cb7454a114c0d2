import { describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { checkLine, logLine, sessionEnd, sessionHead } from './attach-lines.ts'
import { paintOf } from '../terminal/paint.ts'
import { plainText, textWidth } from '../terminal/terminal-text.ts'
import { sampleSession as session, sampleStep as verification } from '@beadloom/core/testing/sample-views.ts'
import { HOSTILE, OBEYED } from '../testing/views.ts'

const plain = paintOf(false)
const none = { sessions: [], verifications: [] }
const shown = (line: string): string => logLine(line, plain, false)

describe('a line of a log', () => {
  test('of a section has its glyph and its duration', () => {
    expect(shown('§ test')).toBe('▸ test')
    expect(shown('§ test: exit 0, 20.4 s')).toBe('✓ test, 20.4 s')
    expect(shown('§ test: exit 1, 900 ms')).toBe('✕ test, exit 1, 900 ms')
    expect(shown('§ agent: ended, 1.0 s')).toBe('▸ agent ended, 1.0 s')
    expect(shown('§ agent: no exit code, 1.0 s')).toBe('▸ agent ended, 1.0 s')
    expect(shown('§ note: exit well')).toBe('▸ note: exit well')
  })

  test('is otherwise unchanged', () => {
    for (const line of ['› words', '⚙ bash({"command":"ls"})', '✓ bash, 1.8 s', '  2 passed', '# a note', 'output', ''])
      expect(shown(line)).toBe(line)
  })

  test('keeps colours of its own for a terminal only, and they end with it', () => {
    const red = 'a \u001b[31mred\u001b[0m and \u001b[32mgreen'
    expect(shown(red)).toBe('a red and green')
    expect(logLine(red, paintOf(true), true)).toBe(`${red}\u001b[0m`)
  })

  test('cannot control a terminal', () => {
    for (const mark of ['§ ', '› ', '⚙ ', '$ ', '! ', '= ', '✗ ', '']) {
      const line = `${mark}${HOSTILE.replace(/[\n\r]/g, '')}`
      expect(shown(line)).not.toMatch(OBEYED)
      expect(plainText(logLine(line, paintOf(true), true))).toBe(shown(line))
    }
  })
})

test('headings and results fit the window', () => {
  for (let columns = 20; columns <= 200; columns += 4) {
    const lines = [
      sessionHead(session(), { maxAttempts: 3, kind: 'work', ...none }, columns, plain),
      sessionEnd(session({ outcome: 'failed', exitCode: 3, detail: HOSTILE }), none, columns, plain),
      checkLine(verification({ passed: false, name: HOSTILE, summary: HOSTILE }), columns, plain),
    ]
    for (const line of lines) {
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
      expect(line).not.toMatch(OBEYED)
    }
  }
})

test('a session says what it is, how it ended, and how long it took', () => {
  expect(sessionHead(session({ attempt: 2 }), { maxAttempts: 3, kind: 'work', ...none }, 60, plain)).toMatch(
    /^━━ attempt 2 of 3, agent ━+ \d\d:\d\d:\d\d ━━$/,
  )
  const inPhases = [{ id: session().id, phase: 2, role: 'subtask' as const, subtask: '2a', phaseAttempt: 2 }]
  expect(sessionHead(session(), { maxAttempts: 9, kind: 'work', ...none, inPhases }, 80, plain)).toContain(
    '━━ Phase 2, again · 2a, agent ━',
  )
  expect(sessionHead(session(), { maxAttempts: 1, kind: 'review', ...none }, 60, plain)).toContain('━━ review, agent ━')
  expect(sessionEnd(session(), none, 80, plain)).toBe('✓ agent, 1 m 30 s')
  expect(sessionEnd(session({ outcome: 'turn_limit', exitCode: 2, detail: 'too long' }), none, 80, plain)).toBe(
    '✕ agent: turn_limit, exit 2, 1 m 30 s: too long',
  )
  expect(checkLine(verification({ run: 2, purpose: 'merge' }), 80, plain)).toBe(
    '✓ attempt 1, merge check, re-check, test: 12 tests passed, 12.3 s',
  )
})

test('checks that repeat a failed one on the same commit say so', () => {
  const [first, second] = [1, 2].map((number) =>
    session({
      id: `ex-0000000001.${number}` as ReturnType<typeof session>['id'],
      number,
      kind: 'verify',
      outcome: null,
    }),
  )
  const known = { sessions: [first!, second!], verifications: [verification({ session: first!.id, passed: false })] }
  const head = (one: typeof first) => sessionHead(one!, { maxAttempts: 3, kind: 'work', ...known }, 120, plain)
  expect(head(first)).toMatch(/attempt 1 of 3, checks ━/)
  expect(head(second)).toMatch(/attempt 1 of 3, checks, flakiness re-check ━/)
})

test('checks of a phase are a failure if the phase says so, whatever their commands returned', () => {
  const own = session({ kind: 'verify', outcome: 'failed', exitCode: 1, detail: 'exit code 1' })
  const inPhases: ExecutionView['inPhases'] = [{ id: own.id, role: 'check', subtask: '', phase: 1, phaseAttempt: 1 }]
  const end = (...passed: boolean[]) => {
    const verifications = passed.map((one) => verification({ session: own.id, passed: one }))
    return sessionEnd(own, { sessions: [own], verifications, inPhases }, 100, plain)
  }
  expect(end()).toBe('· checks: ended')
  expect(end(true, true)).toBe('✓ checks, 1 m 30 s')
  expect(end(true, false)).toBe('✕ checks: failed, exit 1, 1 m 30 s: exit code 1')
})

test('new tests run without the change get no failure mark, and a judge gets no check mark', () => {
  const own = session({ kind: 'verify', outcome: 'failed', exitCode: 1, detail: 'exit code 1' })
  const known = { ...none, redGreen: { session: own.id } as ExecutionView['redGreen'] }
  expect(sessionEnd(own, known, 100, plain)).toBe('· checks, of the new tests without the change: ended')
  const opinion = { model: 'm', answer: 'yes', required: true } as const
  expect(checkLine(verification({ opinion, exitCode: null, name: 'scope' }), 100, plain)).toMatch(/^~ attempt 1, scope/)
})
