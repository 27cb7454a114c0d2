import { expect, test } from 'vitest'
import { stepsForChange } from './steps-for-change.ts'

const step = (name: string, ...paths: string[]) => ({ name, ...(paths.length > 0 && { paths }) })
const steps = [step('lint'), step('test api', 'api'), step('test web', 'web', 'shared/ui.ts')]
const names = (...changed: string[]): string[] => stepsForChange(steps, changed).map(({ name }) => name)

test.each<[string, string[], string[]]>([
  ['a file in a folder runs what is there, and what always runs', ['api/main.go'], ['lint', 'test api']],
  ['files in two folders run both', ['api/a', 'web/b'], ['lint', 'test api', 'test web']],
  ['a file by its own name', ['shared/ui.ts'], ['lint', 'test web']],
  ['a file that no check names may be everybody’s', ['api/a', 'shared/other.ts'], ['lint', 'test api', 'test web']],
  ['a folder with a longer name is another one', ['api2/a'], ['lint', 'test api', 'test web']],
  ['the tracker is nobody’s', ['api/a', '.beads/issues.jsonl'], ['lint', 'test api']],
  ['beads alone, or nothing, run everything', ['.beads/issues.jsonl'], ['lint', 'test api', 'test web']],
])('%s', (_, changed, expected) => {
  expect(names(...changed)).toEqual(expected)
})

test('the paths of checks are gone through equally often, however many files change', () => {
  const looks = (count: number): number => {
    let times = 0
    const counted = steps.map(({ name, paths = [] }) => ({
      name,
      get paths() {
        times += 1
        return paths
      },
    }))
    stepsForChange(
      counted,
      Array.from({ length: count }, (_, at) => `web/deep/${at}.ts`),
    )
    return times
  }
  expect(looks(1_000)).toBe(looks(1))
})
