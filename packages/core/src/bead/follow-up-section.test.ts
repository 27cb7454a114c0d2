import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Execution } from '../records/execution.ts'
import { failureReasons } from '../records/failure/failure-reason.ts'
import { followUpBody, MAX_FOLLOW_UP } from './follow-up.ts'
import { sampleBead } from '../testing/sample-bead.ts'
import { failedStep, filed, sampleEnded } from '../testing/sample-follow-up.ts'

describe('hostile text', () => {
  /** Lines of the Markdown outside of code blocks: the structure that a reader sees. */
  function structure(markdown: string): string[] {
    const outside: string[] = []
    let fence: string | null = null
    for (const line of markdown.split('\n')) {
      const [marks] = /^ {0,3}(`{3,})/.exec(line)?.slice(1) ?? []
      if (fence === null && marks !== undefined) fence = marks
      else if (fence !== null && marks !== undefined && marks.length >= fence.length && /^ *`+\s*$/.test(line))
        fence = null
      else if (fence === null) outside.push(line)
    }
    expect(fence).toBeNull()
    return outside
  }

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(
        fc.constantFrom('`', '```', '~~~', '\n', '\r', '# Task\n', '\u001b[2J', '\u202e', '\u2028', 'a', '````text\n'),
        {
          maxLength: 60,
        },
      )
      .map((parts) => parts.join('')),
    fc.constantFrom(
      '`'.repeat(9000),
      'x'.repeat(20_000),
      '\ud800'.repeat(3000),
      '\n'.repeat(9000),
      '```\n'.repeat(3000),
    ),
  )
  const anything = fc.record({
    title: hostile,
    description: hostile,
    detail: hostile,
    blocked: hostile,
    digest: hostile,
    summary: hostile,
    command: hostile,
    name: hostile,
    files: fc.array(hostile, { maxLength: 60 }),
    tail: fc.array(hostile, { maxLength: 40 }),
    state: fc.constantFrom('FAILED', 'BLOCKED', 'TIMEOUT'),
    reason: fc.constantFrom(...failureReasons),
  })

  type Hostile = typeof anything extends fc.Arbitrary<infer T> ? T : never

  const written = (from: Hostile) => {
    const step = { name: from.name, command: from.command, summary: from.summary, digest: from.digest }
    return filed(
      {
        state: from.state as Execution['state'],
        reason: from.state === 'FAILED' ? from.reason : null,
        detail: from.detail,
        blockedReason: from.blocked,
      },
      {
        bead: sampleBead(`b${'-long1'.repeat(21)}`, { title: from.title, description: from.description }),
        verifications: [1, 2, 3, 4, 5].flatMap((attempt) =>
          [1, 2].flatMap((run) => [1, 2, 3].map((nth) => failedStep(attempt, { ...step, run, step: nth }))),
        ),
        savedRef: `refs/beadloom/${sampleEnded}/attempt-3`,
        fetchSaved: `git fetch /${'f'.repeat(400)} refs/beadloom/${sampleEnded}/attempt-3`,
        otherRefs: ['d', 'e', 'f', 'g'].map((name) => `refs/beadloom/${sampleEnded}/${name.repeat(100)}`),
        kept: ['a', 'b', 'c'].map((name) => name.repeat(100)),
        branchThere: true,
        conflict: { files: from.files, ours: 'a'.repeat(40), theirs: 'b'.repeat(40) },
        tail: from.tail,
      },
    )
  }

  test('never makes a description too long for its newest failure', () => {
    fc.assert(
      fc.property(anything, (from) => {
        const { head, section, body, title } = written(from)
        expect(body.length).toBeLessThanOrEqual(MAX_FOLLOW_UP)
        const heading = section.split('\n', 1)[0]!
        expect(body.startsWith(`${head}\n\n${heading}\n`)).toBe(true)
        if (head.length + section.length + 2 <= MAX_FOLLOW_UP) expect(body).toBe(`${head}\n\n${section}`)
        expect(title.length).toBeLessThanOrEqual(200)
        const many = followUpBody(
          head,
          Array.from({ length: 12 }, () => section),
        )
        expect(many.length).toBeLessThanOrEqual(MAX_FOLLOW_UP)
        expect(many.startsWith(body)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('never leaves its code block, and has no control characters left', () => {
    fc.assert(
      fc.property(anything, (from) => {
        const { body } = written(from)
        const headings = structure(body).filter((line) => line.startsWith('#'))
        expect(headings).toEqual([
          '## The task',
          '## What to do now',
          '## What went wrong',
          '### 2026-03-01 12:12:03 UTC: execution `ex-abc123def4`',
        ])
        expect(structure(body).join('\n')).not.toMatch(/^ {0,3}# Task/m)
        // eslint-disable-next-line no-control-regex
        expect(body).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]/)
        expect(body.isWellFormed()).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})
