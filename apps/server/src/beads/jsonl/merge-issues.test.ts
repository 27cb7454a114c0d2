import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mergeIssues } from './merge-issues.ts'

/* "We" are the work branch, "they" the base branch: a person's decision there wins. */

const at = '2026-01-01T00:00:00Z'
const line = (id: string, more: object = {}) =>
  JSON.stringify({ id, title: id, status: 'open', priority: 2, updated_at: at, ...more })
const file = (...lines: string[]) => lines.map((one) => `${one}\n`).join('')
const beads = (text: string | null) =>
  (text ?? '')
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one) as Record<string, unknown>)
const bead = (text: string | null, id: string) => beads(text).find((one) => one['id'] === id)
const former = file(line('a-1'), line('a-2'), line('a-3'))
const closed = { status: 'closed', closed_at: at, close_reason: 'done' }

describe('a bead that one side changed', () => {
  test('is as that side has it, and every other line is theirs to the byte', () => {
    const odd = '{"id":"a-2",  "title":"Spaces", "n":12345678901234567890,"status":"open"}'
    const theirs = file(line('a-1'), odd, line('a-3'), '', '{"_type":"memory","text":"a note"}')
    const merged = mergeIssues(former, file(line('a-1', closed), line('a-2'), line('a-3')), theirs)
    expect(merged).toBe(theirs.replace(line('a-1'), line('a-1', closed)))
  })

  test('is filed in its place, and one that they deleted is gone', () => {
    const ours = file(line('a-1'), line('a-2', closed), line('a-25'), line('a-3'))
    const theirs = file(line('a-1'), line('a-3'), line('a-4'))
    expect(beads(mergeIssues(former, ours, theirs)).map(({ id }) => id)).toEqual(['a-1', 'a-25', 'a-3', 'a-4'])
  })

  test('and many filed ones are each in their place, or after theirs in a file without an order', () => {
    const many = file(...['a-0', 'a-1', 'a-15', 'a-2', 'a-25', 'a-3', 'a-8', 'a-9'].map((id) => line(id)))
    const ids = (theirs: string) => beads(mergeIssues(former, many, theirs)).map(({ id }) => id)
    const order = ['a-0', 'a-1', 'a-15', 'a-2', 'a-25', 'a-3', 'a-8', 'a-9']
    expect(ids(former)).toEqual(order)
    expect(mergeIssues(former, many, `\uFEFF${former}`)).toBe(`\uFEFF${many}`)
    expect(ids(file(line('a-3'), line('a-1'), line('a-2')))).toEqual('a-3 a-1 a-2 a-0 a-15 a-25 a-8 a-9'.split(' '))
  })

  test('and that we deleted is gone, unless they have changed it', () => {
    const theirs = file(line('a-1'), line('a-2', { title: 'New' }), line('a-3'))
    expect(beads(mergeIssues(former, file(line('a-1')), theirs)).map(({ id }) => id)).toEqual(['a-1', 'a-2'])
  })

  test('and the same change on both sides count as one', () => {
    const both = file(line('a-1', closed), line('a-2'), line('a-3'), line('a-4'))
    expect(mergeIssues(former, both, both)).toBe(both)
    expect(mergeIssues('', both, both)).toBe(both)
  })
})

describe('a bead that both changed', () => {
  const merge = (was: object, ours: object, theirs: object) =>
    bead(mergeIssues(file(line('a-1', was)), file(line('a-1', ours)), file(line('a-1', theirs))), 'a-1')

  test('has our fields and theirs, and theirs where they are the same', () => {
    expect(merge({}, { ...closed, title: 'Ours' }, { title: 'Theirs', notes: 'n' })).toMatchObject({
      ...closed,
      title: 'Theirs',
      notes: 'n',
    })
  })

  test('has their status whole: no reason for closing stays at a bead that they reopened', () => {
    const merged = merge(closed, { ...closed, close_reason: 'other' }, { status: 'open' })
    expect(merged).toMatchObject({ status: 'open' })
    expect(Object.keys(merged ?? {})).not.toContain('close_reason')
    expect(merge({}, closed, { status: 'deferred' })).not.toHaveProperty('closed_at')
  })

  test('has the labels, the edges and the comments that either side added, and none that either removed', () => {
    const edge = (to: string) => ({ issue_id: 'a-1', depends_on_id: to, type: 'blocks' })
    const said = (text: string) => ({ id: 1, author: 'x', text, created_at: at })
    const merged = merge(
      { labels: ['old', 'kept'], dependencies: [edge('a-2')] },
      { labels: ['kept', 'a, b'], dependencies: [edge('a-2'), edge('a-3')], comments: [said('ours')] },
      { labels: ['old', 'kept', 'theirs'], comments: [said('theirs')] },
    )
    expect(merged).toMatchObject({
      labels: ['kept', 'theirs', 'a, b'],
      dependencies: [{ depends_on_id: 'a-3' }],
      comments: [{ text: 'theirs' }, { text: 'ours' }],
    })
  })

  test('has the later of the two times', () => {
    const [early, late] = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z']
    expect(merge({}, { updated_at: late }, { updated_at: early })).toMatchObject({ updated_at: late })
    expect(merge({}, { updated_at: early }, { updated_at: late })).toMatchObject({ updated_at: late })
  })

  test('and that has no common ancestor takes its latest state', () => {
    const [old, late] = [line('a-1'), line('a-1', { status: 'closed', updated_at: '2026-02-01T00:00:00Z' })]
    expect(mergeIssues('', file(late), file(old))).toBe(file(late))
    expect(mergeIssues('', file(old), file(late))).toBe(file(late))
  })

  test('keeps numbers and escapes that no parser would give back', () => {
    const ours = '{"id":"a-1","status":"closed","big":12345678901234567890}'
    const theirs = '{"id":"a-1","status":"open","title":"\\u003cb\\u003e","big":12345678901234567890}'
    const was = '{"id":"a-1","status":"open","big":12345678901234567890}'
    expect(mergeIssues(file(was), file(ours), file(theirs))).toBe(file(theirs.replace('open', 'closed')))
  })
})

describe('a merge is left to a person', () => {
  test.each([
    ['a conflict marker', '<<<<<<< HEAD'],
    ['a changed line that is not JSON', '{"id":"a-1","title":"half'],
  ])('%s on either side', (_, broken) => {
    const [mine, other] = [file(line('a-1', closed)), file(broken, line('a-1', { title: 'x' }))]
    if (broken.startsWith('<')) {
      expect(mergeIssues(former, mine, other)).toBeNull()
      expect(mergeIssues(former, other, mine)).toBeNull()
    } else expect(mergeIssues(former, mine, file(broken))).toBeNull()
  })
})

test('in a real tracker of 2404 beads, untouched lines stay to the byte', () => {
  const real = readFileSync(join(import.meta.dirname, '../../../../../test/data/beads-2404.jsonl'), 'utf8')
  const lines = real.split('\n')
  const change = (number: number, text: string) =>
    lines.with(number, (lines[number] ?? '').replace(/"title":"/, `"title":"${text} `)).join('\n')
  const merged = mergeIssues(real, change(7, 'ours'), change(1900, 'theirs')) ?? ''
  expect(merged.split('\n').flatMap((one, number) => (one === lines[number] ? [] : [number]))).toEqual([7, 1900])
})
