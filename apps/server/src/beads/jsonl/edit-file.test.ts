import fc from 'fast-check'
import { parseBeadId, parseExecutionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import type { TrackerChange } from '../../ports/tracker.ts'
import { newText, project, statusOf, creationOf } from '../testing/tracker-folder.ts'
import { editFile } from './edit-file.ts'
import { editIssues } from './edit-issues.ts'
import { idOfLine } from './issue-lines.ts'
import { issuesAtOnce } from './issues-at-once.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The text with its splices applied. */
async function edited(text: string, changes: readonly TrackerChange[], size: number) {
  const { splices, outcomes } = await editFile(issuesAtOnce, inPieces(text, size), changes, 1_000)
  let [bytes, moved] = [Buffer.from(text), 0]
  for (const { at, length, bytes: next } of splices) {
    bytes = Buffer.concat([bytes.subarray(0, at + moved), next, bytes.subarray(at + moved + length)])
    moved += next.length - length
  }
  return { text: bytes.toString('utf8'), outcomes }
}

const ids = ['a-1', 'a-2', 'b-1', 'b-7', 'c-3']
const anyId = fc.constantFrom(...ids)
const anyLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        id: anyId,
        title: fc.constantFrom('One', 'Zwö€', '😀'),
        status: fc.constantFrom('open', 'closed', 'tombstone'),
        comments: fc.option(fc.array(fc.record({ id: fc.nat(9), text: fc.constant('t'), author: fc.constant('ada') }))),
      })
      .map(({ comments, ...bead }) => JSON.stringify(comments ? { ...bead, comments } : bead)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'nothing', '{"title":"first","id":"b-1"}', '{"_type":"memory","id":"a-1"}'),
  },
)
const anyChange = fc.oneof(
  fc.tuple(anyId, fc.constantFrom('open' as const, 'done' as const)).map(([id, status]) => statusOf(id, status)),
  anyId.map((id) => newText(id, 'Other', null)),
  fc.constantFrom('a-0', 'a-15', 'b-5', 'd-9', 'a-1').map((id) => creationOf(id, {})),
  anyId.map((id): TrackerChange => {
    const base = { seq: 1, rev: 1, project, bead: parseBeadId(id) }
    return { ...base, kind: 'comment', execution: parseExecutionId('ex-aaaaaaaaaa'), text: 'Done', at: 5 }
  }),
)

test('changes to a file in pieces give the same text as changes to its whole text', async () => {
  const lines = fc.oneof(
    fc.array(anyLine, { maxLength: 8 }),
    fc.subarray(ids).map((some) => some.map((id) => JSON.stringify({ id, title: 'T', status: 'open' }))),
  )
  const form = fc.record({ mark: fc.boolean(), end: fc.constantFrom('\n', '\r\n'), last: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      lines,
      form,
      fc.array(anyChange, { maxLength: 4 }),
      fc.integer({ min: 1, max: 200 }),
      async (all, f, changes, size) => {
        const body = all.join(f.end) + (f.last && all.length > 0 ? f.end : '')
        const text = (f.mark && body !== '' ? '\uFEFF' : '') + body
        const its = all.flatMap((one) => idOfLine(one) ?? [])
        // In a file with a repeated id, a new bead goes to the end, sorted or not.
        fc.pre(new Set(its).size === its.length || !changes.some(({ kind }) => kind === 'create'))
        const { text: wanted, outcomes } = editIssues(text, changes, 1_000)
        expect(await edited(text, changes, size)).toEqual({ text: wanted, outcomes })
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a status among twenty thousand beads is one splice of one line', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `{"id":"t-${at}","title":"Bead","status":"open"}\n`)
  const { splices } = await editFile(issuesAtOnce, inPieces(lines.join(''), 65_536), [statusOf('t-777', 'done')], 1_000)
  expect(splices).toHaveLength(1)
  expect(splices[0]).toMatchObject({ at: lines.slice(0, 777).join('').length, length: lines[777]!.length - 1 })
})
