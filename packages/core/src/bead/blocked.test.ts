import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findBlocked, MAX_REASON_LENGTH } from './blocked.ts'
import { buildExecutionPrompt } from '../execution/prompt.ts'

describe('BLOCKED: in the agent’s own text', () => {
  test('is found at the start of a line and gives its reason', () => {
    expect(findBlocked(['I looked around.\nBLOCKED: no access to the schema\n'])).toBe('no access to the schema')
  })

  test.each(['I am BLOCKED: no', ' BLOCKED: indented', 'Blocked: lower case', '"BLOCKED: quoted"', 'BLOCKED', ''])(
    'is not found in %j',
    (text) => {
      expect(findBlocked([text])).toBeNull()
    },
  )

  test('lets the last match win, within a message and over several', () => {
    expect(findBlocked(['BLOCKED: one\nBLOCKED: two', 'done'])).toBe('two')
    expect(findBlocked(['BLOCKED: one', 'BLOCKED: two', 'and nothing more'])).toBe('two')
  })

  test.each(['BLOCKED: [reason]', 'BLOCKED: [reason]"', 'BLOCKED: "[reason]"', 'BLOCKED:[REASON]'])(
    'ignores the placeholder %j, and an earlier real reason still counts',
    (line) => {
      expect(findBlocked([line])).toBeNull()
      expect(findBlocked(['BLOCKED: real', line])).toBe('real')
    },
  )

  test('is not found in the echoed prompt', () => {
    const prompt = buildExecutionPrompt({
      bead: { id: 'bd-1', title: 'T', description: 'D' },
      projectName: 'P',
      techStack: ['Go'],
      testCommand: 'go test ./...',
      timeoutMs: 21_600_000,
      userContext: '',
    })
    expect(findBlocked([prompt])).toBeNull()
  })

  test('says so when the reason is empty', () => {
    expect(findBlocked(['BLOCKED:   '])).toBe('the agent gave no reason; read the end of its log')
  })

  test('splits at every kind of line ending and drops control characters', () => {
    expect(findBlocked(['a\r\nBLOCKED: x\u001b[31my\u0007\rb'])).toBe('x [31my')
  })

  test('cuts a long reason, in bounded time', () => {
    const reason = findBlocked([`BLOCKED: ${'x'.repeat(1_000_000)}`])
    expect(reason).toHaveLength(MAX_REASON_LENGTH)
    expect(reason?.endsWith('x…')).toBe(true)
  })

  test('gives bounded, printable text for whatever follows', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
        const reason = findBlocked([`BLOCKED: ${text}`])
        if (reason === null) return
        expect(reason.length).toBeLessThanOrEqual(MAX_REASON_LENGTH)
        expect(reason).not.toMatch(/\p{Cc}/u)
        expect(reason).not.toBe('')
      }),
    )
  })
})
