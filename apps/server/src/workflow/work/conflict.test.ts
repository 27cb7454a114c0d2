import { expect, test } from 'vitest'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import { conflictIn, otherBeads, otherChanges } from './conflict.ts'

const event = { branch: 'main', files: ['a.ts'], own: 'o1', other: 't1', ours: 't1' }

test('a stored conflict is read again, and whether its other side is the work branch', () => {
  expect(conflictIn(event)).toEqual({ branch: 'main', files: ['a.ts'], own: 'o1', other: 't1', ofWork: true })
  expect(conflictIn({ ...event, ours: 'h1' })?.ofWork).toBe(false)
})

test('an event of an older server, or none, has no conflict to read', () => {
  for (const data of [
    undefined,
    null,
    'main',
    { ...event, own: undefined },
    { ...event, other: 1 },
    { ...event, files: 'a.ts' },
  ])
    expect(conflictIn(data)).toBeNull()
})

test('a long list of files is cut, and counted', () => {
  const files = Array.from({ length: 12 }, (_, at) => `f${at}`)
  expect(otherChanges({ branch: 'main', files })).toBe(
    `main has other changes in ${files.slice(0, 10).join(', ')} and 2 more files`,
  )
  expect(otherChanges({ branch: 'main', files: files.slice(0, 10) })).not.toContain('more')
})

test('the beads of commits are named once each, the newest first, without the own one and commits of nobody', () => {
  const subjects = [
    'Bead a-2: Two',
    'Bead a-3: Three',
    'Bead a-1: One',
    'Bead a-2: Two again',
    'Tidy up',
    'Bead !: no id',
  ]
  const commits = subjects.map((subject) => ({ subject }))
  expect(otherBeads(commits, parseBeadId('a-1'))).toEqual(['a-2', 'a-3'])
})
