// @suite unit-long

import fc from 'fast-check'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { issuesAtOnce } from '../jsonl/issues-at-once.ts'
import { parseIssues } from '../testing/parse-issues.ts'
import { TrackedMemory } from '../testing/tracked-memory.ts'

const project = parseProjectId('demo')

const idOf = (at: number) => `t-${String(at).padStart(5, '0')}`
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

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

test('any change to a file gives the same beads by a partial reading as by a full one', async () => {
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
