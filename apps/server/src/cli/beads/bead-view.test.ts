import { expect, test } from 'vitest'
import { beadPage } from './bead-view.ts'
import { paintOf } from '../terminal/paint.ts'
import { plainText, textWidth } from '../terminal/terminal-text.ts'
import { sampleStep as verification } from '@beadloom/core/testing/sample-views.ts'
import { bead, execution, HOSTILE, OBEYED } from '../testing/views.ts'

const options = { columns: 80, paint: paintOf(false), now: 60_000 }

const full = bead({
  title: `${HOSTILE} ${'long '.repeat(40)}`,
  status: 'blocked',
  trackerStatus: 'hooked',
  labels: [HOSTILE, 'ci'],
  reason: { code: 'needs_human', text: `answer it ${HOSTILE} ${'word '.repeat(30)}` },
  description: `# Why\n\n${'A sentence of words. '.repeat(20)}\n\n    indented code ${'x'.repeat(150)}\n${HOSTILE}`,
  dependencies: [{ id: 'bl-2', type: 'blocks', status: 'missing', title: null }],
  dependents: Array.from({ length: 60 }, (_, at) => ({
    id: `bl-${at}`,
    type: HOSTILE,
    status: 'open' as const,
    title: HOSTILE,
  })),
  executions: [
    execution({
      state: 'FAILED',
      endedAt: 1,
      detail: `it failed ${HOSTILE}`,
      commit: 'c'.repeat(40),
      verifications: [verification({ passed: false, summary: HOSTILE })],
      followUps: [{ bead: 'bl-9', kind: 'blocked', title: HOSTILE, status: 'open' }],
    }),
  ],
  execution: 'ex-0000000001',
})

test('everything about a bead fits the window, and none of its text controls the terminal', () => {
  for (let columns = 40; columns <= 200; columns += 8) {
    const text = beadPage(full, { ...options, columns })
    expect(text).not.toMatch(OBEYED)
    for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(columns)
  }
  expect(beadPage(full, { ...options, columns: Infinity })).not.toMatch(OBEYED)
})

test('it has the reason, the dependencies both ways, the executions with their checks, and the next step', () => {
  const text = beadPage(
    bead({
      reason: { code: 'waits_for_bead', text: 'waits for bl-2' },
      labels: ['ci'],
      description: 'First.\n\n- second',
      dependencies: [{ id: 'bl-2', type: 'blocks', status: 'open', title: 'Before' }],
      dependents: [{ id: 'bl-3', type: 'parent-child', status: 'done', title: 'After' }],
      executions: [
        execution({
          state: 'FAILED',
          endedAt: 60_000,
          detail: 'Tests failed.\n[TEST] 1 failed\n  at a.test.ts:3',
          verifications: [verification()],
        }),
      ],
      execution: 'ex-0000000001',
    }),
    options,
  )
  expect(text.split('\n')).toEqual([
    'bl-1  Sort the list by name',
    'open · P1 · feature · #ci',
    expect.stringMatching(/^project library, created \d{4}-\d\d-\d\d \d\d:\d\d, updated /),
    '',
    '↳ waits for bl-2',
    '',
    'Description',
    '  First.',
    '',
    '  - second',
    '',
    'Depends on',
    '  bl-2  open  blocks  Before',
    '',
    'Needed by',
    '  bl-3  done  parent-child  After',
    '',
    'Executions',
    expect.stringMatching(/^ {2}✕ ex-0000000001 FAILED · attempt 1 of 3 · 1 m 0 s · \d{4}-/),
    '    Tests failed.',
    '    [TEST] 1 failed',
    '      at a.test.ts:3',
    '    running npm test',
    '    branch beads-bl-1-sort',
    '    ✓ attempt 1, test: 12 tests passed',
    '',
    'Run it: beadloom run bl-1 --wait',
  ])
})

test('colours change nothing but colours', () => {
  expect(plainText(beadPage(full, { ...options, paint: paintOf(true) }))).toBe(beadPage(full, options))
})

test('a bead whose follow-up is done can be closed, or run again; one that is still open comes first', () => {
  const after = (...statuses: ('open' | 'done')[]) =>
    beadPage(
      bead({
        status: 'in_progress',
        execution: 'ex-0000000001',
        executions: [
          execution({
            state: 'FAILED',
            endedAt: 1,
            followUps: statuses.map((status, at) => ({
              bead: `bl-${at + 8}`,
              kind: 'tests_failing',
              title: 'T',
              status,
            })),
          }),
        ],
      }),
      { ...options, columns: Infinity },
    )
  const closes =
    'Its follow-up bl-8 is done. If nothing is left to do: beadloom beads close bl-1. Otherwise: beadloom run bl-1 --wait'
  expect(after('done')).toContain(closes)
  expect(after('done', 'open')).not.toContain('is done')
  expect(after()).toContain('Run it: beadloom run bl-1 --wait')
})

test('a question is answered with a note, at the bead that asks it', () => {
  const page = (over: Parameters<typeof bead>[0]) => beadPage(bead(over), options)
  const asked = { execution: 'ex-0000000001', executions: [execution({ state: 'BLOCKED', endedAt: 1 })] }
  expect(page({ status: 'blocked', ...asked })).toMatch(/^Answer its question: beadloom run bl-1 --note "…" --wait$/m)
  const reason = { code: 'needs_human' as const, text: 'waiting for your answer on bl-0', beads: ['bl-0'] }
  const of = (status: 'blocked' | 'open' | 'done') => ({
    reason,
    dependencies: [{ id: 'bl-0', type: 'discovered-from', status, title: 'Asked' }],
  })
  expect(page(of('blocked'))).toMatch(/^Answer it there: beadloom run bl-0 --note "…" --wait$/m)
  expect(page(of('open'))).toMatch(/^Run that one: beadloom run bl-0 --wait$/m)
  expect(page(of('done'))).toMatch(/^Close it: beadloom beads close bl-1$/m)
})

test('an execution that works by a plan shows its phase, not the number of its trees as an attempt', () => {
  const progress = { phase: 3, of: 3, status: 'completed', activity: null, attempt: 1, done: 1, subtasks: 1 } as const
  const page = beadPage(bead({ executions: [execution({ attempt: 5, progress })] }), options)
  expect(page).toContain('ex-0000000001 RUNNING · phase 3 of 3 · 1 m 0 s')
})

test('a failed bead is called failed where another one names it', () => {
  const dependents = [{ id: 'bl-2', type: 'blocks', status: 'in_progress' as const, failed: true as const, title: 'T' }]
  expect(beadPage(bead({ dependents }), options)).toMatch(/bl-2 +failed +blocks/)
})

test('work that was refused for its weaker tests can be allowed', () => {
  const refused = verification({ passed: false, name: 'tests kept', tool: 'beadloom', findings: ['a test is gone'] })
  const executions = [execution({ state: 'FAILED', endedAt: 1, verifications: [refused] })]
  const page = beadPage(bead({ status: 'in_progress', execution: 'ex-0000000001', executions }), {
    ...options,
    columns: Infinity,
  })
  expect(page).toContain(
    'If the tests may be weaker: beadloom allow bl-1 --why "…". Otherwise: beadloom run bl-1 --wait',
  )
})
