import type { TestChange } from '../changed-tests.ts'
import { counted } from '../../text/count-text.ts'
import { shortName } from '../finding-words.ts'
import { oppositesOf } from '../turned-round.ts'
import { subjectsOf } from '../words.ts'
import { weakerConditions } from './conditions.ts'
import { isExact, valuesIn } from './exact.ts'
import { askedOfTheCode, laidOver } from './laid-over.ts'
import { isLoose } from './loose.ts'
import { overlooksMore } from './made-alike.ts'
import { isWhole, sameWithLess } from './same-with-less.ts'
import { comparesOwnValues, defaultsToExpected } from './without-code.ts'

/** Assertions whose replacement passes more wrong values. One sentence for each file. */
export const weakerAssertions = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, ofTests }) => {
    if (file.status === 'D' || file.status === 'A') return []
    let loose = 0
    for (const { removed, added } of ofTests.values())
      loose += Math.max(looser(removed, added), withoutValue(removed, added))
    const count =
      Math.max(loose, sameWithLess(lines), overlooksMore(lines)) +
      weakerConditions(file.path, lines) +
      defaultsToExpected(lines) +
      comparesOwnValues(lines) +
      laidOver(lines) +
      askedOfTheCode(lines)
    if (count === 0) return []
    return [
      `${shortName(file.path)} has ${counted(count, 'assertion')} that ${count > 1 ? 'check' : 'checks'} less than before`,
    ]
  })

/** No test has more lines; all pairs are compared. */
const MOST_LINES = 200
const MOST_TEXT = 20_000

/** Assertions of one test that lost the value that a former one about the same subject had, in any words. */
function withoutValue(removed: readonly string[], added: readonly string[]): number {
  const [before, now] = [new Set(removed), new Set(added)]
  const gone = removed.filter((line) => !now.has(line) && isExact(line) && !isLoose(line))
  const came = added.filter((line) => !before.has(line))
  const fewer = gone.length - came.filter((line) => isExact(line) && !isLoose(line)).length
  if (fewer <= 0) return 0
  const open = came
    .filter((line) => isWhole(line) && !isExact(line))
    .slice(0, MOST_LINES)
    .map((line) => subjectsOf([line]))
  const text = came.join('\n').slice(0, MOST_TEXT)
  let count = 0
  for (const line of gone.slice(0, MOST_LINES)) {
    const values = valuesIn(line)
    if (values.length === 0 || values.some((value) => text.includes(value))) continue
    const about = subjectsOf([line])
    const at = open.findIndex((other) => [...other].some((name) => about.has(name)))
    if (at < 0) continue
    open.splice(at, 1)
    count += 1
  }
  return Math.min(count, fewer)
}

/** Assertions of one test only about existence, instead of former ones about the value. */
function looser(removed: readonly string[], added: readonly string[]): number {
  // Another rule reports reversed assertions.
  const opposite = new Set(removed.flatMap(oppositesOf))
  const strict = (lines: readonly string[]) => lines.filter((line) => !isLoose(line))
  const fewer = strict(removed).length - strict(added).length
  if (fewer <= 0) return 0
  const before = new Set(removed)
  const now = new Set(added)
  const loose = added.filter((line) => !before.has(line) && !opposite.has(line) && isWhole(line) && isLoose(line))
  const about = subjectsOf(strict(removed.filter((line) => !now.has(line))))
  const same = loose.filter((line) => [...subjectsOf([line])].some((name) => about.has(name)))
  return Math.min(fewer, same.length)
}
