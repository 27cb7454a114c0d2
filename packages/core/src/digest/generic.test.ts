import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capDigest, DIGEST_LIMIT } from './cap.ts'
import { genericDigest as digestOf } from './digest-reader.ts'

const MARKER = '\n...(truncated, showing first 2000 chars)'
const noise = (count: number) => Array.from({ length: count }, (_, at) => `progress ${at}`)

describe('the digest of a failed command', () => {
  test('shows the cause first, though it is far above the end, and then the end', () => {
    const output = [
      ...noise(300),
      'src/sum.test.ts:12',
      'AssertionError: expected 3 to be 4',
      '  at sum (src/sum.ts:3:5)',
      ...noise(300),
      'Tests: 1 failed, 41 passed',
    ].join('\n')
    const digest = digestOf(output)
    expect(digest).toMatch(/^src\/sum\.test\.ts:12\nAssertionError: expected 3 to be 4\n {2}at sum/)
    expect(digest).toMatch(/End of the output:\n(?:.*\n)*Tests: 1 failed, 41 passed$/)
  })

  test('is the end alone when no line names a cause', () => {
    const digest = digestOf(noise(100).join('\n'))
    expect(digest.split('\n')).toHaveLength(30)
    expect(digest.endsWith('progress 99')).toBe(true)
  })

  test('counts neither passed tests nor "0 errors" as a cause', () => {
    const output = ['✓ reports an error', 'ok 3 - fails when asked to fail', '0 errors, 0 failures', ...noise(40)]
    expect(digestOf(output.join('\n'))).not.toContain('error')
  })

  test('finds a cause in a line that also counts nothing', () => {
    expect(digestOf(['2 failed, 0 errors', ...noise(40)].join('\n'))).toContain('2 failed, 0 errors')
  })

  test('joins neighbouring causes and separates others', () => {
    const output = ['error: one', 'error: two', ...noise(20), 'error: three', ...noise(40)].join('\n')
    expect(digestOf(output).match(/^…$/gm)).toHaveLength(1)
  })

  test('shows the last state of a redrawn line', () => {
    expect(digestOf('10%\r50%\r100% error: disk full\r\n')).toBe('100% error: disk full')
  })

  test('drops colours, titles and control characters', () => {
    expect(digestOf('\u001b[31;1mError:\u001b[0m \u001b]0;title\u0007no\u0000 file\u0008')).toBe('Error: no file')
  })

  test('keeps the summary at the end however long the causes are', () => {
    const output = [...noise(3).map((line) => `error: ${line} ${'x'.repeat(390)}`), ...noise(40), 'Tests: 3 failed']
    const digest = digestOf(output.join('\n'))
    expect(digest).toContain('Tests: 3 failed')
    expect(digest.length).toBeLessThanOrEqual(DIGEST_LIMIT)
  })

  test('is cut at 2000 characters, and says so', () => {
    const digest = digestOf(Array.from({ length: 30 }, (_, at) => `${at} ${'y'.repeat(300)}`).join('\n'))
    expect(digest).toHaveLength(DIGEST_LIMIT + MARKER.length)
    expect(digest.endsWith(MARKER)).toBe(true)
    expect(capDigest('short')).toBe('short')
  })

  test('says so if there was nothing', () => {
    expect(digestOf('\n\u001b[0m \n')).toBe('the command failed without any output')
  })

  test.each([
    ['one line of a megabyte', 'e'.repeat(1_000_000)],
    ['a megabyte of open escape sequences', '\u001b]'.repeat(500_000)],
    ['64 KiB of causes', 'error: x\n'.repeat(7300)],
    ['a megabyte of newlines', '\n'.repeat(1_000_000)],
    ['a megabyte of spaces', `${' '.repeat(1_000_000)}x`],
  ])('comes to an end on %s', (_, output) => {
    expect(digestOf(output).length).toBeLessThanOrEqual(DIGEST_LIMIT + MARKER.length)
  })

  test('is bounded, well-formed and repeatable for any bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 8000 }), fc.integer({ min: 10, max: 3000 }), (text, limit) => {
        const digest = digestOf(text, limit)
        expect(digest.isWellFormed()).toBe(true)
        expect(digest.length).toBeLessThanOrEqual(Math.max(limit + MARKER.length, 60))
        expect(digestOf(text, limit)).toBe(digest)
      }),
    )
  })
})
