import fc from 'fast-check'
import { parseProjectId, type BeadId } from '@beadloom/core/records/ids.ts'
import { describe, expect, test } from 'vitest'
import type { Issues } from '../../ports/tracker.ts'
import { issuesAtOnce } from '../jsonl/issues-at-once.ts'
import { parseIssues } from '../testing/parse-issues.ts'
import { TrackedMemory } from '../testing/tracked-memory.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const project = parseProjectId('demo')
const idOf = (at: number) => `t-${String(at).padStart(5, '0')}`

const lineOf = (at: number, fields: object = {}) =>
  JSON.stringify({
    id: idOf(at),
    title: `Bead ${at}`,
    description: 'Do this, then that.\n'.repeat(8),
    status: at % 3 === 0 ? 'open' : 'closed',
    priority: 2,
    created_at: '2026-01-01T00:00:00Z',
    ...(at > 7 && at % 4 === 0 ? { dependencies: [{ depends_on_id: idOf(at - 7), type: 'blocks' }] } : {}),
    ...fields,
  })
const linesOf = (count: number) => Array.from({ length: count }, (_, at) => lineOf(at))
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

/** Counts the bytes of the blocks whose text is read. */
function counted(): Issues & { bytes: number } {
  const issues = {
    ...issuesAtOnce,
    bytes: 0,
    readBlocks: ((its, texts) => {
      for (const { bytes } of texts) issues.bytes += bytes.length
      return issuesAtOnce.readBlocks(its, texts)
    }) satisfies Issues['readBlocks'],
  }
  return issues
}

async function readOnce(lines: readonly string[]) {
  const issues = counted()
  const read = new TrackedMemory(issues, project)
  expect(await read.read(textOf(lines))).toEqual([])
  issues.bytes = 0
  return { issues, read }
}

describe('only changed beads of a large file are read, compared and stored:', () => {
  const many = linesOf(5_000)

  test.each([
    ['nothing, when it is the same', many, []],
    ['a bead in the middle', many.with(2_500, lineOf(2_500, { title: 'Other' })), [2_500]],
    ['one at the end', [...many, lineOf(5_000)], [5_000]],
    ['one at the start, which moves all others', [lineOf(9_999), ...many], [9_999]],
    [
      'two that are far apart',
      many.with(10, lineOf(10, { priority: 0 })).with(4_990, lineOf(4_990, { priority: 0 })),
      [10, 4_990],
    ],
    ['one that is longer than before', many.with(7, lineOf(7, { notes: 'n'.repeat(100_000) })), [7]],
  ])('%s', async (_, lines, changed) => {
    const { issues, read } = await readOnce(many)
    await read.read(textOf(lines))
    expect(read.did.stored.sort()).toEqual(changed.map(idOf))
    expect(read.did.dropped).toEqual([])
    expect(read.did.asked).toBeLessThanOrEqual(150 * changed.length)
    expect(issues.bytes).toBeLessThanOrEqual(60_000 * changed.length + 100_000 * Number(changed.includes(7)))
  })

  test('a missing bead is dropped, and no other one is asked for', async () => {
    const { read } = await readOnce(many)
    await read.read(textOf(many.toSpliced(3_001, 1)))
    expect(read.did).toMatchObject({ stored: [], dropped: [idOf(3_001)] })
    expect(read.did.asked).toBeLessThanOrEqual(150)
  })

  test('a file in another order still has all of them, and none is stored again', async () => {
    const { read } = await readOnce(many)
    await read.read(textOf(many.toReversed()))
    expect(read.did).toMatchObject({ stored: [], dropped: [] })
  })

  test('after a restart all are compared and none is stored, and those that went meanwhile are dropped', async () => {
    const { read } = await readOnce(many)
    read.forget()
    await read.read(textOf(many.slice(1)))
    expect(read.did).toEqual({ asked: 4_999, stored: [], dropped: [idOf(0)] })
  })

  test('eight times as many beads make a change no dearer', async () => {
    const costs: [number, number][] = []
    for (const count of [1_000, 8_000]) {
      const { issues, read } = await readOnce(linesOf(count))
      await read.read(textOf(linesOf(count).with(500, lineOf(500, { title: 'Other' }))))
      costs.push([issues.bytes, read.did.asked])
    }
    expect(costs[1]).toEqual(costs[0])
  })
})

