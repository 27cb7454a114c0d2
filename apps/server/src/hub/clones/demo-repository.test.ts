import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datedFromNow } from './demo-repository.ts'

const sample = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', '..', 'test', 'samples', 'demo', '.beads', 'issues.jsonl'),
  'utf8',
)
type Issue = { created_at: string }
const issuesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Issue)

test("the demo's newest bead was filed an hour before its first start, the others at their former distance before it", () => {
  const now = Date.parse('2031-05-06T07:08:09Z')
  const moved = datedFromNow(sample, now)
  const [before, after] = [issuesOf(sample), issuesOf(moved)]
  const times = (issues: Issue[]) => issues.map(({ created_at }) => Date.parse(created_at))
  expect(Math.max(...times(after))).toBe(now - 3_600_000)
  const shift = now - 3_600_000 - Math.max(...times(before))
  expect(times(after)).toEqual(times(before).map((at) => at + shift))
  const rest = (text: string) => text.replaceAll(/(?<=_at":")[^"]+/g, '')
  expect(rest(moved)).toBe(rest(sample))
})
