import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TrackerChange } from '../../ports/tracker.ts'
import { editIssues } from './edit-issues.ts'
import { parseIssues } from '../testing/parse-issues.ts'
import { appendTo, membersOf, removeMember, setMember } from '@beadloom/core/text/json-members.ts'
import {
  commentOn,
  creationOf,
  EXECUTION,
  file,
  line,
  newText,
  NOW,
  project,
  failureOf,
  statusOf,
} from '../testing/tracker-folder.ts'

const edit = (before: string, ...changes: TrackerChange[]) => {
  const { text, outcomes } = editIssues(before, changes, NOW)
  return { text, outcomes }
}
const objectIn = (text: string, at = 0) => JSON.parse(text.split('\n')[at] ?? '') as Record<string, unknown>

describe('a status', () => {
  test('changes its own fields of its own line, and every other byte stays', () => {
    const kept = '{ "id": "a-1",\t"odd": 12345678901234567890, "x<y": "\\u003c", "status": "open", "priority": 2 }'
    const { text, outcomes } = edit(file(line('a-0'), kept, 'not JSON', ''), statusOf('a-1', 'blocked'))
    expect(outcomes).toEqual([{ result: 'written', word: 'blocked' }])
    expect(text.split('\n')).toEqual([
      line('a-0'),
      kept
        .replace('"status": "open"', '"status": "blocked"')
        .replace('"priority": 2', '"priority": 2,\t"updated_at": "2026-03-01T12:00:00.000Z"'),
      'not JSON',
      '',
      '',
    ])
  })

  test('done is closed, with its time and reason, and reopened takes both away again', () => {
    const closed = edit(file(line('a-1')), statusOf('a-1', 'done')).text
    expect(objectIn(closed)).toMatchObject({
      status: 'closed',
      closed_at: '2026-03-01T12:00:00.000Z',
      close_reason: 'done in Beadloom',
      updated_at: '2026-03-01T12:00:00.000Z',
    })
    const reopened = objectIn(edit(closed, statusOf('a-1', 'open', 'closed')).text)
    expect(reopened).toMatchObject({ status: 'open', updated_at: '2026-03-01T12:00:01.000Z' })
    expect(Object.keys(reopened)).not.toContain('closed_at')
    expect(Object.keys(reopened)).not.toContain('close_reason')
  })

  test('timeout is blocked with a label, and is read as timeout again; the label goes with it', () => {
    const { text } = edit(file(line('a-1', { labels: ['ui'] })), statusOf('a-1', 'timeout'))
    expect(objectIn(text)).toMatchObject({ status: 'blocked', labels: ['ui', 'timeout'] })
    expect(parseIssues(project, text).beads[0]?.status).toBe('timeout')
    expect(objectIn(edit(text, statusOf('a-1', 'in_progress', 'blocked')).text)).toMatchObject({
      status: 'in_progress',
      labels: ['ui'],
    })
  })

  test('in progress claims a bead that nobody has, and leaves one alone that somebody has', () => {
    const started = (fields: object) => objectIn(edit(file(line('a-1', fields)), statusOf('a-1', 'in_progress')).text)
    expect(started({})['assignee']).toBe('beadloom')
    expect(started({ assignee: 'ada' })['assignee']).toBe('ada')
    const freed = edit(
      file(line('a-1', { status: 'in_progress', assignee: 'beadloom' })),
      statusOf('a-1', 'open', 'in_progress'),
    )
    expect(objectIn(freed.text)).not.toHaveProperty('assignee')
  })

  test('failed stays in progress with a label and for nobody, and starts again without it', () => {
    const ours = file(line('a-1', { status: 'in_progress', assignee: 'beadloom', labels: ['ui'] }))
    const failed = edit(ours, failureOf('a-1'))
    expect(objectIn(failed.text)).toMatchObject({ status: 'in_progress', labels: ['ui', 'failed'] })
    expect(objectIn(failed.text)).not.toHaveProperty('assignee')
    expect(edit(failed.text, failureOf('a-1')).text).toBe(failed.text)
    const again = objectIn(edit(failed.text, statusOf('a-1', 'in_progress', 'in_progress')).text)
    expect(again).toMatchObject({ labels: ['ui'], assignee: 'beadloom' })
    expect(objectIn(edit(failed.text, statusOf('a-1', 'done', 'in_progress')).text)['labels']).toEqual(['ui'])
    const notOurs = { ...statusOf('a-1', 'done', 'in_progress'), labelled: false }
    expect(objectIn(edit(failed.text, notOurs).text)['labels']).toEqual(['ui', 'failed'])
    const hers = file(line('a-1', { status: 'in_progress', assignee: 'ada' }))
    expect(edit(hers, failureOf('a-1'))).toMatchObject({ text: hers, outcomes: [{ result: 'overruled', by: 'ada' }] })
  })

  test('of a person wins over ours', () => {
    const text = file(line('a-1', { status: 'deferred' }))
    expect(edit(text, statusOf('a-1', 'done', 'in_progress'))).toEqual({
      text,
      outcomes: [{ result: 'overruled', text: expect.stringContaining('"deferred" in the tracker') }],
    })
  })

  test('that is already there changes nothing', () => {
    const text = file(line('a-1', { status: 'closed', closed_at: '2026-01-03T00:00:00Z' }))
    expect(edit(text, statusOf('a-1', 'done', 'open'))).toEqual({
      text,
      outcomes: [{ result: 'written', word: 'closed' }],
    })
  })
})

