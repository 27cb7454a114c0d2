import { expect, test } from 'vitest'
import { publicRepositories } from './list.ts'
import type { PublicRepository } from './public-repository.ts'
import { pagesOf, secondsOf } from './page.ts'
import type { Result } from './results.ts'

const repository: PublicRepository = {
  name: 'a/b',
  commit: 'c'.repeat(40),
  shape: 'Go',
  registry: null,
  language: 'go',
  sources: ['.'],
  own: 'go test ./...',
}
const mutant = {
  kind: 'early return',
  path: 'x.go',
  line: 3,
  end: { state: 'FAILED', reason: 'tests_failed', detail: '' },
} as const
const result: Result = {
  commit: repository.commit,
  at: '2026-01-01T00:00:00.000Z',
  found: ['go test ./...: 3 tests passed'],
  base: 'green',
  sentence: '',
  spent: { image: 60, setup: 30, checks: 90, received: 18 },
  load: 0.5,
  started: false,
  sabotage: {
    is: 'done',
    mutants: [mutant],
    harmless: { state: 'COMPLETED', reason: null, detail: '' },
    tried: 2,
    ownSeconds: 3,
  },
}

test('the repositories of the list are named once each, at a commit, and are at least forty', () => {
  const names = publicRepositories.map(({ name }) => name)
  expect(names.length).toBeGreaterThanOrEqual(40)
  expect(new Set(names).size).toBe(names.length)
  for (const { commit, name } of publicRepositories) expect(commit, name).toMatch(/^[0-9a-f]{40}$/)
})

test('work beside the download excludes making the image and receiving data', () => {
  expect(secondsOf(result)).toEqual({ all: 180, beside: 102 })
})

const textOf = (...given: Parameters<typeof pagesOf>): string => Object.values(pagesOf(...given)).join('\n')

test('a mutation that was completed is counted against Beadloom and named', () => {
  const missed = { ...mutant, end: { state: 'COMPLETED', reason: null, detail: '' } }
  const page = textOf([repository], {
    'a/b': { ...result, sabotage: { ...result.sabotage, mutants: [mutant, missed] } as Result['sabotage'] },
  })
  expect(page).toContain('**1 of 2 mutations were caught')
  expect(page).toContain('Not caught: early return in x.go:3')
})

test('an end that is no verdict on the work is neither caught nor completed', () => {
  const lost = { ...mutant, end: { state: 'FAILED', reason: 'infra_error', detail: '' } }
  const page = textOf([repository], {
    'a/b': { ...result, sabotage: { ...result.sabotage, mutants: [mutant, lost] } as Result['sabotage'] },
  })
  expect(page).toContain('| 1 of 2, 1 without a verdict |')
})

test('a broken base is listed with its sentence, and its words make no markup', () => {
  const page = textOf([repository], {
    'a/b': { ...result, base: 'broken', sentence: 'Setup `x` failed | <b>', sabotage: null },
  })
  expect(page).toContain('**0 were proved green')
  expect(page).toContain('Setup \\`x\\` failed \\| \\<b\\>')
})
