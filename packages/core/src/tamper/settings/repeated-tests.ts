import { quotedLine } from '../finding-words.ts'
import { isTestFile } from '../../files/names-of-tests.ts'
import { patchLines, removedTexts, type ChangedFile } from '../patch.ts'

/*
 * More than two tries of a test, said in the test itself or in Gradle's settings: it passes if the code is right now and
 * then. Tests may give the code under test such an option, so it has to be at the head of a test or group.
 */

const MANY = String.raw`(?:[3-9]|\d\d)`
const OF_TESTS = new RegExp(
  [
    String.raw`\bjest\.retryTimes\(${MANY}`,
    String.raw`\bthis\.retries\(${MANY}`,
    String.raw`^(?:it|test|describe)\b.{0,300}, ?\{[^}]{0,100}\bretr(?:y|ies) ?: ?${MANY}`,
    String.raw`\.configure\(\{[^}]{0,100}\bretries ?: ?${MANY}`,
    String.raw`^@(?:pytest\.mark\.)?flaky\((?:[^)]{0,100}\b(?:reruns|max_runs) ?= ?)?${MANY}`,
    String.raw`^\[Retry\(${MANY}`,
    String.raw`^@(?:RetryingTest|RepeatedIfExceptionsTest)\((?:\w+ ?= ?)?${MANY}`,
    String.raw`^(?:it|describe|context|scenario)\b.{0,300}\bretry: ?${MANY}`,
    String.raw`\bBATS_TEST_RETRIES=${MANY}`,
  ].join('|'),
)
const OF_GRADLE = new RegExp(String.raw`\bmaxRetries(?:\.set\(| ?= ?)${MANY}`)

/** A sentence for each file. */
export function repeatedTests({ path, patch, status }: ChangedFile, name: string): string[] {
  const pattern = /\.gradle(?:\.kts)?$/.test(path)
    ? OF_GRADLE
    : isTestFile(path) && status !== 'A'
      ? OF_TESTS
      : undefined
  if (pattern === undefined || status === 'D') return []
  const lines = patchLines(patch)
  const former = removedTexts(lines)
  const found = lines.find(({ sign, plain }) => sign === '+' && !former.has(plain) && pattern.test(plain))
  return found === undefined ? [] : [`${name} repeats a failing test until it passes (${quotedLine(found.plain)})`]
}