describe('a comment', () => {
  test('is added after the others, with the next number of the file, and only once', () => {
    const others = [{ id: 41, issue_id: 'a-1', author: 'ada', text: '<b>', created_at: '2026-01-01T00:00:00Z' }]
    const before = file(line('a-1', { comments: others }), line('a-2'))
    const once = edit(before, commentOn('a-1'), commentOn('a-2'))
    expect(objectIn(once.text)['comments']).toEqual([
      ...others,
      {
        id: 42,
        issue_id: 'a-1',
        author: 'beadloom',
        text: `COMPLETED: execution ${EXECUTION}`,
        created_at: '2026-03-01T12:00:00.000Z',
      },
    ])
    expect(objectIn(once.text, 1)['comments']).toMatchObject([{ id: 43 }])
    expect(edit(once.text, commentOn('a-1'))).toEqual({ text: once.text, outcomes: [{ result: 'written' }] })
  })

  test('that would make the line too long for older readers is left out', () => {
    const text = file(line('a-1', { notes: 'x'.repeat(65_000) }))
    expect(edit(text, commentOn('a-1', 'y'.repeat(2000)))).toMatchObject({ text, outcomes: [{ result: 'refused' }] })
  })
})

describe('a bead that was made here', () => {
  test('becomes a line in the order of ids, with its dependency, as bd would write it', () => {
    const { text } = edit(file(line('a-1'), line('a-3')), creationOf('a-2', { title: 'a < b & c', description: '' }))
    expect(text.split('\n')[1]).toBe(
      '{"id":"a-2","title":"a \\u003c b \\u0026 c","status":"open","priority":1,"issue_type":"bug","created_at":"2026-03-01T12:00:00.000Z","created_by":"beadloom","updated_at":"2026-03-01T12:00:00.000Z","labels":["beadloom"],"dependencies":[{"issue_id":"a-2","depends_on_id":"a-1","type":"discovered-from","created_at":"2026-03-01T12:00:00.000Z","created_by":"beadloom"}]}',
    )
  })

  test.each([
    ['at the end of a file in another order', file(line('b'), line('a')), 2],
    ['of one without a last line break', line('b-1'), 1],
    ['of an empty one', '', 0],
  ])('%s', (_, text, at) => {
    const edited = edit(text, creationOf('c-1')).text
    expect(objectIn(edited, at)['id']).toBe('c-1')
    expect(edited.startsWith(text)).toBe(true)
  })

  test('keeps a label with a comma as one label, also beside ours', () => {
    const labels = ['area: ui, board', 'beadloom']
    const { text } = edit('', creationOf('a-2', { labels }))
    expect(parseIssues(project, text).beads).toMatchObject([{ labels }])
    const timedOut = edit(text, statusOf('a-2', 'timeout')).text
    expect(objectIn(timedOut)['labels']).toEqual([...labels, 'timeout'])
    expect(objectIn(edit(timedOut, statusOf('a-2', 'open', 'blocked')).text)['labels']).toEqual(labels)
  })

  test('does not come back when it was deleted there', () => {
    const text = file(line('a-2', { status: 'tombstone', deleted_at: '2026-01-03T00:00:00Z' }))
    expect(edit(text, creationOf('a-2'))).toMatchObject({ text, outcomes: [{ result: 'refused' }] })
  })

  test('gets its new text, unless a person has rewritten it', () => {
    const text = file(line('a-2', { description: 'One.', labels: ['x'] }))
    const { text: told } = edit(text, newText('a-2', 'One. Two.', 'One.', ['x', 'needs-human']))
    expect(objectIn(told)).toMatchObject({ description: 'One. Two.', labels: ['x', 'needs-human'] })
    expect(edit(text, newText('a-2', 'One. Two.', 'Zero.'))).toMatchObject({
      text,
      outcomes: [{ result: 'overruled' }],
    })
  })
})

