import type { LogSection } from '@beadloom/core/api/executions/log-api.ts'
import { beforeEach, expect, test } from 'vitest'
import { LogFolds, sectionsAt, sectionStep } from './log-folds.ts'

const section = (title: string, first: number, last: number | null, exit: number | null = 0, kind = 'section') =>
  ({ kind, title, command: null, first, last, exit, startedAt: 0, endedAt: last === null ? null : 1 }) as LogSection
const sections = [
  section('checkout', 0, 4),
  section('agent', 5, 90),
  section('bash', 10, 20, 0, 'call'),
  section('bash', 30, 40, 1, 'call'),
  section('step 2', 50, 60, null, 'step'),
  section('push', 91, null, null),
]
let folds = new LogFolds()
const hidden = () => Array.from({ length: 100 }, (_, n) => n).filter((n) => !folds.map.shows(n))
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

beforeEach(() => {
  folds = new LogFolds()
  folds.setSections(sections)
})

test('a folded section keeps its head, and opens again', () => {
  expect(folds.toggle(12)).toBe(10)
  expect(hidden()).toEqual(from(11, 20))
  folds.toggle(10)
  expect(hidden()).toEqual([])
})

test('a section that still runs cannot be folded', () => {
  expect(folds.toggle(95)).toBeNull()
  expect(folds.headAt(91)).toBeNull()
})

test('all fold together, and once all are folded, they open', () => {
  folds.toggleAll()
  expect(hidden()).toEqual([...from(1, 4), ...from(6, 90)])
  folds.toggleAll()
  expect(hidden()).toEqual([])
})

test('going to a hidden line opens whatever hides it, and nothing else', () => {
  folds.toggle(12)
  folds.toggleAll()
  expect(folds.reveal(15)).toBe(true)
  expect(hidden()).toEqual(from(1, 4))
  expect(folds.reveal(15)).toBe(false)
})

test('a section that ended well folds by itself; a failed one, or one that holds others, does not', () => {
  folds.setFoldFinished(true)
  expect(hidden()).toEqual([...from(1, 4), ...from(11, 20)])
})

test('a section that a person opened stays open when the outline is reloaded', () => {
  folds.setFoldFinished(true)
  folds.toggle(10)
  folds.setSections([...sections])
  expect(hidden()).toEqual(from(1, 4))
})

test('a line knows its sections, and the way to the next', () => {
  expect(sectionsAt(sections, 12).map(({ title }) => title)).toEqual(['agent', 'bash'])
  expect(sectionStep(sections, 12, 1)).toBe(30)
  expect(sectionStep(sections, 12, -1)).toBe(10)
  expect(sectionStep(sections, 0, -1)).toBeNull()
})
