import type { TestChange } from '../changed-tests.ts'
import { quotedLine, shortName } from '../finding-words.ts'
import { counted } from '../../text/count-text.ts'
import { emptiedTests } from './emptied.ts'
import { enclosedAssertions } from './enclosed.ts'
import { leftAtTheEnd } from './left-at-the-end.ts'
import { lostRows } from './lost-rows.ts'
import { neverRun } from './never-run.ts'
import { neverStarted } from './never-started.ts'
import { twiceNamed } from './twice-named.ts'
import { earlyReturns, swallowedAssertions, unheardAssertions, widenedAssertions } from './unreached.ts'

/** Unchanged assertions that are not reached or not heard; and lost rows of tables of tests. */
export const silenced = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const name = shortName(file.path)
    const left = earlyReturns(lines)
    const swallowed = swallowedAssertions(lines) + leftAtTheEnd(lines)
    const unheard = unheardAssertions(lines) + neverRun(lines) + neverStarted(lines)
    const wider = widenedAssertions(lines)
    const rows = lostRows(lines)
    const enclosed = enclosedAssertions(lines)
    const emptied = emptiedTests(lines, blocks)
    const twice = twiceNamed(file.path, lines)
    return [
      ...(left > 0 ? [`${name}: ${counted(left, 'test')} may end before what it checks`] : []),
      ...(emptied > 0
        ? [`${name}: ${counted(emptied, 'test')} no longer ${emptied > 1 ? 'do' : 'does'} anything`]
        : []),
      ...(swallowed > 0
        ? [`${name}: ${counted(swallowed, 'assertion')} can no longer fail, as the error is caught`]
        : []),
      ...(unheard > 0
        ? [
            `${name}: ${counted(unheard, 'assertion')} can no longer fail, as ${unheard > 1 ? 'they are' : 'it is'} not called, or not heard`,
          ]
        : []),
      ...(enclosed.count > 0
        ? [
            `${name}: ${counted(enclosed.count, 'assertion')} ${enclosed.count > 1 ? 'are' : 'is'} within something that may keep ${enclosed.count > 1 ? 'them' : 'it'} from failing (${quotedLine(enclosed.by)})`,
          ]
        : []),
      ...(wider > 0 ? [`${name}: ${counted(wider, 'assertion')} may hold in another way now`] : []),
      ...(twice > 0
        ? [`${name}: the name of ${counted(twice, 'test')} is given to something else below, which runs instead`]
        : []),
      ...(rows > 0 ? [`${name}: tables of tests lost ${counted(rows, 'row')}`] : []),
    ]
  })