test('a reading that fails in the middle of storing continues where it stopped', async () => {
  const read = new TrackedMemory(issuesAtOnce, project)
  const take = read.take.bind(read)
  let parts = 0
  read.take = async (beads) => {
    if ((parts += 1) > 3) throw new Error('killed')
    return take(beads)
  }
  await expect(read.read(textOf(linesOf(1_000)))).rejects.toThrow('killed')
  const before = read.beads.size
  expect(before).toBeGreaterThanOrEqual(300)
  read.take = take
  read.forget()
  await read.read(textOf(linesOf(1_000)))
  expect(read.beads.size).toBe(1_000)
  expect(read.did.stored).toHaveLength(1_000 - before)
})

test('a bead that was refused is offered again although its line is the same, and one that is worked on is dropped later', async () => {
  const { read } = await readOnce(linesOf(1_000))
  read.isUnsettled.add(idOf(500) as BeadId)
  read.busy.add(idOf(7))
  const without = linesOf(1_000).toSpliced(7, 1)
  await read.read(textOf(without))
  expect(read.did).toMatchObject({ stored: [idOf(500)], dropped: [] })
  read.busy.clear()
  await read.read(textOf(without))
  expect(read.did).toMatchObject({ stored: [], dropped: [idOf(7)] })
})

test('a conflict marker anywhere in a file keeps all of it from being stored, and the next reading has everything', async () => {
  const { read } = await readOnce(linesOf(1_000))
  const changed = linesOf(1_000).with(3, lineOf(3, { title: 'Other' }))
  expect(await read.read(textOf(changed.with(990, '<<<<<<< HEAD')))).toEqual([
    expect.stringMatching(/^line 991 is a git conflict marker/),
  ])
  expect(read.did).toMatchObject({ stored: [], dropped: [] })
  await read.read(textOf(changed))
  expect(read.did.stored).toEqual([idOf(3)])
})

/** Few ids, so that they repeat, wait for each other in cycles, and miss each other. */
const oneOf = 12
const anyLine = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .record({
        id: fc.nat(oneOf).map(idOf),
        title: fc.constantFrom('One', 'Two', ''),
        status: fc.constantFrom('open', 'closed', 'odd', 'in_progress'),
        notes: fc.constantFrom('', 'n'.repeat(3_000)),
        on: fc.array(fc.nat(oneOf + 3).map(idOf), { maxLength: 2 }),
      })
      .map(({ on, ...fields }) =>
        JSON.stringify({
          ...fields,
          priority: 1,
          dependencies: on.map((id) => ({ depends_on_id: id, type: 'blocks' })),
        }),
      ),
  },
  { weight: 1, arbitrary: fc.nat(oneOf).map((at) => `{"id":"${idOf(at)}","title":"broken`) },
  { weight: 1, arbitrary: fc.constantFrom('', 'nothing at all', '{"_type":"memory"}', '{"title":"no id"}') },
)

longTest('any change to a file gives the same beads by a partial reading as by a full one', async () => {
  const file = fc.array(anyLine, { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 2, maxLength: 5 }), async (files) => {
      const read = new TrackedMemory(issuesAtOnce, project)
      for (const lines of files) {
        const text = textOf(lines)
        const whole = parseIssues(project, text)
        const before = new Map(read.beads)
        expect(await read.read(text)).toEqual(whole.warnings)
        const isRefused = whole.beads.length === 0 && whole.warnings.length > 0
        const wanted = isRefused ? [...before.values()].map(({ bead }) => bead) : whole.beads
        const byId = (beads: { id: string }[]) => beads.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        expect(byId([...read.beads.values()].map(({ bead }) => bead))).toEqual(byId(wanted))
      }
    }),
    { numRuns: 300 },
  )
})

test('a file may come in pieces of any size', async () => {
  const text = textOf([`\uFEFF${lineOf(1)}`, ...linesOf(400).slice(2), lineOf(900, { title: 'Ä€😀' })])
  const whole = parseIssues(project, text)
  for (const size of [1, 7, 4_096, 100_000]) {
    const read = new TrackedMemory(issuesAtOnce, project)
    await read.readPieces(text, size)
    expect([...read.beads.values()].map(({ bead }) => bead)).toEqual(whole.beads)
  }
})
