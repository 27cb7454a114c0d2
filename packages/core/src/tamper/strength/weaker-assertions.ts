import type { TestChange } from '../changed-tests.ts'
import { counted, shortName } from '../finding-words.ts'
import { oppositesOf } from '../subverted.ts'
import { subjectsOf } from '../words.ts'
import { weakerConditions } from './conditions.ts'
import { isLoose } from './loose.ts'
import { sameWithLess } from './same-with-less.ts'

/** Assertions in whose place is one that more wrong values pass. One sentence for each file. */
export const weakerAssertions = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, ofTests }) => {
    if (file.status === 'D' || file.status === 'A') return []
    let loose = 0
    for (const { removed, added } of ofTests.values()) loose += looser(removed, added)
    const count = Math.max(loose, sameWithLess(lines)) + weakerConditions(file.path, lines)
    if (count === 0) return []
    return [
      `${shortName(file.path)} has ${counted(count, 'assertion')} that ${count > 1 ? 'check' : 'checks'} less than before`,
    ]
  })

/** Assertions of one test that only say that something is there, in place of those that said what. */
function looser(removed: readonly string[], added: readonly string[]): number {
  // That one says the opposite now is said elsewhere.
  const opposite = new Set(removed.flatMap(oppositesOf))
  const strict = (lines: readonly string[]) => lines.filter((line) => !isLoose(line))
  const fewer = strict(removed).length - strict(added).length
  if (fewer <= 0) return 0
  const before = new Set(removed)
  const now = new Set(added)
  const loose = added.filter((line) => !before.has(line) && !opposite.has(line) && isLoose(line))
  const about = subjectsOf(strict(removed.filter((line) => !now.has(line))))
  const same = loose.filter((line) => [...subjectsOf([line])].some((name) => about.has(name)))
  return Math.min(fewer, same.length)
}
