import { expect, test } from 'vitest'
import type { LogLine } from './log-lines.ts'
import { readSteps } from './read-steps.ts'
import type { Step } from './step.ts'

const linesOf = (text: string, from = 0): LogLine[] =>
  text.split('\n').map((line, at) => ({ n: from + at, text: line }))
const brief = (steps: Step[]) => steps.map(({ is, first, last }) => [is, first, last])

const SESSION = `§ checkout
HEAD is now at 1234
§ checkout: exit 0, 0.3 s
· step 1 of 100
› I look at **the test**.
› 
› It fails.
⚙ bash({"command":"npm test"})
⚙ read_file({"path":"a.js"})
✗ bash, 1.8 s
  1 failed
  [exit code 1]
✓ read_file, 3 ms
  text
! the model did not answer in time; trying again
! the context is 91% full: the agent continues in a fresh one with this handover
  What I know.
· [REACT] Attempt 2/4 for task
⑂ code-review-agent#1 § Look at it
⑂ code-review-agent#1 › Fine.
⑂ code-review-agent#1 ⚙ bash({"command":"ls"})
⑂ code-review-agent#1 ✓ bash, 2 ms
⑂ code-review-agent#1   a.js
⑂ code-review-agent#1 = done
# a note
= succeeded
= All is well.`

test('a session is read as words, calls with their results, marks, threads and sections, each with its lines', () => {
  const steps = readSteps(linesOf(SESSION))
  expect(brief(steps)).toEqual([
    ['section', 0, 2],
    ['mark', 3, 3],
    ['said', 4, 6],
    ['call', 7, 11],
    ['call', 8, 13],
    ['mark', 14, 14],
    ['mark', 15, 16],
    ['mark', 17, 17],
    ['thread', 18, 23],
    ['mark', 24, 24],
    ['end', 25, 26],
  ])
  expect(steps[0]).toMatchObject({ title: 'checkout', end: { exit: 0, took: '0.3 s' }, body: { lines: 1 } })
  expect(steps[2]).toMatchObject({ text: 'I look at **the test**.\n\nIt fails.' })
  expect(steps[3]).toMatchObject({ tool: 'bash', result: { ok: false, took: '1.8 s', body: { first: 10, lines: 2 } } })
  expect(steps[5]).toMatchObject({ of: 'retry' })
  expect(steps[6]).toMatchObject({ of: 'handover', body: { first: 16, tail: ['What I know.'] } })
  expect(steps[7]).toMatchObject({ of: 'fresh' })
  expect(steps[8]).toMatchObject({ agent: 'code-review-agent', sub: 1, task: 'Look at it', end: 'done' })
  expect((steps[8] as { steps: Step[] }).steps.map(({ is }) => is)).toEqual(['said', 'call'])
})

test('a section in which the agent speaks has borders and does not hide the words', () => {
  const steps = readSteps(linesOf('§ agent\n$ pi -p\n› Hello.\n§ agent: exit 0, 9.0 s'))
  expect(brief(steps)).toEqual([
    ['border', 0, 1],
    ['said', 2, 2],
    ['border', 3, 3],
  ])
  expect(steps[0]).toMatchObject({ title: 'agent', command: 'pi -p', end: null })
})

test("a test's output inside a section is output, whatever it looks like", () => {
  const steps = readSteps(linesOf('§ test\n$ npm test\n# Subtest: a\n✓ b, 3 ms\n= c\n§ test: exit 1, 1.0 s'))
  expect(steps).toMatchObject([{ is: 'section', title: 'test', end: { exit: 1 }, body: { first: 2, lines: 3 } }])
})

test('reading may begin in the middle of anything, and missing parts are a gap', () => {
  const lines = linesOf('  the rest of a result\n✓ bash, 2 ms\n  out', 512)
  expect(brief(readSteps(lines))).toEqual([
    ['output', 512, 512],
    ['result', 513, 514],
  ])
  expect(
    brief(
      readSteps([
        { n: 0, text: '› a' },
        { n: 1, text: null },
        { n: 2, text: null },
        { n: 3, text: 'x' },
      ]),
    ),
  ).toEqual([
    ['said', 0, 0],
    ['gap', 1, 2],
    ['output', 3, 3],
  ])
})

test('a warning of several lines is one mark, and ends where another kind begins', () => {
  const text = '! one\n! two\n! pi shortened its context (overflow): about 9 tokens became 4\n# note\n# more'
  expect(readSteps(linesOf(text))).toMatchObject([
    { of: 'warning', text: 'one\ntwo' },
    { of: 'compaction', last: 2 },
    { of: 'note', text: 'note\nmore' },
  ])
})

test('every line of a log is in a step, wherever reading begins and ends', () => {
  const all = linesOf(SESSION)
  for (let from = 0; from < all.length; from++)
    for (let to = from + 1; to <= all.length; to++) {
      const covered = new Set<number>()
      for (const { first, last } of readSteps(all.slice(from, to))) for (let n = first; n <= last; n++) covered.add(n)
      for (let n = from; n < to; n++) expect(covered.has(n), `line ${n} of ${from} to ${to}`).toBe(true)
    }
})

test('more lines change only the last step and the calls that wait', () => {
  const all = linesOf(SESSION)
  const whole = readSteps(all)
  for (let to = 1; to < all.length; to++)
    for (const step of readSteps(all.slice(0, to)).slice(0, -1)) {
      if (step.is === 'call' && step.last >= to - 1) continue
      if (step.is === 'call' && step.result === null) continue
      expect(whole).toContainEqual(step)
    }
})

test('a line of 50 MB is a line, and only its beginning is looked at', () => {
  const huge = 'x'.repeat(50_000_000)
  const steps = readSteps([
    { n: 0, text: `› ${huge}` },
    { n: 1, text: `⚙ bash(${huge})` },
    { n: 2, text: huge },
  ])
  expect(steps).toMatchObject([
    { is: 'said', cut: 49_970_000 },
    { is: 'output', body: { lines: 2, characters: 100_000_008 } },
  ])
  expect(JSON.stringify(steps).length).toBeLessThan(40_000)
})

test('lines that only look like others do no harm', () => {
  const hostile = [
    '⑂ ',
    '⑂ #1 x',
    '⑂ a#1 ⑂ b#2 ⑂ c#3 ⑂ d#4 › deep',
    '⚙ ',
    '⚙ x',
    '✓ ',
    '§ ',
    '§ : exit 0, 1 ms',
    '= ',
    '! ',
    '· ',
    '› ',
    '› <img src=x onerror=alert(1)>',
    '\u001b]8;;javascript:alert(1)\u0007x',
    '⚙ __proto__({"__proto__":{"a":1}})',
    '✓ __proto__, 1 ms',
  ]
  const steps = readSteps(hostile.map((text, n) => ({ n, text })))
  expect(steps.length).toBeGreaterThan(0)
  expect(({} as Record<string, unknown>)['a']).toBeUndefined()
})
