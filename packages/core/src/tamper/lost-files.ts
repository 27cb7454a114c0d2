import { isAsked, type Removals } from './asked.ts'
import { additionsOf, isReplaced, lostTests, type Side, type TestChange } from './changed-tests.ts'
import { shortName } from './finding-words.ts'
import { lossesOf } from './moved-lines.ts'
import * as names from '../files/names-of-tests.ts'
import { formerPath, type ChangedFile } from './patch.ts'

/*
 * Files of tests that are gone, or where no runner finds them. A change may have any number of them, and of files that
 * may replace them, so each question has its own index.
 */

/** Whether a runner finds a file: by its place, or as a module of Rust's tests that the change declares. */
export function reachedIn(files: readonly ChangedFile[]): (file: ChangedFile) => boolean {
  let modules: ReadonlySet<string> | null = null
  return ({ path }) => {
    if (!names.isPassedOver(path)) return true
    if (!path.endsWith('.rs')) return false
    modules ??= new Set(
      files.flatMap(({ patch }) => [...patch.matchAll(/^\+(?:pub )?mod (\w+);/gm)].map(([, name = '']) => name)),
    )
    return modules.has(stem(path))
  }
}

/** One sentence for each file. */
export function lostFiles(
  tests: readonly TestChange[],
  removals: Removals,
  deletedCode: readonly string[],
  isReached: (file: ChangedFile) => boolean,
  finders: readonly names.Finder[],
): string[] {
  const isOfDeletedCode = deletedFor(deletedCode, removals)
  const isRewritten = rewrittenIn(tests)
  const missing = lossesOf(
    tests.map(({ file, removed, added }) => ({ path: file.path, lost: bodyOf(removed), gained: bodyOf(added) })),
  )
  const additions = additionsOf(tests)
  const asMany = additions.blocks.reduce((sum, { assertions }) => sum + assertions.length, 0)
  return tests.flatMap((one) => {
    const { file, removed } = one
    const former = formerPath(file)
    const sameWay = names.hasRunnerName(former)
      ? names.isFoundAs(former, file.path) || names.isFoundBy(finders, former, file.path)
      : names.isTestFile(file.path)
    const stillFound =
      sameWay && !names.isOfOtherSystem(former, file.path) && (names.isPassedOver(former) || isReached(file))
    if (file.status === 'R' && names.isTestFile(former) && !stillFound) {
      return [`${shortName(former)} was renamed to ${shortName(file.path)}, where the runner may not find it`]
    }
    if (file.status !== 'D' || one.asked || isOfDeletedCode(file.path)) return []
    const body = bodyOf(removed)
    const moved = body.length > 0 && !missing.has(file.path)
    const helper = body.length === 0 && !names.hasRunnerName(file.path)
    const lost = lostTests(one, additions.titles)
    const all = one.blocks.removed.length
    const askedFor = body.length === 0 && one.lines.length > 0 && removals.length > 0
    const hasAsMany = asMany >= removed.assertions.length
    const replaced = all > 0 && hasAsMany && lost.every((test) => isReplaced(test, additions))
    return moved || helper || replaced || askedFor || isRewritten(file, removed)
      ? []
      : [`${shortName(file.path)} was deleted`]
  })
}

/** Whether a test's code was deleted too, and the task asks to remove something of this name. */
function deletedFor(deletedCode: readonly string[], removals: Removals): (path: string) => boolean {
  // If several have one name, the first counts.
  const byName = new Map(deletedCode.toReversed().map((path) => [stem(path).toLowerCase(), path]))
  return (path) => {
    const name = stem(path).replace(/^test_|_?(?:tests?|spec)$/gi, '')
    const itsCode = name === '' ? undefined : byName.get(name.toLowerCase())
    return itsCode !== undefined && isAsked(removals, { path: itsCode, line: path })
  }
}

/**
 * Whether there is a new file with the same name but for folder and ending, and with as many tests and assertions:
 * `a.test.js` → `a.test.ts`. If thousands have one name, only some are examined.
 */
function rewrittenIn(tests: readonly TestChange[]): (file: ChangedFile, removed: Side) => boolean {
  const fresh = new Map<string, Side[]>()
  for (const { file, added } of tests) {
    if (file.status !== 'A') continue
    const sameName = fresh.get(stem(file.path))
    if (sameName === undefined) fresh.set(stem(file.path), [added])
    else if (sameName.length < MOST_OF_A_NAME) sameName.push(added)
  }
  return ({ path }, removed) =>
    (fresh.get(stem(path)) ?? []).some(
      (added) => added.assertions.length >= removed.assertions.length && added.tests.length >= removed.tests.length,
    )
}

const MOST_OF_A_NAME = 100

const bodyOf = ({ assertions, tests }: Side): string[] => [...assertions, ...tests]
const stem = (path: string): string => path.slice(path.lastIndexOf('/') + 1).split('.', 1)[0] ?? path
