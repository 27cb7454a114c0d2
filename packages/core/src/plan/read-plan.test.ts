import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPhased, planBounds } from '../records/plan.ts'
import { readPlan, readPlanText } from './read-plan.ts'
import { anySubtasks, nineSubtasks, planOf, subtaskOf } from './plan-kit.ts'

const problemsOf = (value: unknown): string[] => {
  const read = readPlan(value)
  return 'problems' in read ? read.problems : []
}

describe('a plan', () => {
  test('is accepted as it is', () => {
    const plan = planOf(nineSubtasks)
    expect(readPlan(plan)).toEqual({ plan })
    expect(readPlanText(JSON.stringify(plan))).toEqual({ plan })
    expect(isPhased(plan)).toBe(true)
  })

  test('without subtasks, or with one, is the work of a single session, whatever its type', () => {
    for (const subtasks of [[], [subtaskOf('1', { type: 'impl' })]]) {
      const plan = planOf(subtasks, { planMarkdown: '' })
      expect(readPlan(plan)).toEqual({ plan })
      expect(isPhased(plan)).toBe(false)
    }
  })

  test('has titles on one line and nothing twice', () => {
    const odd = subtaskOf('b', { title: ' two\nlines ', dependsOn: ['a', 'a'], filesTouched: ['x', 'x'] })
    expect(readPlan(planOf([subtaskOf('a'), odd]))).toMatchObject({
      plan: { subtasks: [{}, { title: 'two lines', dependsOn: ['a'], filesTouched: ['x'] }] },
    })
  })
})

describe('an oversized plan', () => {
  test('has one problem, whatever else each of its subtasks has', () => {
    const problems = problemsOf({ goal: 'g', planMarkdown: '', subtasks: Array.from({ length: 20_000 }, () => ({})) })
    expect(problems).toEqual([expect.stringMatching(/^The plan has 20000 subtasks, and at most 40 are allowed/)])
  })

  test('is refused as one document, and nothing is made of it', () => {
    const text = `{"goal":"g","planMarkdown":"","subtasks":[${'{},'.repeat(60_000)}{}]}`
    expect(readPlanText(text)).toEqual({ problems: [expect.stringContaining('has more than 25000 values')] })
  })
})

describe('the rule that tests come first', () => {
  const literal = (id: string) =>
    `Impl subtask '${id}' has no test dependency. TDD requires tests before implementation.`

  test('names an impl subtask that has no test before it, in these exact words', () => {
    expect(problemsOf(planOf([subtaskOf('1a'), subtaskOf('2a', { type: 'impl' })]))).toEqual([literal('2a')])
  })

  test('accepts a test further up the chain', () => {
    const chain = [
      subtaskOf('t'),
      subtaskOf('r', { type: 'refactor', dependsOn: ['t'] }),
      subtaskOf('i', { type: 'impl', dependsOn: ['r'] }),
      subtaskOf('j', { type: 'impl', dependsOn: ['i'] }),
    ]
    expect(problemsOf(planOf(chain))).toEqual([])
    expect(
      problemsOf(
        planOf(chain.slice(1).map((one) => ({ ...one, dependsOn: one.dependsOn.filter((id) => id !== 't') }))),
      ),
    ).toEqual([literal('i'), literal('j')])
  })

  test('ignores tests and refactorings', () => {
    expect(problemsOf(planOf([subtaskOf('a', { type: 'refactor' }), subtaskOf('b')]))).toEqual([])
  })

  test('names, for any plan, exactly the impl subtasks that no chain from a test leads to', () => {
    fc.assert(
      fc.property(anySubtasks, (subtasks) => {
        const byId = new Map(subtasks.map((one) => [one.id, one]))
        const hasTest = (id: string): boolean =>
          byId.get(id)!.dependsOn.some((one) => byId.get(one)!.type === 'test' || hasTest(one))
        const wanted =
          subtasks.length < 2
            ? []
            : subtasks.filter(({ id, type }) => type === 'impl' && !hasTest(id)).map(({ id }) => literal(id))
        expect(problemsOf(planOf(subtasks))).toEqual(wanted)
      }),
    )
  })
})

