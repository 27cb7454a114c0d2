import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { notes } from './project-commands.ts'

const project = (id: string, over: Partial<ProjectView> = {}) => ({ id, problem: null, ...over }) as ProjectView

test("the list of projects shows each one's problem, and shared problems once", () => {
  const memoryNote = 'Each container gets 7.5 GiB.'
  const problem = 'beadloom.json: not JSON'
  expect(notes([project('a', { memoryNote }), project('b', { memoryNote, problem })], 100)).toEqual([
    'b: beadloom.json: not JSON',
    memoryNote,
  ])
  expect(notes([project('a', { memoryNote }), project('b'), project('c', { memoryNote })], 100)).toEqual([
    `a, c: ${memoryNote}`,
  ])
})
