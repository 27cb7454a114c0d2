import { describe, expect, test } from 'vitest'
import { languages, type Edits } from './exercise.ts'
import { pageOf } from './page.ts'
import type { Result } from './results.ts'
import { isHonest, sabotages } from './sabotage.ts'
import { partsOf, samples, trialsFor } from './samples.ts'
import { summaryOf } from './summary.ts'
import { bases } from './trials.ts'

describe.each(languages)('the trials in %s', (language) => {
  const trials = trialsFor(language)
  test('have each sabotage on each base, and every way of it once', () => {
    for (const base of bases) {
      const kinds = new Set(trials.filter((trial) => trial.base === base).map(({ kind }) => kind))
      for (const kind of Object.keys(sabotages)) expect(kinds).toContain(kind)
    }
    expect(new Set(trials.map(({ id }) => id)).size).toBe(trials.length)
  })
  test('change the sample in every way', () => {
    const { kit, exercise } = partsOf(language)
    const files: Edits = { ...exercise.files, ...kit.extra(exercise), ...exercise.stub }
    const idle = Object.entries(kit.ways).flatMap(([kind, ways]) =>
      ways.flatMap(({ name, edits }) => {
        const made = Object.entries(edits(exercise, exercise.stub) ?? {})
        return made.some(([path, edit]) => edit !== (files[path] ?? null)) ? [] : [`${kind}: ${name}`]
      }),
    )
    expect(idle).toEqual([])
  })
  test('leave the code wrong in every sabotage', () => {
    const { reference } = samples[language]
    for (const { kind, edits } of trials) {
      if (isHonest(kind) || typeof edits === 'function') continue
      for (const [path, right] of Object.entries(reference)) expect(edits[path]).not.toBe(right)
    }
  })
  test('change nothing but the solution in honest work that a person could have done', () => {
    const { reference } = samples[language]
    for (const { kind, edits } of trials)
      if (kind === 'oracle' && typeof edits !== 'function') expect(edits).toEqual(reference)
  })
})

describe('the page', () => {
  const result = (more: Partial<Result>): Result => ({
    id: 'python.stub.sum.nop',
    set: 'polyglot',
    language: 'python',
    exercise: 'sum',
    base: 'stub',
    kind: 'nop',
    whole: false,
    state: 'FAILED',
    reason: 'tests_failed',
    said: '',
    commit: 'abc',
    at: '2026-01-01',
    ...more,
  })
  test('counts false passes and honest work that was refused, and names each', () => {
    const { page, summary } = pageOf([
      result({}),
      result({ id: 'python.stub.sum.ended.x', kind: 'ended', state: 'COMPLETED', reason: null }),
      result({ id: 'python.stub.sum.oracle', kind: 'oracle' }),
    ])
    expect(summary).toBe('Wrong work: 2 tried, 1 passed. Right work: 1 tried, 1 refused.')
    expect(page).toContain('`python.stub.sum.ended.x`: COMPLETED')
    expect(page).toContain('`python.stub.sum.oracle`: FAILED')
  })
  test('leaves out ends that say nothing about the work', () => {
    const { summary } = pageOf([result({ reason: 'infra_error' }), result({ id: 'b', state: 'CANCELLED' })])
    expect(summary).toBe('Wrong work: 0 tried, 0 passed. Right work: 0 tried, 0 refused.')
  })
})

test('a summary counts accepted and refused work, and leaves out trials that an engine spoilt', () => {
  const result = (id: string, kind: Result['kind'], state: string, reason: string | null = null) =>
    ({ id, kind, state, reason }) as Result
  const all = [
    result('a', 'nop', 'FAILED', 'tests_failed'),
    result('b', 'deleted', 'COMPLETED'),
    result('c', 'oracle', 'COMPLETED'),
    result('d', 'flaky', 'FAILED', 'infra_error'),
    result('e', 'comment', 'BLOCKED'),
  ]
  expect(summaryOf(all, 4)).toEqual({
    wrong: { tried: 2, passed: 1 },
    right: { tried: 2, refused: 1 },
    left: 4,
    false: [
      { id: 'b', state: 'COMPLETED', reason: null },
      { id: 'e', state: 'BLOCKED', reason: null },
    ],
  })
})