describe('a file is left as it is', () => {
  test('with conflict markers in it', () => {
    const text = `<<<<<<< HEAD\n${file(line('a-1'))}=======\n>>>>>>> theirs\n`
    expect(edit(text, statusOf('a-1', 'done'), creationOf('a-2'))).toMatchObject({
      text,
      outcomes: [{ result: 'later', text: expect.stringContaining('line 1') }, { result: 'later' }],
    })
  })

  test('if the bead is not in it, or its line is not quite JSON', () => {
    const text = file('{"id":"a-1","title":"C:\\owner","status":"open"}')
    expect(edit(text, statusOf('a-1', 'done'), statusOf('a-9', 'done'))).toMatchObject({
      text,
      outcomes: [{ result: 'later' }, { result: 'later' }],
    })
  })
})

test('carriage returns and a byte order mark stay', () => {
  const text = `\uFEFF${line('a-1')}\r\n${line('a-2')}\r\n`
  const edited = edit(text, statusOf('a-1', 'blocked'), creationOf('a-0')).text
  expect(edited.split('\r\n').map((one) => one.slice(0, 12))).toEqual(
    ['\uFEFF{"id":"a-0",', '{"id":"a-1",', '{"id":"a-2",', ''].map((one) => one.slice(0, 12)),
  )
})

describe('on a real tracker of 2404 beads', () => {
  const real = readFileSync(join(import.meta.dirname, '../../../../../test/data/beads-2404.jsonl'), 'utf8')

  test('nothing to write changes no byte, and one bead changes one line', () => {
    expect(edit(real).text).toBe(real)
    const { text, outcomes } = edit(real, statusOf('bd-0vu3q', 'in_progress'), commentOn('bd-0vu3q'))
    expect(outcomes).toMatchObject([{ result: 'written' }, { result: 'written' }])
    const after = text.split('\n')
    const different = real.split('\n').flatMap((one, at) => (one === after[at] ? [] : [at]))
    expect([different.length, after.length]).toEqual([1, real.split('\n').length])
  })

  test('every bead can be closed, and reads as before but for that', () => {
    const open = parseIssues(project, real).beads.filter(({ trackerStatus }) => trackerStatus === 'open')
    const { text, outcomes } = edit(real, ...open.map(({ id }) => statusOf(id, 'done')))
    expect(outcomes.every(({ result }) => result === 'written')).toBe(true)
    const closed = new Map(parseIssues(project, text).beads.map((one) => [one.id, one]))
    for (const one of open) {
      const { raw: _, updatedAt: __, ...rest } = one
      expect(closed.get(one.id)).toMatchObject({ ...rest, status: 'done', trackerStatus: 'closed' })
    }
  })
})

describe('members of JSON text', () => {
  const json = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 3 }))
  const spaced = fc.tuple(json, fc.constantFrom(undefined, 1, 2))

  test('are found as a parser finds them', () => {
    fc.assert(
      fc.property(spaced, ([object, indent]) => {
        const text = JSON.stringify(object, null, indent)
        const found = membersOf(text).map(({ key, valueStart, valueEnd }) => [key, text.slice(valueStart, valueEnd)])
        const plain = JSON.parse(text) as Record<string, unknown>
        expect(found.map(([key, value]) => [key, JSON.parse(value ?? '') as unknown])).toEqual(Object.entries(plain))
      }),
    )
  })

  test('are set, appended to and removed, and the others stay', () => {
    fc.assert(
      fc.property(spaced, fc.string({ minLength: 1 }), fc.jsonValue(), ([object, indent], key, value) => {
        fc.pre(key !== '__proto__' && !('__proto__' in object))
        const text = JSON.stringify(object, null, indent)
        const set = setMember(text, key, JSON.stringify(value), [])
        const { [key]: _, ...others } = JSON.parse(text) as Record<string, unknown>
        expect(JSON.parse(set)).toEqual(JSON.parse(JSON.stringify({ ...others, [key]: value })))
        expect(JSON.parse(removeMember(set, key))).toEqual(others)
        const listed = setMember(text, key, '[1]', [])
        expect(JSON.parse(appendTo(listed, key, '2', []))).toEqual({ ...others, [key]: [1, 2] })
      }),
    )
  })
})
