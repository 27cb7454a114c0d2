import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { phasesOf } from './phases.ts'
import { follows, startsOf, type SubtaskStatus } from './start-order.ts'
import { anySubtasks, subtaskOf } from './plan-kit.ts'
import { outside, overlap } from './touched-files.ts'

const ids = (subtasks: readonly { id: string }[]) => subtasks.map(({ id }) => id)

describe('in any plan', () => {
  test('every subtask starts once, after all of its dependencies, within the limit, and overlapping ones never run together', () => {
    fc.assert(
      fc.property(
        anySubtasks,
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat(4)),
        (subtasks, limit, chance) => {
          const byId = new Map(subtasks.map((one) => [one.id, one]))
          const done = new Set<string>()
          for (const phase of phasesOf(subtasks)) {
            const own = phase.map((id) => byId.get(id)!)
            const statuses = new Map<string, SubtaskStatus>()
            while (own.some(({ id }) => statuses.get(id) !== 'completed')) {
              for (const one of startsOf(own, statuses, limit)) {
                expect(statuses.has(one.id)).toBe(false)
                expect(one.dependsOn.every((id) => done.has(id))).toBe(true)
                expect(follows(one, own).every(({ id }) => statuses.get(id) === 'completed')).toBe(true)
                statuses.set(one.id, 'running')
              }
              const running = own.filter(({ id }) => statuses.get(id) === 'running')
              expect(running.length).toBeGreaterThan(0) // otherwise nothing would ever end
              expect(running.length).toBeLessThanOrEqual(limit)
              for (const [at, one] of running.entries())
                for (const other of running.slice(at + 1)) expect(overlap(one, other)).toBe(false)
              statuses.set(running[chance.next().value! % running.length]!.id, 'completed')
            }
            for (const { id } of own) done.add(id)
          }
          expect(done.size).toBe(subtasks.length)
        },
      ),
    )
  })
})

describe('in a phase', () => {
  const [a, b, c] = [subtaskOf('a'), subtaskOf('b'), subtaskOf('c', { filesTouched: ['src/a.ts'] })]

  test('subtasks that touch other files start together, as many as there is room for', () => {
    expect(ids(startsOf([a, b, c], new Map(), 3))).toEqual(['a', 'b'])
    expect(ids(startsOf([a, b, c], new Map(), 1))).toEqual(['a'])
    expect(startsOf([a, b, c], new Map([['a', 'running']]), 1)).toEqual([])
  })

  test('a subtask that touches the file of an earlier one waits for it, and follows its result', () => {
    expect(
      ids(
        startsOf(
          [a, b, c],
          new Map([
            ['a', 'completed'],
            ['b', 'running'],
          ]),
          3,
        ),
      ),
    ).toEqual(['c'])
    expect(follows(c, [a, b, c])).toEqual([a])
    expect(follows(b, [a, b, c])).toEqual([])
  })

  test('nothing starts once one has failed', () => {
    expect(startsOf([a, b, c], new Map([['a', 'failed']]), 3)).toEqual([])
  })
})

test.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', './src/a.ts', true],
  ['src/a.ts', 'src/a.tsx', false],
  ['src/', 'src/a.ts', true],
  ['src', 'src/a.ts', true],
  ['src/', 'src', true],
  ['src/', 'srcs/a.ts', false],
  ['src/**/*.test.ts', 'src/a.ts', true],
  ['src/**', 'docs/a.md', false],
  ['*.md', 'src/a.ts', true],
  ['src/{a,b}.ts', 'src/b.ts', true],
  ['src/user?.ts', 'src/users.ts', true],
  ['app/[id]/page.tsx', 'app/about.tsx', false],
  ['.', 'src/a.ts', true],
])('"%s" and "%s" may be the same file: %s', (one, other, same) => {
  expect(overlap({ filesTouched: [one] }, { filesTouched: [other] })).toBe(same)
  expect(overlap({ filesTouched: [other] }, { filesTouched: [one] })).toBe(same)
})

test('a touched file that a subtask did not announce is reported', () => {
  const subtask = subtaskOf('a', { filesTouched: ['src/user/', 'README.md'] })
  expect(outside(['src/user/model.ts', 'README.md', 'src/users.ts', 'package.json'], subtask)).toEqual([
    'src/users.ts',
    'package.json',
  ])
})
