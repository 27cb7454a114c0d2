import { expect, test } from 'vitest'
import { descriptionFor, encode, fitsInLine, hasRoom, MAX_LINE_BYTES } from './tracker-line.ts'

test.each(['w', 'é', '<', '"', '\u2028'])(
  'a description of %j is whole as long as it leaves room in its line',
  (text) => {
    for (const count of [5_000, 9_000, 20_000, 30_000, 50_000]) {
      const description = text.repeat(count)
      if (fitsInLine(description)) expect(descriptionFor(description)).toBe(description)
      else expect(descriptionFor(description)).toMatch(/\n\[shortened\]$/)
    }
  },
)

test('a bead has room if the longest line that it may become is short enough', () => {
  const dependsOn = Array.from({ length: 100 }, (_, at) => `some-project-${at}`)
  const labels = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(100, 'x'))
  const bead = { title: 't'.repeat(500), description: 'w'.repeat(18_000), labels, dependsOn }
  expect(hasRoom(bead)).toBe(true)
  const id = 'i'.repeat(128)
  const dates = { created_at: '2026-03-01T12:00:00.000Z', created_by: 'beadloom' }
  const edges = dependsOn.map((one) => ({ issue_id: id, depends_on_id: one, type: 'discovered-from', ...dates }))
  const line = encode({ id, ...bead, ...dates, updated_at: dates.created_at, status: 'open', dependencies: edges })
  expect(line.length).toBeLessThan(MAX_LINE_BYTES)
  expect(hasRoom({ ...bead, description: 'w'.repeat(40_000) })).toBe(false)
})