describe('the list of problems is complete', () => {
  test('even if a part of the plan has the wrong form', () => {
    const bad = {
      goal: ' ',
      subtasks: [
        { id: 'a\nb', title: '', description: 'x', type: 'impl', dependsOn: ['nope'], filesTouched: ['../etc/passwd'] },
        { id: 'a', title: 'A', description: 'x', type: 'chore', dependsOn: [], filesTouched: [] },
        {
          id: 'a',
          title: 'A',
          description: 'x',
          type: 'impl',
          dependsOn: ['a'],
          filesTouched: ['/etc/passwd', '.git/config'],
        },
        { id: 'c', title: 'C', description: 'x', type: 'test', dependsOn: ['d'], filesTouched: ['C:\\x', 'a\u0000b'] },
        {
          id: 'd',
          title: 'D',
          description: 'x',
          type: 'test',
          dependsOn: ['c'],
          filesTouched: ['.beadloom/execution/plan.md'],
        },
      ],
      more: 1,
    }
    const problems = problemsOf(bad)
    for (const said of [
      '"planMarkdown"',
      '"subtasks.1.type"',
      'unknown key "more"',
      'The goal is empty: say it in a sentence.',
      'Subtask number 1 has the id `a b`: an id is 1 to 128 letters',
      'The title of subtask number 1 is empty',
      'Subtask number 1 touches `../etc/passwd`, which leads out of a folder',
      'Subtask \'a\' touches no files: name in "filesTouched"',
      "Subtask 'a' touches `/etc/passwd`, which is not inside of the repository",
      "Subtask 'a' touches `.git/config`, which is git's own folder",
      "Subtask 'c' touches `C:\\x`, which is not inside of the repository",
      "Subtask 'c' touches `ab`, which is not the path of a file",
      "Subtask 'd' touches `.beadloom/execution/plan.md`, which is in Beadloom's own folder",
      'The id `a` is used by subtasks number 2, 3',
      'Subtask number 1 depends on `nope`, which is no subtask of this plan',
      "Subtask 'a' depends on itself",
      'in a circle, so none of them could start: `c` → `d` → `c`. Remove one of these dependencies.',
      "Impl subtask 'a b' has no test dependency",
    ])
      expect(problems.join('\n')).toContain(said)
    expect(problems.join('\n')).not.toContain("Impl subtask 'a' has") // its type could not be read
    for (const one of problems) expect(one).toMatch(/^[^\n]*\.$/)
  })

  test('and stays readable for a hundred subtasks with problems', () => {
    const many = Array.from({ length: 100 }, (_, at) => subtaskOf(`s${at}`, { type: 'impl' }))
    const problems = problemsOf(planOf(many))
    expect(problems[0]).toMatch(`100 subtasks, and at most ${planBounds.subtasks} are allowed: join small ones`)
    expect(problems).toHaveLength(61)
    expect(problems.at(-1)).toBe('There are 41 more problems.')
  })

  test.each([
    ['', 'There is no answer. Give one JSON document and nothing else.'],
    ['I would begin with the tests.', 'The answer is not one JSON document'],
    ['{"goal": "x", "subtasks": [', 'The answer is not one JSON document'],
    ['{"goal": "x", "goal": "y"}', 'The answer has the key "goal" twice in one object'],
    ['[]', 'expected object'],
    ['null', 'expected object'],
  ])('for %j', (text, said) => {
    const read = readPlanText(text)
    expect('problems' in read && read.problems.join(' ')).toContain(said)
  })

  test('and any input gets an answer, never an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(problemsOf(value).length > 0 || 'plan' in readPlan(value)).toBe(true)
      }),
    )
  })
})
