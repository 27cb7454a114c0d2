import { changedResults, changedResultsText, changedValues, changedValuesText } from './changed-values.ts'
import { changedStarts } from './started/weaker-start.ts'
import { addsTests, findTampering, newTests, TOO_MUCH, type WorkChange } from './tamper.ts'

/** All answers about the patches of a change's tests. */
export type TestsOfChange = {
  /** The ways in which it made tests weaker, a sentence for each way and file. */
  weaker: string[]
  /** Changed expected values of former tests, and changed files with expected results, as a sentence. */
  otherValues: string | null
  /** New tests by their first lines. */
  fresh: number
  /** Paths of files with new tests or assertions. */
  adding: string[]
}

export const testsOfChange = (change: WorkChange): TestsOfChange => ({
  weaker: findTampering(change),
  otherValues: toldOf(change),
  fresh: newTests(change.files),
  adding: change.files.filter(addsTests).map(({ path }) => path),
})

const toldOf = ({ files, all = files, commands = [], started = null }: WorkChange): string | null =>
  [
    changedValuesText(changedValues(files)),
    changedResultsText(changedResults(all)),
    started?.isUnnamed === true ? changedStarts(commands, started) : null,
  ]
    .filter((text) => text !== null)
    .join('; ') || null

/** For a change that takes too much work to read: this counts against the work, and nothing is known in its favour. */
export const unreadTests: TestsOfChange = { weaker: [TOO_MUCH], otherValues: null, fresh: 0, adding: [] }
