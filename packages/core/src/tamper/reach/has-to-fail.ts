import type { TestChange } from '../changed-tests.ts'
import { counted } from '../../text/count-text.ts'
import { shortName } from '../finding-words.ts'
import { newTests } from '../blocks.ts'
import * as code from '../words.ts'

/* Complete tests that pass if one of their assertions fails. */

const WANTS_FAILURE =
  /^#\[should_panic|^@(?:[\w.]+\.)?Test\(.*\bexpected(?:Exceptions)? ?= ?\{? ?(?:AssertionError|Error|Throwable)\b/
const NEAR = 12

/** One sentence for each file. */
export const testsThatHaveToFail = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const fresh = newTests(blocks)
    const count = lines.filter((line, at) => {
      if (line.sign !== '+' || !WANTS_FAILURE.test(line.plain) || fresh.has(blocks.ownerOf.get(line) ?? ''))
        return false
      const below = lines.slice(at + 1, at + 1 + NEAR)
      const end = below.findIndex(({ plain }, down) => down > 1 && /^(?:#\[|@)/.test(plain))
      const body = end < 0 ? below : below.slice(0, end)
      return body.some(({ sign, plain }) => sign === ' ' && code.isAssertion(plain))
    }).length
    return count === 0
      ? []
      : [
          `${shortName(file.path)}: ${counted(count, 'test')} ${count > 1 ? 'pass' : 'passes'} only if ${count > 1 ? 'their assertions fail' : 'its assertions fail'}`,
        ]
  })
